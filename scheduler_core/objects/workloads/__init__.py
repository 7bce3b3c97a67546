"""Workloads: the pods that controllers make, and the budgets and claims around them."""
