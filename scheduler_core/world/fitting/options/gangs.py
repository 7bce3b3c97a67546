"""Gangs that need fewer pods or promise less, and queues that may give them more."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import ceil
from typing import Any

from scheduler_core.events.sums import Sum
from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import Kind
from scheduler_core.schedulers.cause import Cause
from scheduler_core.schedulers.registry import own_kinds
from scheduler_core.world.edits.operations.set_queue import QUEUE
from scheduler_core.world.fitting.results import Change, ChangeKind, Edit
from scheduler_core.world.fitting.searching import Option
from scheduler_core.world.fitting.wanted import Wanted, amount_of, grain_of, quantity_text

Object = dict[str, Any]
_GROUP = "PodGroup"
_MOST_WEIGHT = 100
_WHOLE = {"m": 1000, "bytes": 1024**3}
"""By unit: what queues are given at a time."""


def options(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    """Yield what a gang's group or its queue may do about a cause."""
    yield from _queue(wanted, cause)
    group = group_of(wanted, cause)
    if group is None:
        return
    for one in _exceeded(cause):
        yield from _promise_less(wanted, group, one)
    least = int(spec_of(group).get("minMember") or 0)
    if least > 1:
        yield Option(
            least - 1,
            lambda step: [wanted.patched_object(group, {"spec": {"minMember": least - step}})],
            lambda step: Change("minimum", wanted.name, before=least, after=least - step),
            lambda step: step / least,
            "gang",
            least=lambda step: least - step,
            pairs=False,
        )


def group_of(wanted: Wanted, cause: Cause) -> Object | None:
    """Return the group of a gang that a cause is about, None where there is none."""
    if cause.gang is None or "/" not in cause.gang.job:
        return None
    namespace, name = cause.gang.job.split("/", 1)
    kinds = sorted(kind for kind in own_kinds() if kind.name == _GROUP)
    found = [one for kind in kinds for one in wanted.world.objects.find(Kind(*kind), namespace, name)]
    return found[0] if found else None


def _exceeded(cause: Cause) -> list[Sum]:
    return [one for one in cause.sums if one.held + one.promised + one.asked > one.allowed]


def _promise_less(wanted: Wanted, group: Object, one: Sum) -> Iterator[Option]:
    promised = (spec_of(group).get("minResources") or {}).get(one.resource)
    if promised is None:
        return
    before = amount_of(one.resource, promised)
    grain, unit = grain_of(one.resource)
    over = -(-ceil(one.held + one.promised + one.asked - one.allowed) // grain)
    yield Option(
        max(1, before // grain),
        lambda step: [
            wanted.patched_object(
                group,
                {
                    "spec": {
                        "minResources": {
                            one.resource: quantity_text(one.resource, max(0, before - step * grain))
                        }
                    }
                },
            )
        ],
        lambda step: Change(
            "promise_less", wanted.name, one.resource, before, max(0, before - step * grain), unit
        ),
        lambda step: min(1.0, step * grain / max(1, before)),
        f"sum {one.resource}",
        hints=(over, over - 1),
    )


def _queue(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    found = wanted.world.objects.find(QUEUE, None, cause.queue) if cause.queue else []
    if not found:
        return
    spec = spec_of(found[0])
    if cause.kind in ("queue", "refused", "gang", "untried"):
        weight = int(spec.get("weight") or 1)
        yield Option(
            _MOST_WEIGHT,
            lambda step: [{"op": "set-queue", "name": cause.queue, "weight": weight + step}],
            lambda step: Change("weight", cause.queue, before=weight, after=weight + step),
            lambda step: step / weight,
            "queue",
        )
    for one in _exceeded(cause):
        for field in ("capability", "deserved", "guarantee"):
            yield from _amount(wanted, cause.queue, spec, field, one)


def _amount(wanted: Wanted, queue: str, spec: Object, field: str, one: Sum) -> Iterator[Option]:
    amounts = spec.get(field) or {}
    amounts = amounts.get("resource") or {} if field == "guarantee" else amounts
    if one.resource not in amounts and field != "guarantee":
        return
    before = amount_of(one.resource, amounts.get(one.resource))
    unit = grain_of(one.resource)[1]
    whole = _WHOLE.get(unit, 1)
    asked = wanted.asked(one.resource) * len(wanted.pods)
    wants = max(asked, ceil(one.held + one.promised + one.asked))
    steps = -(-max(wants, wants - before) // whole)
    if steps < 1:
        return
    kind: ChangeKind = (
        "capability" if field == "capability" else "deserved" if field == "deserved" else "guarantee"
    )
    edit = partial(_set, queue, field, one.resource)
    yield Option(
        steps,
        lambda step: [edit(before + step * whole)],
        lambda step: Change(kind, queue, one.resource, before, before + step * whole, unit),
        lambda step: step * whole / max(before, whole),
        f"queue {one.resource}",
    )


def _set(queue: str, field: str, resource: str, amount: int) -> Edit:
    return {"op": "set-queue", "name": queue, field: {resource: quantity_text(resource, amount)}}
