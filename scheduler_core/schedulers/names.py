"""The name of the kind of scheduler that every cluster has, and the packages that bring others."""

BASE = "kube-scheduler"
packages: list[str] = []
"""Names of packages outside of the engine, each with a module `kind`; `registry.add` adds one later."""
