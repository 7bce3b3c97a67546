"""The cluster's own controllers: pods that come back, go or end, and evictions within budgets."""
