"""Results: `Embedding`, and one file for each format it is saved in."""
