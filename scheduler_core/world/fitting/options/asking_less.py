"""Pods that ask for less, or for less particular nodes."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any, TypeVar

from scheduler_core.schedulers.cause import Cause, Held
from scheduler_core.world.edits.operations.taints import SICK, parse_taint
from scheduler_core.world.fitting.results import Change, ChangeKind
from scheduler_core.world.fitting.searching import Option
from scheduler_core.world.fitting.wanted import Wanted, grain_of
from scheduler_core.world.setting_up.companions import build_all

Object = dict[str, Any]
Given = TypeVar("Given")
HALF = 0.5
"""The size of a change that has no number: a rule that is dropped, a taint that is tolerated."""
_REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_MOST_TAINTS = 4


def options(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    """Yield what the pods themselves may do about a cause, what binds before all."""
    if cause.kind == "gated" and wanted.spec.get("schedulingGates"):
        yield _patch(wanted, "ungate", "", {"schedulingGates": None}, "gates")
    if cause.kind == "unserved":
        yield from _scheduler(wanted)
    for resource, about, free in _short(wanted, cause):
        yield from ask_less(wanted, resource, about, free)
    for held in cause.held:
        yield from _of_held(wanted, held)


def ask_less(wanted: Wanted, resource: str, about: str, free: int | None = None) -> Iterator[Option]:
    """Yield the change to ask for less of a resource; with `free` of it the first pod is likely to fit."""
    asked = wanted.asked(resource)
    grain, unit = grain_of(resource)
    steps = -(-asked // grain) - 1  # something is still asked for
    if steps < 1:
        return

    def left(step: int) -> int:
        return asked - step * grain if asked % grain == 0 else (asked // grain + 1 - step) * grain

    short = 0 if free is None else -(-(asked - free) // grain)
    yield Option(
        steps,
        lambda step: wanted.asking(resource, left(step)),
        lambda step: Change("ask_less", wanted.name, resource, asked, left(step), unit),
        lambda step: (asked - left(step)) / asked,
        about,
        hints=(short, short - 1) if short > 0 else (),
    )


def _short(wanted: Wanted, cause: Cause) -> Iterator[tuple[str, str, int | None]]:
    """Yield resources that are short, for what, and how much is free where it is nearest."""
    for held in cause.held:
        if held.figure is not None and held.figure.what != "pods":
            yield held.figure.what, about_of(held), held.figure.free
        elif takes_less(held) and (held.cards or held.looked_at or held.lacks):
            for resource in wanted.resources():
                if resource not in ("cpu", "memory", "ephemeral-storage"):
                    yield resource, f"{about_of(held)} {resource}", None
    for one in cause.sums:
        if one.held + one.promised + one.asked > one.allowed:
            yield one.resource, f"sum {one.resource}", None


def about_of(held: Held) -> str:
    """Return what tells one thing that stands against pods from another."""
    return f"{held.plugin} {held.reason}".strip()


def _of_held(wanted: Wanted, held: Held) -> Iterator[Option]:
    about = about_of(held)
    if held.plugin in ("TaintToleration", "PodToleratesNodeTaints"):
        for taint in list(held.particulars)[:_MOST_TAINTS]:
            if not taint.startswith(SICK):
                yield _tolerate(wanted, taint, about)
    elif held.plugin in ("NodeAffinity", "MatchNodeSelector", "GeneralPredicates"):
        yield from _selectors(wanted, held, about)
    elif held.plugin in ("InterPodAffinity", "MatchInterPodAffinity"):
        yield from _pod_affinities(wanted, about)
    elif held.plugin in ("PodTopologySpread", "EvenPodsSpread"):
        yield from _spreads(wanted, about)
    if held.lacks or held.cards:
        yield from _wishes(wanted, about)


def takes_less(held: Held) -> bool:
    """Return whether cards may do for a pod that asks for fewer, or for less of each."""
    return not held.lacks or any(one.takes_less for one in held.lacks)


def _wishes(wanted: Wanted, about: str) -> Iterator[Option]:
    for key, text in wanted.card_wishes.items():
        edits, change = wanted.without_wish(key), Change("drop_wish", wanted.name, f"{key}={text}")
        yield Option(
            1, partial(_given, edits), partial(_given, change), partial(_given, HALF), f"{about} {key}"
        )


def _given(value: Given, step: int) -> Given:
    """Return what a change comes to that has but one step."""
    return value


def _patch(wanted: Wanted, kind: ChangeKind, what: str, patch: Object, about: str) -> Option:
    edits, change = wanted.patched(patch), Change(kind, wanted.name, what)
    return Option(1, lambda _: edits, lambda _: change, lambda _: HALF, about)


def _tolerate(wanted: Wanted, taint: str, about: str) -> Option:
    read = parse_taint(taint, "taint")
    operator = {"operator": "Equal", "value": read["value"]} if read.get("value") else {"operator": "Exists"}
    toleration = {"key": read["key"], **operator, "effect": read["effect"]}
    tolerations = [*(wanted.spec.get("tolerations") or ()), toleration]
    return _patch(wanted, "tolerate", taint, {"tolerations": tolerations}, f"{about} {taint}")


def _selectors(wanted: Wanted, held: Held, about: str) -> Iterator[Option]:
    selector = wanted.spec.get("nodeSelector") or {}
    lacking = [entry for entry in held.particulars if entry.partition("=")[0] in selector]
    for entry in lacking:
        yield _patch(wanted, "drop_selector", entry, {"nodeSelector": {entry.partition("=")[0]: None}}, about)
    affinity = (wanted.spec.get("affinity") or {}).get("nodeAffinity") or {}
    patch: Object = {"nodeSelector": None} if selector else {}
    if affinity.get(_REQUIRED):
        patch["affinity"] = {"nodeAffinity": {_REQUIRED: None}}
    if patch and (len(selector) > 1 or "affinity" in patch or not lacking):
        yield _patch(wanted, "drop_selector", "", patch, about)


def _pod_affinities(wanted: Wanted, about: str) -> Iterator[Option]:
    for what in ("podAntiAffinity", "podAffinity"):
        if ((wanted.spec.get("affinity") or {}).get(what) or {}).get(_REQUIRED):
            yield _patch(wanted, "drop_affinity", what, {"affinity": {what: {_REQUIRED: None}}}, about)


def _spreads(wanted: Wanted, about: str) -> Iterator[Option]:
    spreads = wanted.spec.get("topologySpreadConstraints") or []
    for place, one in enumerate(spreads):
        if one.get("whenUnsatisfiable", "DoNotSchedule") != "DoNotSchedule":
            continue
        yield _wider(wanted, spreads, place, about)
        kept = [*spreads[:place], {**one, "whenUnsatisfiable": "ScheduleAnyway"}, *spreads[place + 1 :]]
        patch = {"topologySpreadConstraints": kept}
        yield _patch(wanted, "drop_spread", str(one.get("topologyKey")), patch, about)


def _wider(wanted: Wanted, spreads: list[Object], place: int, about: str) -> Option:
    one = spreads[place]
    skew = int(one.get("maxSkew", 1))

    def patch(step: int) -> Object:
        wider = {**one, "maxSkew": skew + step}
        return {"topologySpreadConstraints": [*spreads[:place], wider, *spreads[place + 1 :]]}

    key = str(one.get("topologyKey"))
    return Option(
        max(1, len(wanted.uids)),
        lambda step: wanted.patched(patch(step)),
        lambda step: Change("relax_spread", wanted.name, key, skew, skew + step),
        lambda step: step / (skew + step),
        about,
    )


def _scheduler(wanted: Wanted) -> Iterator[Option]:
    made = build_all(wanted.world.run_input).values()
    for name in [name for one in made for name in one.serves][:1]:
        yield _patch(wanted, "scheduler", name, {"schedulerName": name}, "scheduler")
