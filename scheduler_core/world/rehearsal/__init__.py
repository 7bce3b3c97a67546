"""Rehearsals: an upgrade's rolling drain played on the clock, what blocked it, and what would help."""
