"""Sphinx configuration."""

import sys
from pathlib import Path

from phusion import __version__

sys.path.insert(0, str(Path(__file__).parent))

project = "phusion"
author = "the phusion developers"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "tables"]
myst_enable_extensions = ["colon_fence"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {"show_toc_level": 2, "secondary_sidebar_items": ["page-toc"]}
exclude_patterns = ["_build", "generated"]
numpydoc_show_class_members = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
html_show_sourcelink = False
