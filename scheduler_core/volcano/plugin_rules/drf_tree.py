"""drf over a tree of queues: shares are made even level by level, from the root down to the jobs.

Source: volcano v1.16 pkg/scheduler/plugins/drf/drf.go buildHierarchy, updateHierarchicalShare, compareQueues.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import dataclass, field

from scheduler_core.go.parse import parse_float
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import Resource, total

PATH, WEIGHTS = "volcano.sh/hierarchy", "volcano.sh/hierarchy-weights"
"""The annotations of a queue: where it is in the tree, and the weight of each level, divided by slashes."""

ShareOf = Callable[[Resource], tuple[str, float]]


@dataclass
class Branch:
    """A level of the tree, or a job at its end, which has a `request` and no `children`."""

    weight: float = 1.0
    allocated: Resource = field(default_factory=Resource)
    share: float = 0.0
    saturated: bool = False
    request: Resource | None = None
    children: dict[str, Branch] = field(default_factory=dict)

    @property
    def by_weight(self) -> float:
        """The share that counts beside others."""
        return self.share / self.weight


class DrfTree:
    """`whole` is the cluster; `used` what all jobs of the tree hold together."""

    def __init__(self, whole: Resource, share_of: ShareOf) -> None:
        self._whole = whole
        self._share_of = share_of
        self._root = Branch()
        self.used = Resource()

    def copy(self) -> DrfTree:
        """Return a copy, on which may be tried what would be."""
        made = DrfTree(self._whole, self._share_of)
        made._root, made.used = copy.deepcopy(self._root), self.used.clone()
        return made

    def put(self, job: Job, queue: Queue, allocated: Resource) -> None:
        """Put a job with what it holds into its place, and measure the tree anew."""
        branch = self._root
        weights = _levels(queue, WEIGHTS)
        for level, name in list(enumerate(_levels(queue, PATH)))[1:]:
            if name not in branch.children:
                branch.children[name] = Branch(_weight(weights, level))
            branch = branch.children[name]
        request = total(task.request for task in job.tasks.values())
        share = self._share_of(allocated)[1]
        branch.children[job.uid] = Branch(allocated=allocated.clone(), share=share, request=request)
        wanting = {name for name in self._whole.names() if self.used.get(name) < self._whole.get(name)}
        self._measure(self._root, wanting)

    def _measure(self, branch: Branch, wanting: set[str]) -> None:
        if branch.request is not None:
            branch.saturated = _is_saturated(branch.allocated, branch.request, wanting)
            return
        least = 1.0
        for child in branch.children.values():
            self._measure(child, wanting)
            if child.share != 0 and not child.saturated:
                least = min(least, self._share_of(child.allocated)[1])
        branch.allocated = Resource()
        for child in branch.children.values():
            if child.share != 0:
                part = child.allocated.clone()
                branch.allocated.add(part if child.saturated else part.times(least / child.share))
        branch.share = self._share_of(branch.allocated)[1]
        branch.saturated = all(child.saturated for child in branch.children.values())

    def compare(self, left: Queue, right: Queue) -> float:
        """Return below 0 if the left comes first: not who can't have more, then the lower share by weight."""
        mine, theirs = self._root, self._root
        paths = _levels(left, PATH), _levels(right, PATH)
        depth = min(map(len, paths))
        for level in range(depth):
            if mine.saturated != theirs.saturated:
                return 1 if mine.saturated else -1
            if mine.by_weight != theirs.by_weight:
                return mine.by_weight - theirs.by_weight
            if level < depth - 1:
                mine = mine.children.get(paths[0][level + 1], Branch())
                theirs = theirs.children.get(paths[1][level + 1], Branch())
        return 0


def _levels(queue: Queue, key: str) -> list[str]:
    return (annotation(queue.source.metadata, key) or "").split("/")


def _weight(weights: list[str], level: int) -> float:
    """Return a level's weight, 1 at least; what is no number is none."""
    try:
        return max(parse_float(weights[level]), 1.0)
    except (ValueError, IndexError):
        return 1.0


def _is_saturated(allocated: Resource, request: Resource, wanting: set[str]) -> bool:
    """Return whether a job holds all that it asks of a resource, or asks for one that is used up."""
    for name in allocated.names():
        asked = request.get(name)
        if asked != 0 and (allocated.get(name) >= asked or name not in wanting):
            return True
    return False
