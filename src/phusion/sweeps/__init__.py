"""Choosing a design for a graph and its labels, and saying honestly how good the choice is."""
