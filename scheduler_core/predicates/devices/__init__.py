"""Which devices a pod's claims would get on a node: the structured allocator of dynamic resource allocation.

`allocator.py` is asked node by node; `pools.py` says which devices a node sees, `search.py` looks for a way
to give each request its devices, and the other modules each hold one thing that a device must have.

Source: kubernetes v1.36 dynamic-resource-allocation/structured, the allocator called "incubating".
"""
