"""HAMi as a kube-scheduler's extender, over the cluster of a scenario.

These addresses are no part of the REST interface: what goes in and out are Kubernetes' own types, and nobody
comes in by a browser's session. A scheduler asks about every pod that it places, so that Django's middleware
and REST's views are left out of the way: `door` takes questions in and lets those that wait go together,
`answering` says who may ask and answers a batch, and each of `verbs` reads one body and words one answer.
"""
