"""Compiled inner loops, or their twins in `linalg.plain`. Importing a module here imports numba, so it is done late."""
