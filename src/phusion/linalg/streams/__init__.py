"""Columns of n × n matrices on demand: what is too large to be written out, a block at a time."""
