"""What happened to a pod in a run: `dashboard/queries/lives.py`."""

from typing import TypedDict


class PodEvent(TypedDict):
    """Something that happened to a pod, null where nothing applies.

    what: attempt, evicted, gone, refused, skipped, nomination lost, created, replaced; of sessions placement,
    bound, taken back, told. `gone` is said of pods that were evicted with a grace period, `told` of what a
    session writes into the pod as it closes. other: the uid of the evicted pod that it was created to
    replace, or of the pod that replaces it.
    """

    seq: int
    uid: str
    what: str
    outcome: str | None
    node: str | None
    by: str | None
    message: str | None
    attempt: int | None
    other: str | None
