"""Answers of the plugins that are kept for the next pod of the same kind."""
