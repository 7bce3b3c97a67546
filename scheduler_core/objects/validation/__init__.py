"""Validation: what an API server refuses to store."""
