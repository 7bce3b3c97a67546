"""Clusters on which Volcano's gangs, queues and priorities are seen, beside kube-scheduler."""
