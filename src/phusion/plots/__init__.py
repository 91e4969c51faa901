"""Figures of a graph of one's own in the manner of the paper: `bars`, `rows`, `roles`, `map`; and `save`.

Each returns a figure of matplotlib, which notebooks show. `phusion plot` is the same on the command line.
"""

from phusion.drawing.canvas import save
from phusion.plots.bars import bars
from phusion.plots.map import map
from phusion.plots.roles import roles
from phusion.plots.rows import rows

__all__ = ["bars", "map", "roles", "rows", "save"]
