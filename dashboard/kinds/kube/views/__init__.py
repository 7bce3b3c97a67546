"""Pages of kube-scheduler's own objects."""
