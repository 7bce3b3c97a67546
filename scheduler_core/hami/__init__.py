"""HAMi v2.10.0: an extender of kube-scheduler that hands out slices of cards; recorded at 4707fb02."""
