"""A session's steps in full: every node's refusal and points, and why one thing comes before another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from scheduler_core.events.decisions import Status
from scheduler_core.events.session_explanation import (
    Compared,
    NodePoints,
    OrderAnswer,
    OrderInFull,
    StepInFull,
)
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Step, Try
from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import Task, before

_DIGITS = 6
_FUNCTIONS: dict[Compared, str] = {"queue": "queue_order", "job": "job_order", "pod": "task_order"}


@dataclass
class Points:
    """Notes what each plugin gives to nodes, as a session scores them for a task."""

    session: Session
    of_node: dict[str, NodePoints] = field(default_factory=dict)

    def __call__(self, task: Task, nodes: Rows, totals: Floats) -> None:
        """Ask the plugins once more, each for itself."""
        by_plugin: dict[str, Any] = {}
        for function in ("node_order", "batch_node_order"):
            for tier in self.session.tiers(function):
                for name, ask in tier:
                    said = ask(task, nodes)
                    if said is not None:
                        by_plugin[name] = by_plugin.get(name, 0.0) + said
        for place, row in enumerate(nodes.tolist()):
            points = {name: round(float(said[place]), _DIGITS) for name, said in by_plugin.items()}
            name = self.session.nodes.names[row]
            self.of_node[name] = NodePoints(points, round(float(totals[place]), _DIGITS))


def step_in_full(step: Step, points: Points) -> StepInFull:
    """Return what the log leaves out of a step that was just taken."""
    if not isinstance(step, Try):
        return StepInFull()
    fits = dict.fromkeys([*points.of_node, *([step.node] if step.node else [])])
    refused = step.errors.nodes if step.errors is not None else {}
    seen: dict[str, Status | None] = {**{name: _status(why) for name, why in refused.items()}, **fits}
    return StepInFull(dict(sorted(seen.items())), dict(sorted(points.of_node.items())))


def _status(why: Refusals) -> Status:
    first = why[0]
    return Status(first.plugin, first.code, [refusal.reason for refusal in why])


def order_in_full(session: Session, of: Compared, first: str, second: str) -> OrderInFull:
    """Return why one of two comes before the other now. Raises KeyError for one that is not there."""
    left, right = _find(session, of, first), _find(session, of, second)
    answers, decided_by, left_is_first = [], "", True
    for number, tier in enumerate(session.tiers(_FUNCTIONS[of])):
        for plugin, ask in tier:
            if decided_by:
                answers.append(OrderAnswer(number, plugin, "not asked"))
                continue
            said = ask(left, right)
            answers.append(
                OrderAnswer(number, plugin, "neutral" if said == 0 else "first" if said < 0 else "second")
            )
            if said != 0:
                decided_by, left_is_first = plugin, said < 0
    if not decided_by:
        decided_by, left_is_first = _at_last(left, right)
    return OrderInFull(of, first, second, answers, first if left_is_first else second, decided_by)


def _find(session: Session, of: Compared, name: str) -> Any:
    if of == "queue":
        return session.queues[name]
    if of == "job":
        return session.jobs[name]
    found = next((job.tasks[name] for job in session.jobs.values() if name in job.tasks), None)
    if found is None:
        raise KeyError(name)
    return found


def _at_last(left: Any, right: Any) -> tuple[str, bool]:
    """Return what tells two apart that all plugins take for equal, and whether the left comes first."""
    if isinstance(left, Task):
        if left.index is not None and right.index is not None and left.index != right.index:
            return "number", before(left, right)
        return "creation" if left.created != right.created else "uid", before(left, right)
    assert isinstance(left, Queue | Job)
    if left.created != right.created:
        return "creation", left.created < right.created
    if isinstance(left, Queue):
        return "name", left.name <= right.name
    return "uid", left.uid <= right.uid
