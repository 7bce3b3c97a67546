"""What a rehearsal is asked: which nodes, in which order, how many at a time, and the edits that play it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import msgspec

from scheduler_core.objects.node_groups import in_group, parse_group, zone_of
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.selector_text import parse_selector
from scheduler_core.objects.selectors import matches
from scheduler_core.objects.suggestions import did_you_mean
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.run_input import LATEST, SHORTEST_SECONDS

Edit = dict[str, Any]
Order = Literal["given", "zone", "name"]

BACK_SECONDS = 180.0
"""After so long an emptied node is back, unless somebody says otherwise."""
TIMEOUT_SECONDS = 300.0
"""For so long a node is drained, unless somebody says otherwise."""
MOST_SURGE = 100


class Plan(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An upgrade of nodes: `nodes` by name, or those of a `selector` or a `group`; exactly one is given.

    together: how many nodes at a time. order: as given, by zone and name, or by name. surge: how many new
    nodes, like the first one, are there before. timeout: seconds after which a node is given up. back:
    seconds from empty to back; None: it is given back for good. before: edits at the start, such as one
    replica more.
    """

    nodes: list[str] | None = None
    selector: str | None = None
    group: str | None = None
    together: int = 1
    order: Order = "given"
    surge: int = 0
    timeout: float = TIMEOUT_SECONDS
    back: float | None = BACK_SECONDS
    before: list[Edit] = []


class PlannedNode(NamedTuple):
    """A node, and the zone that its labels name."""

    name: str
    zone: str


def read_plan(asked: Any) -> Plan:
    """Return what was asked as a plan. Raises BadInput."""
    try:
        plan = msgspec.convert(asked, Plan)
    except msgspec.ValidationError as error:
        raise _bad("", str(error)) from None
    given = [name for name in ("nodes", "selector", "group") if getattr(plan, name)]
    if len(given) != 1:
        raise _bad("nodes", "give nodes, selector or group: exactly one of them")
    if plan.together < 1:
        raise _bad("together", "must be 1 node at a time, or more")
    if not 0 <= plan.surge <= MOST_SURGE:
        raise _bad("surge", f"must be from 0 to {MOST_SURGE} nodes")
    for name in ("timeout", "back"):
        seconds = getattr(plan, name)
        if seconds is not None and not (math.isfinite(seconds) and SHORTEST_SECONDS <= seconds <= LATEST):
            raise _bad(name, f"must be seconds from {SHORTEST_SECONDS} to {LATEST:,}")
    return plan


def planned_nodes(plan: Plan, state: ClusterState) -> list[PlannedNode]:
    """Return the nodes in the order in which they are drained. Raises BadInput."""
    labels = {one.metadata.name: dict(one.metadata.labels or {}) for one in state.nodes.objects}
    if plan.nodes:
        names = list(dict.fromkeys(plan.nodes))
        if missing := [name for name in names if name not in labels]:
            meant = did_you_mean(missing[0], labels) if len(missing) == 1 else ""
            raise _bad("nodes", f"there is no Node {', '.join(missing[:6])}{meant}")
    else:
        field, text = ("selector", plan.selector) if plan.selector else ("group", plan.group)
        is_meant = _meant(field, str(text))
        names = sorted(name for name, found in labels.items() if is_meant(name, found))
        if not names:
            raise _bad(field, f"no node is of {text}")
    nodes = [PlannedNode(name, zone_of(labels[name])) for name in names]
    if plan.order == "zone":
        nodes.sort(key=lambda node: (node.zone, node.name))
    elif plan.order == "name":
        nodes.sort()
    return nodes


def _meant(field: str, text: str) -> Callable[[str, dict[str, str]], bool]:
    try:
        if field == "selector":
            selector = parse_selector(text)
            return lambda _, labels: matches(selector, labels)
        by, value = parse_group(text)
    except ValueError as error:
        raise _bad(field, str(error)) from None
    return lambda name, labels: in_group(name, labels, by, value)


def edits_of(plan: Plan, nodes: list[PlannedNode]) -> list[Edit]:
    """Return the edits that play the plan: a scenario with them makes the same run."""
    names = [node.name for node in nodes]
    surge = [{"op": "clone-node", "node": names[0], "count": plan.surge}] if plan.surge else []
    drain = {
        "op": "drain",
        "nodes": names,
        "timeout": plan.timeout,
        "together": plan.together,
        "back": plan.back,
    }
    return [*plan.before, *surge, drain]


def _bad(field: str, reason: str) -> BadInput:
    return BadInput([Problem("rehearsal", field, reason)])
