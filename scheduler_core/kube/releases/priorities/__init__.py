"""The priority functions of kube-scheduler 1.8 to 1.13: scores from 0 to 10, each by its own name."""
