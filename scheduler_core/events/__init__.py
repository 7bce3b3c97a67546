"""The decision log's schema, and the fold that carries it out."""
