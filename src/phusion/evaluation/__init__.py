"""Tasks that say how good an embedding is, each with its protocol."""
