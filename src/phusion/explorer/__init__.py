"""A page to look at one graph through two lenses: where nodes are, and what role they play."""
