"""Figures that take numbers and compute nothing but where to draw them.

``…_svg`` and ``…_html`` give live figures as strings, ``draw_…`` draws the static twin on a given
Matplotlib axis.  Colours, textures and shapes come from ``palette``.
"""

from specnotes.plots.area import draw_area
from specnotes.plots.bound import bound_svg, draw_bound
from specnotes.plots.coupling import coupling_svg, draw_coupling
from specnotes.plots.errors import draw_errors, errors_svg
from specnotes.plots.mass import draw_mass, mass_svg
from specnotes.plots.scouts import draw_kept_along, draw_named, draw_scouts, scouts_svg
from specnotes.plots.sides import acceptance_error_svg, draw_acceptance_error, three_laws_svg
from specnotes.plots.stream import reading_html, stream_html
from specnotes.plots.strips import draw_strips
from specnotes.plots.tiles import checks_html, tiles_html
from specnotes.plots.trace import draw_trace, legend_html, trace_html
from specnotes.plots.yields import draw_speedup, draw_tokens_law, speedup_svg, tokens_law_svg

__all__ = [
    "acceptance_error_svg",
    "bound_svg",
    "checks_html",
    "coupling_svg",
    "draw_acceptance_error",
    "draw_area",
    "draw_bound",
    "draw_coupling",
    "draw_errors",
    "draw_kept_along",
    "draw_mass",
    "draw_named",
    "draw_scouts",
    "draw_speedup",
    "draw_strips",
    "draw_tokens_law",
    "draw_trace",
    "errors_svg",
    "legend_html",
    "mass_svg",
    "reading_html",
    "scouts_svg",
    "speedup_svg",
    "stream_html",
    "three_laws_svg",
    "tiles_html",
    "tokens_law_svg",
    "trace_html",
]
