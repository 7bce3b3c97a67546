"""Sweeps: what of a scenario can vary, the grid of its settings, and the runs that play it."""
