"""HAMi for kube-schedulers elsewhere: a cluster of its own, and the questions over the wire."""
