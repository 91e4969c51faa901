"""`Finding`: one thing that was looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["Finding"]


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at.

    Parameters
    ----------
    about : the section it belongs to.
    name : what it is.
    value : what was found, in words.
    state : ``"well"``, ``"absent"`` for what is optional and not there, or ``"unwell"``.
    advice : what to do, where it is not well; what it is for, where it is absent.
    """

    about: str
    name: str
    value: str
    state: Literal["well", "absent", "unwell"] = "well"
    advice: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return vars(self).copy()
