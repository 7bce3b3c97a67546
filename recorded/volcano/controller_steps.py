"""How the recorded families of Volcano's controllers tell requests, events and writes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.volcano.controllers.kinds import COMMAND, Kind, Object, api_version, new_object, split
from scheduler_core.volcano.controllers.reconcile import Reconcile, Told, Write

Plain = dict[str, Any]


def unknown_step(operation: str) -> BadInput:
    """Return the fault of a case with a step that doesn't exist."""
    return BadInput([Problem("case", "steps.op", f"no step is called {operation!r}")])


def folded(requests: Iterable[Plain]) -> list[Plain] | None:
    """Return requests with equal neighbours as one that says how often; None where there is none."""
    told: list[tuple[Plain, int]] = []
    for request in requests:
        if told and told[-1][0] == request:
            told[-1] = (request, told[-1][1] + 1)
        else:
            told.append((request, 1))
    return [request | {"times": times} if times > 1 else request for request, times in told] or None


def events(done: Iterable[Reconcile]) -> list[Plain] | None:
    """Return the events that were recorded, in order; None where there is none."""
    return [_event(told) for one in done for told in one.told] or None


def _event(told: Told) -> Plain:
    return {
        "message": told.message,
        "object": split(told.key)[1],
        "reason": told.reason,
        "type": told.type,
    }


def writes(done: Iterable[Reconcile]) -> Iterator[Write]:
    """Yield all writes, in order."""
    for one in done:
        yield from one.writes


def write_lines(done: Iterable[Reconcile]) -> list[str] | None:
    """Return the writes as recorded, in order; None where there is none."""
    return [f"{one.verb} {one.kind.name} {split(one.key)[1]}" for one in writes(done)] or None


def command(kind: Kind, namespace: str, target: str, action: str, number: int) -> Object:
    """Return the command object of a step: they are numbered through."""
    item = new_object(COMMAND, namespace, f"{target}-{number}")
    reference = {"apiVersion": api_version(kind), "kind": kind.name, "name": target}
    return item | {"target": reference, "action": action}
