"""Published systems as specs: one .toml file each, with citation and paper_note."""

from phusion.presets.registry import Preset, find, names

__all__ = ["Preset", "find", "names"]
