"""Queueing hints: which cluster events may help a pod that a plugin rejected. One file for each plugin.

Each file answers for the events that its plugin listens to (`listens_to`); see `kube/queueing/hint.py`.
"""
