"""Volcano's controllers: jobs, pod groups of other pods, queues, and jobs whose time to live is over."""
