"""What the doctests of `src` leave out."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("pyarrow") else ["src/phusion/graph/columnar/arrow.py"]
