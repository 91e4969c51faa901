"""Sphinx configuration."""

import sys
from pathlib import Path

import matplotlib

from phusion import __version__

sys.path.insert(0, str(Path(__file__).parent))
matplotlib.use("Agg")

from gallery_pages import runnable

project = "phusion"
author = "the phusion developers"
release = version = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "sphinx_gallery.gen_gallery", "tables"]
myst_enable_extensions = ["colon_fence"]
html_theme = "pydata_sphinx_theme"
html_theme_options = {"show_toc_level": 2, "secondary_sidebar_items": ["page-toc"]}
exclude_patterns = ["_build", "generated"]
numpydoc_show_class_members = False
autodoc_typehints = "none"
autodoc_member_order = "bysource"
html_show_sourcelink = False
html_sidebars = {page: [] for page in ("coming-from", "design", "reference")}  # which have no pages below them
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": runnable(),
    "ignore_pattern": r"__init__\.py",
    "image_scrapers": ("gallery_pages.pictures",),
    "download_all_examples": False,
    "show_signature": False,
    "show_memory": False,
    "min_reported_time": 10_000,
    "plot_gallery": "True",
    "abort_on_example_error": False,
    "within_subsection_order": "gallery_pages.InOrder",
    "capture_repr": (),
    "write_computation_times": False,
    "run_stale_examples": False,
}
