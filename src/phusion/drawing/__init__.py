"""What pictures are made of: points of a map, places of a drawn graph, colours, and a canvas."""
