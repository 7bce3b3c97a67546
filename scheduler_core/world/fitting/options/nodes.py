"""Nodes that are opened to the pods, or come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from scheduler_core.objects.identity import labels_of, name_of, spec_of
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.node_groups import pool_of
from scheduler_core.schedulers.card_lacks import all_missing
from scheduler_core.schedulers.cause import Cause, no_such_cards
from scheduler_core.schedulers.registry import card_edits
from scheduler_core.world.edits.operations.taints import SICK, parse_taint
from scheduler_core.world.fitting.options.asking_less import HALF, about_of
from scheduler_core.world.fitting.results import Change, ChangeKind, Edit
from scheduler_core.world.fitting.searching import Option
from scheduler_core.world.fitting.wanted import Wanted

Object = dict[str, Any]
_MOST_GROUPS = 6
_MOST_TAINTS = 4
_MOST_NODES = 100
_MOST_CARDS = 5


def options(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    """Yield what may be done to nodes about a cause."""
    nodes = list(wanted.world.objects.of_kind(NODE))
    ranks = {near.node: place for place, near in enumerate(cause.nearest)}
    nodes.sort(key=lambda node: (ranks.get(name_of(node), len(ranks)), name_of(node)))
    for held in cause.held:
        about = about_of(held)
        if held.plugin in ("NodeUnschedulable", "CheckNodeUnschedulable", "CheckNodeCondition"):
            closed = [name_of(node) for node in nodes if spec_of(node).get("unschedulable")]
            yield from _opened("uncordon", "", closed, about, lambda some: {"op": "uncordon", "nodes": some})
        elif held.plugin in ("TaintToleration", "PodToleratesNodeTaints"):
            for taint in list(held.particulars)[:_MOST_TAINTS]:
                if not taint.startswith(SICK):
                    tainted = [name_of(node) for node in nodes if _has(node, taint)]
                    without = partial(_without, taint)
                    yield from _opened("untaint", taint, tainted, f"{about} {taint}", without)
        if (held.cards or held.looked_at) and not all_missing(held.lacks):
            yield from _cards(nodes, about)
    if no_such_cards(cause):
        return
    if cause.held or cause.sums or cause.kind in ("pre_filter", "gang", "queue"):
        yield from _more(wanted, nodes)


def _opened(
    kind: ChangeKind, what: str, names: Sequence[str], about: str, edit: Callable[[list[str]], Edit]
) -> Iterator[Option]:
    """Yield that the first of these nodes are opened, those that come nearest before all."""
    if names:
        yield Option(
            len(names),
            lambda step: [edit(list(names[:step]))],
            lambda step: Change(kind, what=what, before=0, after=step, names=list(names[:step])),
            lambda step: step / len(names),
            about,
        )


def _has(node: Object, taint: str) -> bool:
    read = parse_taint(taint, "taint")
    return any(
        one.get("key") == read["key"]
        and (one.get("value") or "") == read.get("value", "")
        and one.get("effect") == read["effect"]
        for one in spec_of(node).get("taints") or ()
    )


def _without(taint: str, names: list[str]) -> Edit:
    read = parse_taint(taint, "taint")
    return {"op": "untaint", "nodes": names, "taints": [f"{read['key']}:{read['effect']}"]}


def _more(wanted: Wanted, nodes: Sequence[Object]) -> Iterator[Option]:
    """Yield more nodes like one of each group, those of the largest groups before all."""
    groups: dict[bytes, list[Object]] = {}
    for node in sorted(nodes, key=name_of):
        groups.setdefault(_shape(node), []).append(node)
    largest = sorted(groups.values(), key=lambda some: (-len(some), name_of(some[0])))
    most = max(1, min(len(wanted.uids), _MOST_NODES))
    for some in largest[:_MOST_GROUPS]:
        name = next((name_of(one) for one in some if not spec_of(one).get("unschedulable")), name_of(some[0]))
        yield Option(
            most,
            partial(_cloned, name),
            partial(_added, name),
            partial(_part_of, len(some)),
            f"nodes like {name}",
        )


def _cloned(name: str, count: int) -> list[Edit]:
    return [{"op": "clone-node", "node": name, "count": count}]


def _added(name: str, count: int) -> Change:
    return Change("add_nodes", name, before=0, after=count)


def _part_of(there: int, count: int) -> float:
    return count / there


def _shape(node: Object) -> bytes:
    allocatable = (node.get("status") or {}).get("allocatable") or {}
    taints = [one for one in spec_of(node).get("taints") or () if not one["key"].startswith(SICK)]
    return msgspec.json.encode([pool_of(labels_of(node)), sorted(allocatable.items()), taints])


def _cards(nodes: Sequence[Object], about: str) -> Iterator[Option]:
    """Yield that a card is healthy again which isn't."""
    sick = [
        (name_of(node), card.id)
        for node in nodes
        for known in card_edits()
        for card in known.cards(node)
        if not card.healthy
    ]
    for node, card in sick[:_MOST_CARDS]:
        yield Option(1, partial(_healed, node, card), partial(_heal, node, card), lambda _: HALF, about)


def _healed(node: str, card: str, _: int) -> list[Edit]:
    return [{"op": "set-card", "node": node, "card": card, "state": "healthy"}]


def _heal(node: str, card: str, _: int) -> Change:
    return Change("heal_card", node, card)
