"""Runs: from a snapshot, edits and a scheduler to the log of decisions."""
