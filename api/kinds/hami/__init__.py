"""What REST has of HAMi, and the extender that kube-schedulers ask."""
