"""The canvas: matplotlib, one style for all figures, and files that are the same every time."""

from __future__ import annotations

import re
import warnings
from contextlib import AbstractContextManager
from io import BytesIO
from pathlib import Path
from typing import Any

from phusion.errors import InputError, MethodWarning, MissingLibraryError, callers_level
from phusion.output import check_target, whole_file

__all__ = ["SUFFIXES", "canvas", "check_picture", "need_matplotlib", "plain", "save", "styled"]

SUFFIXES = {
    ".svg": {"Date": None},
    ".pdf": {"CreationDate": None},
    ".png": {"Software": None},
}
"""What can be written, and what is left out of the file so that it is the same every time."""

_NO_XML = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_STYLE = {
    "font.family": "DejaVu Sans",  # comes with matplotlib, and has Ψ, σ, ζ and superscripts
    "font.size": 8.0,
    "axes.titlesize": 9.0,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.frameon": False,
    "hatch.linewidth": 0.5,
    "savefig.dpi": 200,
    "figure.dpi": 100,
    "svg.fonttype": "path",  # letters as shapes: the same with any fonts
    "svg.hashsalt": "phusion",
    "pdf.fonttype": 42,  # letters as letters, to be searched and copied
}


def need_matplotlib() -> None:
    """Say how to install what draws, where it is not."""
    try:
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise MissingLibraryError("a picture", "matplotlib", "plots") from error


def styled() -> AbstractContextManager[Any]:
    """Within it, figures are drawn in phusion's style, whatever a user's own is."""
    need_matplotlib()
    from matplotlib import style

    found: AbstractContextManager[Any] = style.context(["default", _STYLE])
    return found


def canvas(width: float, height: float, rows: int = 1, columns: int = 1, **layout: Any) -> tuple[Any, Any]:
    """A figure of so many inches, and an array of its axes; it belongs to no window."""
    need_matplotlib()
    from phusion.drawing.picture import Picture

    figure = Picture(figsize=(width, height), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **layout)


def check_picture(path: str | Path, *, overwrite: bool = False) -> Path:
    """Refuse before the work what cannot be written after it."""
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        got = f"got {path.suffix!r}" if path.suffix else f"this name has no ending. Name it {path.name}.svg"
        raise InputError(f"{path.name}: a picture ends in {', '.join(SUFFIXES)}; {got}")
    need_matplotlib()
    check_target(path, overwrite)
    return path


def save(figure: Any, path: str | Path, *, overwrite: bool = False) -> Path:
    """Write a figure as .svg, .pdf or .png; whole or not at all, and the same bytes every time."""
    path = check_picture(path, overwrite=overwrite)
    suffix = path.suffix.lower()
    drawn = BytesIO()  # of a disk that is full matplotlib leaves a file open
    with styled(), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        figure.savefig(drawn, format=suffix[1:], metadata=SUFFIXES[suffix])
    with whole_file(path, overwrite=overwrite) as part:
        part.write_bytes(drawn.getvalue())
    if any("missing from font" in str(one.message) for one in caught):
        warnings.warn(f"some letters are not in the font {_STYLE['font.family']} and are drawn as boxes", MethodWarning,
                      stacklevel=callers_level())  # fmt: skip
    return path


def plain(words: str, longest: int = 60) -> str:
    r"""Words of a user on one line, shortened, and with dollars, between which matplotlib would read a formula.

    What no XML may hold becomes a question mark.

    >>> plain("costs $5\nor $6"), plain("x" * 99, 4), plain("bell\a")
    ('costs \\$5 or \\$6', 'xxx…', 'bell�')
    """
    words = _NO_XML.sub("\ufffd", " ".join(words.split()))
    words = words if len(words) <= longest else f"{words[: longest - 1]}…"
    return words.replace("$", r"\$")
