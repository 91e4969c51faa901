"""Which design suits a graph, found out without labels."""
