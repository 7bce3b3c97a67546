"""The predicates of kube-scheduler 1.8 to 1.13: who may run where, each by its own name, over all nodes."""
