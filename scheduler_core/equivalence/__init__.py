"""Equivalence cache: answers kept for the next pod of a class; each scheduler builds its own on it."""
