"""kube-scheduler: queue, framework, plugins, preemption and the scheduling cycle."""
