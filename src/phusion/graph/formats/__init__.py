"""File formats, one file each. Every module here that defines a `FORMAT` is found by itself."""
