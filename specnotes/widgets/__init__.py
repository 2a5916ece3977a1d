"""Widgets: sliders wired to the package below.  They own no maths.

Each function returns an ipywidgets widget: let it be the last value of a cell.
"""

from specnotes.widgets.block_trace import block_trace
from specnotes.widgets.fallback import fallback
from specnotes.widgets.guessing import guess_and_check
from specnotes.widgets.lab import lab
from specnotes.widgets.line_up import line_up
from specnotes.widgets.one_token import one_token
from specnotes.widgets.predict import predict, recap
from specnotes.widgets.scouts import scout_plane
from specnotes.widgets.token_stream import token_stream
from specnotes.widgets.two_sides import two_sides
from specnotes.widgets.yield_curve import yield_curve

__all__ = [
    "block_trace",
    "fallback",
    "guess_and_check",
    "lab",
    "line_up",
    "one_token",
    "predict",
    "recap",
    "token_stream",
    "scout_plane",
    "two_sides",
    "yield_curve",
]
