"""Print the packages of dependency groups of pyproject.toml, for the pip of Python 3.11 that knows no groups."""

import sys
import tomllib
from pathlib import Path

groups = tomllib.loads((Path(__file__).parent.parent / "pyproject.toml").read_text())["dependency-groups"]
sys.stdout.write(" ".join(package for name in sys.argv[1:] for package in groups[name]) + "\n")
