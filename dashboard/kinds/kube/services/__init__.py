"""What is worked out of kube-scheduler's own objects for pages."""
