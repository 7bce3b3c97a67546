"""Preemption: the dry run, the budgets, the choice of a node."""
