"""Traces: what happened to a cluster, as the edits of a scenario with a clock."""
