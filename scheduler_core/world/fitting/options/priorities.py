"""Pods that may evict others: of a higher priority, or with leave to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scheduler_core.objects.identity import name_of
from scheduler_core.objects.kinds import PRIORITY_CLASS
from scheduler_core.schedulers.cause import Cause, cards_are_held
from scheduler_core.world.fitting.options.asking_less import HALF
from scheduler_core.world.fitting.options.gangs import group_of
from scheduler_core.world.fitting.results import Change, Edit
from scheduler_core.world.fitting.searching import Option
from scheduler_core.world.fitting.wanted import Wanted
from scheduler_core.world.trials.warm_world import adding

Object = dict[str, Any]
HIGHEST = 1_000_000_000
"""No priority class of users' may have more."""


def options(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    """Yield the lowest priority with which pods fit, and leave to evict for those that may not."""
    if cause.kind not in ("nodes", "gang", "queue", "untried"):
        return
    if not cards_are_held(cause):
        return
    if wanted.spec.get("preemptionPolicy") == "Never":
        edits = wanted.patched({"preemptionPolicy": "PreemptLowerPriority"})
        change = Change("preempt", wanted.name)
        yield Option(1, lambda _: edits, lambda _: change, lambda _: HALF, "priority")
    levels = _levels(wanted)
    if levels:
        own = wanted.priority
        yield Option(
            len(levels),
            lambda step: _raised(wanted, cause, levels[step - 1]),
            lambda step: _told(wanted, own, levels[step - 1]),
            lambda _: HALF,
            "priority",
        )


def _levels(wanted: Wanted) -> list[tuple[int, str]]:
    """Return priorities that let pods evict more than a lower one does, each with a class if there is one.

    Those are the classes there are, and each that is just above that of pods with a node.
    """
    state, own = wanted.world.simulation.cluster, wanted.priority
    nodes = state.pod_changes.node
    held = {info.priority for row, info in enumerate(state.pods.infos) if nodes[row]}
    classes: dict[int, str] = {}
    for one in sorted(wanted.world.objects.of_kind(PRIORITY_CLASS), key=name_of):
        if one.get("preemptionPolicy") != "Never":
            classes.setdefault(int(one.get("value") or 0), name_of(one))
    above = {priority + 1 for priority in held if priority >= own}
    levels = sorted({*above, *(value for value in classes if value > own)})
    return [(value, classes.get(value, "")) for value in levels if own < value <= HIGHEST]


def _class_name(value: int) -> str:
    return f"priority-{value}".replace("--", "-minus-")


def _raised(wanted: Wanted, cause: Cause, level: tuple[int, str]) -> list[Edit]:
    value, name = level
    edits: list[Edit] = []
    if not name:
        name = _class_name(value)
        kind = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
        edits = [adding([{**kind, "metadata": {"name": name}, "value": value}])]
    number = None if wanted.has_template else value
    edits += wanted.patched({"priorityClassName": name, "priority": number, "preemptionPolicy": None})
    group = group_of(wanted, cause)
    if group is not None:
        edits.append(wanted.patched_object(group, {"spec": {"priorityClassName": name}}))
    return edits


def _told(wanted: Wanted, own: int, level: tuple[int, str]) -> Change:
    value, name = level
    return Change("priority", wanted.name, name or _class_name(value), own, value, new=not name)
