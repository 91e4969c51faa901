"""What sphinx-gallery is told: which examples can be run here, and how their pictures are found."""

from __future__ import annotations

import re
from pathlib import Path

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

from phusion.datasets import find, is_here

EXAMPLES = Path(__file__).parents[1] / "examples" / "gallery"
ORDER = (
    "two_lenses",
    "own_file",
    "planted_houses",
    "airports_by_role",
    "heat_scales",
    "long_walks",
    "unseen_graph",
    "missing_flights",
    "molecules",
    "trust",
    "grid_search",
    "memory_budget",
    "own_proximity",
)
"""From first steps to one's own parts; what is not named comes last."""


class InOrder:
    """The key that examples are sorted by."""

    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, name: str) -> tuple[int, str]:
        stem = Path(name).stem
        return (ORDER.index(stem) if stem in ORDER else len(ORDER), stem)


def data_sets(example: Path) -> list[str]:
    """The data sets that an example loads and phusion does not carry with it."""
    names = re.findall(r'datasets\.load\("([^"]+)"\)', example.read_text(encoding="utf-8"))
    return [name for name in names if find(name).files]


def runnable() -> str:
    """A pattern of the examples whose data sets are here; the others are shown without what they print."""
    here = [path.stem for path in sorted(EXAMPLES.glob("*.py")) if all(is_here(find(one)) for one in data_sets(path))]
    return rf"/({'|'.join(here)})\.py$"


def pictures(block, block_vars, gallery_conf):
    """The picture that an example calls `figure`, after the block that makes it; phusion's belong to no window."""
    found = block_vars["example_globals"].get("figure")
    if not isinstance(found, Figure) or getattr(found, "shown_in_gallery", False):
        return ""
    found.shown_in_gallery = True
    path = next(block_vars["image_path_iterator"])
    found.savefig(path, dpi=110, metadata={"Software": None})
    return figure_rst([path], gallery_conf["src_dir"])
