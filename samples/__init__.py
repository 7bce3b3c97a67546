"""Clusters to begin with: a small one to learn on, and a large one from production."""
