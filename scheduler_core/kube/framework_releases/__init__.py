"""The releases of kube-scheduler since the scheduling framework: a module for each, with its differences."""
