"""The museum of wrong verifiers: one function per mistake, each with its exact bias.

``MUSEUM`` lists the exhibits; the modules hold them by topic.
"""

from specnotes.broken import (  # noqa: F401  (each module fills the museum)
    acceptance,
    fallbacks,
    lookalikes,
    loops,
    positions,
    reused_coins,
    scouts,
    steps,
    variants,
)
from specnotes.broken.exhibit import MUSEUM, Exhibit

__all__ = ["MUSEUM", "Exhibit"]
