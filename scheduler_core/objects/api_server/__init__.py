"""Admission: what an API server adds to an object, and what it refuses."""
