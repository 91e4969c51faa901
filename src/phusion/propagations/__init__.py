"""π: propagations, one file each. Every class of the folder, and of plug-ins, is a name of this package."""

from __future__ import annotations

from typing import Any

from phusion.component import by_class_name, class_names


def __getattr__(name: str) -> Any:
    return by_class_name("propagations", name)


def __dir__() -> list[str]:
    return class_names("propagations")
