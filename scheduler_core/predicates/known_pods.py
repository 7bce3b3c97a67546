"""Which pods of a table are still those that were looked at before."""

from collections.abc import Sequence

from scheduler_core.state.pods import PodInfo


def common_start(known: Sequence[PodInfo], infos: Sequence[PodInfo]) -> int:
    """Return how many pods of a table are still those that were known.

    Pods are added and taken back at the end only, so that what differs is at the end.
    """
    length = min(len(known), len(infos))
    while length and known[length - 1] is not infos[length - 1]:
        length -= 1
    return length
