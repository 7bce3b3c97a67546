"""What a trial says: what its edits did, what became of pods, who was evicted for whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from scheduler_core.events.decided import PodRef
from scheduler_core.schedulers.actor import EndedBy
from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.edits.results import EditResult


class TriedPod(msgspec.Struct, frozen=True):
    """What became of a pod: it has a `node`, waits for a `cause`, or is `gone`.

    workload: `Kind/namespace/name` of its topmost known controller, or empty. replaces: the uid of the
    evicted pod whose copy it is, or empty. cause: None where the pod doesn't wait, or nobody wants to know.
    """

    pod: PodRef
    workload: str = ""
    node: str = ""
    gone: bool = False
    replaces: str = ""
    cause: Cause | None = None


class TriedEviction(msgspec.Struct, frozen=True):
    """A pod that was asked to go, by decision number `decision`.

    workload: as a TriedPod's; of a pod without a controller its pod group, `PodGroup/namespace/name`.
    node: where it was. by: the uid of the pod that evicts it, empty where an edit asks for it or a job does.
    job: the job that evicts it (`namespace/name`), or empty. violates: its loss violates a budget. asked: an
    edit asked for it.
    """

    pod: PodRef
    workload: str
    node: str
    decision: int
    by: str = ""
    job: str = ""
    violates: bool = False
    asked: bool = False


class TriedRefusal(msgspec.Struct, frozen=True):
    """An eviction that an edit asked for and did not get until the end."""

    pod: PodRef
    workload: str
    node: str
    decision: int
    message: str


class TrialResult(msgspec.Struct, frozen=True):
    """What a trial says; the same as a whole run with these edits says.

    edits: what each did. pods: those that are new and those that were asked for, in the order of the
    cluster. pending: uids of all pods without a node at the end. placed: how many were put on a node.
    decisions: how many there were. ended_by: `stopped` where somebody ended it, or it had as many decisions
    as it may; then it says what was found until then.
    """

    edits: list[EditResult]
    pods: list[TriedPod]
    evictions: list[TriedEviction]
    refusals: list[TriedRefusal]
    pending: list[str]
    placed: int
    decisions: int
    ended_by: EndedBy | Literal["stopped"]

    @property
    def violations(self) -> list[TriedEviction]:
        """The evictions that violate a budget."""
        return [one for one in self.evictions if one.violates]

    def evicted_by_workload(self) -> dict[str, int]:
        """Return how many pods of each workload were evicted, the most first; bare pods have an empty one."""
        counts: dict[str, int] = {}
        for one in self.evictions:
            counts[one.workload] = counts.get(one.workload, 0) + 1
        return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def by_workload(evictions: Iterable[TriedEviction]) -> dict[str, int]:
    """Return how many pods of each workload were asked to go, most first, then by name."""
    counts = Counter(one.workload for one in evictions)
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
