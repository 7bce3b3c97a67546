"""HAMi v2.10.0: slices of cards, handed out by an extender of kube-scheduler. The commit recorded is 4707fb02."""
