"""A run's log in buckets of equal length: `timeline` in `dashboard/queries/log.py`."""

from typing import TypedDict

Bucket = TypedDict("Bucket", {"from": int, "to": int, "counts": dict[str, int]})
"""How many decisions there were by outcome, from one number to another, both included."""


class Timeline(TypedDict):
    """The buckets, and the numbers of the decisions that evict somebody for a pod.

    preemptions_cut: whether there are more of them than are listed.
    """

    decisions: int
    buckets: list[Bucket]
    preemptions: list[int]
    preemptions_cut: bool
