"""Cases of kube-scheduler: attempts, its queue, releases before the framework, runs in virtual time."""
