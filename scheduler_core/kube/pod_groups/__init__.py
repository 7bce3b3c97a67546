"""Gangs of kube-scheduler 1.36: pods of a PodGroup are tried together, in one cycle.

`groups.py` says which pods belong together and may be queued, `cycle.py` tries a group on a placement or on
several, `preemption.py` makes room for a group as a whole. All of it stands behind feature gates that are
off.

Source: kubernetes v1.36 pkg/scheduler/schedule_one_podgroup.go, plugins/gangscheduling, topologyaware.
"""
