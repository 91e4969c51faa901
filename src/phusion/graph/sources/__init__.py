"""Graph objects of other libraries, one file each. Every module here is found by itself.

A module has ``TITLE``, ``matches(thing) -> bool`` (without importing the library) and
``read(thing, options) -> Draft``.
"""
