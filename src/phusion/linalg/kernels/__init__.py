"""Compiled inner loops. Importing a module here imports numba, so it is done where one is about to be used."""
