"""Sphinx's settings.  `make site` runs tools/build_site.py, which prepares what is read here."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "docs"), str(ROOT / "tools")]

import specnotes  # noqa: E402

project = "specnotes"
author = "the specnotes authors"
copyright = f"{author}. Text and figures: CC BY 4.0. Code: MIT"
version = release = specnotes.__version__
language = "en"

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary", "extension"]
exclude_patterns = ["made/*"]
templates_path = ["_templates"]

# Lessons: run once by the kernel of this Python, then taken from the cache.
nb_execution_mode = "cache"
nb_execution_cache_path = str(ROOT / ".site" / "cache")
nb_execution_timeout = 300
nb_execution_raise_on_error = True
nb_output_stderr = "warn"  # which ends the build: warnings are errors
nb_merge_streams = True
nb_ipywidgets_js = {}
nb_render_markdown_format = "myst"
nb_code_prompt_show = "Show the code"
nb_code_prompt_hide = "Hide the code"
myst_enable_extensions = ["dollarmath", "attrs_inline"]
myst_heading_anchors = 3
myst_links_external_new_tab = False

# The package: modules with what they export, in the order in which it is written.
autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
add_module_names = False
default_role = "code"
toc_object_entries = False

html_theme = "furo"
html_title = "specnotes"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_js_files = ["site.js"]
html_math_renderer = "mathml"
html_show_sourcelink = html_copy_source = html_show_sphinx = False
