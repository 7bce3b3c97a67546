"""Consolidation: which nodes could be given back for good, in which order, and what that saves."""
