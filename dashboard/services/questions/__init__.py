"""Questions about a cluster that workers answer, one module for each kind, and how all are asked."""
