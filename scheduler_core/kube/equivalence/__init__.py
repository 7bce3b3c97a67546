"""Equivalence classes and their cache: the plugins' answers, kept for the next pod of the same class."""
