"""Volcano's controllers: jobs, pod groups of other pods, queues, and jobs whose time to live is over.

They know the cluster by `informers.py` and change it through an `api_client.py`, of which `memory_api.py` is
one in memory. `manager.py` lets them act in turn; each piece of work comes out as a `reconcile.py` value.
"""
