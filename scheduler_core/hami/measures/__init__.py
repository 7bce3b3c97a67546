"""Measures of a run's cards: what pods ask of them, and fragmentation."""
