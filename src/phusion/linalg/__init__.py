"""Pure numerics, no graphs."""
