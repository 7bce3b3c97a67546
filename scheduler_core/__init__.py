"""Sandtable's engine: the decisions of cluster schedulers, as pure functions of their input.

Nothing in this package reads a clock, a file, a socket or a global random source. What comes in is a
cluster (Kubernetes objects), a scheduler configuration and a seed; what goes out is a sequence of
decisions as described in `scheduler_core.events.decisions`.
"""

ENGINE_VERSION = "20"
"""Changes whenever the same input may give another log: runs of another version are not continued."""
