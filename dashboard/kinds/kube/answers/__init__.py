"""What is said of kube-scheduler's own objects."""
