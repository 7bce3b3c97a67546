"""Clusters on which Volcano's gangs, queues and priorities are seen, and how kube-scheduler does with them."""
