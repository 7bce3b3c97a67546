"""nodegroup: a queue's pods go to nodes of the groups that its affinity names, within its limits there.

Source: volcano v1.16 pkg/scheduler/plugins/nodegroup/nodegroup.go, errors.go.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import msgspec
import numpy as np

from scheduler_core.objects.types import ResourceList
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.custom_resources import NodeGroupRules, QueueAffinity, annotation
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.queues import ROOT
from scheduler_core.volcano.model.resource import LEAST, Resource
from scheduler_core.volcano.model.tasks import HOLDING, Task

GROUP = "volcano.sh/nodegroup-name"
LIMITS = "volcano.sh/nodegroup-resource-limits"
_BASE = 100.0


def _no(reason: str) -> Refusals:
    return (Refusal("UnschedulableAndUnresolvable", reason, "nodegroup"),)


_NO_RULES = _no("node group affinity not specified")
_NO_LABEL = _no("node group label not found")
_UNSATISFIED = _no("node does not satisfy the node group affinity")
_BAD_LIMITS = _no("node group resource limit annotation invalid")
_EXCEEDED = _no("node group resource limit exceeded")


@dataclass
class _Rules:
    """What holds for a queue's pods: group names, and by group its limits and what it has there.

    `limits` is None where the annotation can't be read.
    """

    affinity: QueueAffinity | None
    limits: dict[str, ResourceList] | None
    held: dict[str, Resource] = field(default_factory=dict)

    @property
    def parts(self) -> tuple[NodeGroupRules, NodeGroupRules]:
        """Return affinity and anti-affinity."""
        affinity = self.affinity or QueueAffinity()
        return affinity.node_group_affinity or _NONE, affinity.node_group_anti_affinity or _NONE

    @property
    def is_empty(self) -> bool:
        """Whether no group is named at all."""
        return not any(part.required or part.preferred for part in self.parts)

    def suits(self, group: str) -> bool:
        """Return whether nodes of a group are for the queue; preferred anti-affinity is looked at last."""
        near, far = self.parts
        wanted = group in near.required or group in near.preferred
        return (wanted and group not in far.required) or group in far.preferred

    def score(self, group: str, *, by_order: bool) -> float:
        """Return how much a group is wanted."""
        near, far = self.parts
        if group in far.preferred:
            return -1.0
        score = _BASE if group in near.required else 0.0
        if group in near.preferred:
            places = {name: place for place, name in enumerate(near.preferred)}
            left = (len(places) - places[group]) / len(places) if by_order else 1.0
            score += 0.5 * _BASE * left
        return score

    def exceeds(self, group: str, task: Task) -> bool:
        """Return whether the queue would have more on the group's nodes than it may, with this task."""
        limit = (self.limits or {}).get(group)
        if limit is None:
            return False
        used = self.held.get(group, Resource()).clone().add(task.request)
        most = Resource.of(limit)
        return any(used.get(name) - most.get(name) >= LEAST for name in limit)


_NONE = NodeGroupRules()


class Nodegroup(Plugin):
    """`strict`: a node without a group fits nobody."""

    name = "nodegroup"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._strict = option.arguments.boolean("strict", True)
        self._by_order = option.arguments.boolean("enablePreferredOrder", False)
        objects = session.state.nodes.objects
        self._groups = [(node.metadata.labels or {}).get(GROUP) for node in objects]
        self._rules = {name: _Rules(None, _limits(session, name)) for name in session.queues}
        inherits = session.has_hierarchy(self.name)
        for name, rules in self._rules.items():
            rules.affinity = self._affinity(name, inherits=inherits)
        for job in session.jobs.values():
            for status in HOLDING:
                for task in job.of(status):
                    self._hold(task)

    def _affinity(self, queue: str, *, inherits: bool) -> QueueAffinity | None:
        """Return a queue's own affinity, or else that of its nearest ancestor that has one."""
        queues, seen = self.session.queues, set[str]()
        while queue in queues and queue not in seen:
            affinity = queues[queue].source.spec.affinity
            if affinity is not None or not inherits or queue == ROOT:
                return affinity
            seen.add(queue)
            queue = queues[queue].parent
        return None

    def by_node(self, task: Task) -> bool:
        """Limits count what the queue has on all nodes of the group."""
        return self._of(task).limits == {}

    def class_part(self, task: Task) -> object:
        return self.session.jobs[task.job].queue

    def _of(self, task: Task) -> _Rules:
        return self._rules[self.session.jobs[task.job].queue]

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return by node why it is not for the task's queue; no eviction helps against any of it."""
        rules = self._of(task)
        refusals = ((row, self._refusal(rules, task, self._groups[row])) for row in rows.tolist())
        return {row: refusal for row, refusal in refusals if refusal}

    def _refusal(self, rules: _Rules, task: Task, group: str | None) -> Refusals:
        if rules.limits is None:
            return _BAD_LIMITS
        if group is None:
            return () if rules.is_empty and not self._strict else _NO_LABEL
        if rules.is_empty:
            return _NO_RULES
        if not rules.suits(group):
            return _UNSATISFIED
        return _EXCEEDED if rules.exceeds(group, task) else ()

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return how much the nodes' groups are wanted, shape (rows,)."""
        rules = self._of(task)
        groups = [self._groups[row] for row in rows.tolist()]
        if rules.affinity is None:
            return np.zeros(len(rows))
        scores = {
            group: rules.score(group, by_order=self._by_order) for group in set(groups) if group is not None
        }
        return np.array([0.0 if group is None else scores[group] for group in groups])

    def allocated(self, task: Task) -> str | None:
        self._hold(task)
        return None

    def deallocated(self, task: Task) -> None:
        group = self._group_of(task)
        held = None if group is None else self._of(task).held.get(group)
        if held is not None:
            held.sub(task.request)

    def _hold(self, task: Task) -> None:
        group = self._group_of(task)
        if group is not None:
            self._of(task).held.setdefault(group, Resource()).add(task.request)

    def _group_of(self, task: Task) -> str | None:
        row = self.session.nodes.row.get(task.node)
        return None if row is None else self._groups[row]


def _limits(session: Session, queue: str) -> dict[str, ResourceList] | None:
    """Return what a queue's annotation limits by group, None where it can't be read."""
    text = annotation(session.queues[queue].source.metadata, LIMITS)
    if not text:
        return {}
    try:
        limits = msgspec.json.decode(text, type=dict[str, ResourceList | None] | None) or {}
        for limit in limits.values():
            Resource.of(limit)
    except ValueError:
        return None
    return {group: limit or {} for group, limit in limits.items()}
