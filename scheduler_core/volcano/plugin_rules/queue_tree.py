"""Queues as a tree: what a queue holds counts for all above it.

Source: volcano v1.16 pkg/scheduler/plugins/capacity/capacity.go buildHierarchicalQueueAttrs.
"""

from __future__ import annotations

from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.queues import ROOT, Queue
from scheduler_core.volcano.model.resource import MAX_FLOAT, MAX_INT64, Resource, exceeded_part, maximum
from scheduler_core.volcano.plugin_rules.queue_shares import QueueShare, guarantee_of


class QueueTree:
    """`ancestors` has the queues above each queue, root first.

    `fault` is why there is none, as a clause, and then nothing can be scheduled: a parent is missing, a queue
    with children has jobs, or there is no root. It is empty for a tree. A circle of queues goes unnoticed: it
    hangs in the air, and nothing fits below it.
    """

    def __init__(self, session: Session) -> None:
        self.shares: dict[str, QueueShare] = {}
        self.ancestors: dict[str, list[str]] = {}
        self._children: dict[str, list[str]] = {}
        self._queues = session.queues
        self.fault = self._place_all() or self._count(session)
        if not self.fault and ROOT not in self.shares:
            self.fault = f"there is no queue {ROOT}"
        if not self.fault:
            self._limit(session.total)

    def _place_all(self) -> str:
        """Find the queues above each; return which has no parent there, as a clause, empty for none."""
        lost = (queue for queue in self._queues.values() if not self._place(queue))
        return next((f"what is above queue {queue.name} is not there" for queue in lost), "")

    def _place(self, queue: Queue) -> bool:
        """Find the queues above a queue; who is asked about already is taken as it is."""
        if queue.name in self.shares:
            return True
        self.shares[queue.name] = _figures(queue)
        self._children[queue.name], self.ancestors[queue.name] = [], []
        if queue.name == ROOT:
            return True
        parent = self._queues.get(queue.parent)
        if parent is None or not self._place(parent):
            return False
        self._children[parent.name].append(queue.name)
        self.ancestors[queue.name] = [*self.ancestors[parent.name], parent.name]
        return True

    def _count(self, session: Session) -> str:
        """Add up what jobs have; return which queue may have none, as a clause, empty for none."""
        for job in session.jobs.values():
            if self._children[job.queue]:
                return f"queue {job.queue}, which has queues below it, has jobs"
            alone = _figures(session.queues[job.queue])
            alone.count(job)
            for name in (job.queue, *self.ancestors[job.queue]):
                one = self.shares[name]
                for figure in ("allocated", "request", "inqueue", "elastic"):
                    getattr(one, figure).add(getattr(alone, figure))
        return ""

    def _limit(self, whole: Resource) -> None:
        root = self.shares[ROOT]
        if root.capability.is_empty:
            scalars = dict.fromkeys(whole.scalars, MAX_INT64) if whole.scalars is not None else None
            root.capability = Resource(MAX_FLOAT, MAX_FLOAT, scalars)
        root.real_capability = root.capability
        self._limit_children(ROOT)

    def _limit_children(self, name: str) -> None:
        """Let children say no more than their parent, and take what others are guaranteed off."""
        one = self.shares[name]
        below = self._children[name]
        children = [self.shares[child] for child in below]
        guaranteed, deserved = Resource(), Resource()
        for child in children:
            child.deserved = maximum(child.deserved, child.guarantee)
            deserved.add(child.deserved)
            guaranteed.add(child.guarantee)
            _inherit(child.capability, one.capability)
        if name == ROOT:
            one.guarantee, one.deserved = guaranteed, deserved
        for child in children:
            child.real_capability = exceeded_part(one.real_capability, guaranteed).add(child.guarantee)
            child.real_capability.lower_to(child.capability, "infinity")
        for queue in below:
            self._limit_children(queue)

    # -- reading -------------------------------------------------------------------------------------

    def is_leaf(self, name: str) -> bool:
        """Return whether a queue has no children."""
        return not self._children[name]

    def ancestor_at(self, name: str, level: int) -> str | None:
        """Return the queue so many levels above, None if the tree ends before."""
        above = self.ancestors[name]
        return above[-level] if len(above) >= level else None

    def common_level(self, left: str, right: str) -> int:
        """Return the depth down to which two queues have the same ancestors."""
        level = 0
        for place, (mine, theirs) in enumerate(
            zip(self.ancestors[left], self.ancestors[right], strict=False)
        ):
            if mine != theirs:
                break
            level = place
        return level

    def branches(self, left: str, right: str) -> tuple[str, str]:
        """Return the queues below the last common ancestor under which each of two queues is."""
        below = self.common_level(left, right) + 1
        mine, theirs = self.ancestors[left], self.ancestors[right]
        return (
            mine[below] if below < len(mine) else left,
            theirs[below] if below < len(theirs) else right,
        )

    def ancestor_that_parts(self, name: str, other: str, level: int) -> str | None:
        """Return the ancestor at a level, None if it is root, missing, or the other's too."""
        ancestor = self.ancestor_at(name, level)
        if ancestor is None or ancestor == ROOT or ancestor == self.ancestor_at(other, level):
            return None
        return ancestor


def _figures(queue: Queue) -> QueueShare:
    spec = queue.source.spec
    return QueueShare(
        queue, Resource.of(spec.deserved), guarantee_of(queue), capability=Resource.of(spec.capability)
    )


def _inherit(capability: Resource, parent: Resource) -> None:
    for name in ("cpu", "memory"):
        if capability.get(name) <= 0:
            setattr(capability, name, parent.get(name))
    for name, amount in (parent.scalars or {}).items():
        if name not in (capability.scalars or {}):
            capability.add_scalar(name, amount)
