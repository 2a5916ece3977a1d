"""specnotes: the verifier of speculative decoding, proved, broken, built and priced.

Import from the modules (``from specnotes.laws import residual``); this file stays empty so that
``import specnotes`` is light.
"""

__version__ = "0.1.0"
