"""What the product says of kube-scheduler."""
