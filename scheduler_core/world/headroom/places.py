"""Where more go, pool by pool, and what stops the next one, node by node."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from scheduler_core.objects.identity import labels_of, name_of
from scheduler_core.objects.kinds import NODE
from scheduler_core.objects.node_groups import pool_of
from scheduler_core.schedulers.cause import Against, Answered
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.headroom.results import PoolRoom, Stopping

Object = dict[str, Any]
_Place = tuple[int, int]
"""A place in `held`, and one in what cards lack, -1 where it is about none."""


def pools_of(cluster: EditedCluster, nodes: Mapping[str, str], answered: Answered | None) -> list[PoolRoom]:
    """Return all pools by name, with the nodes that took more (`nodes`: by uid of a pod)."""
    taking = Counter(nodes.values())
    closed = frozenset[str]() if answered is None else _closed(answered)
    pools = cluster.once((NODE,), _by_pool)
    return [
        PoolRoom(
            pool,
            len(names),
            sum(taking[name] for name in names),
            all(name in closed and not taking[name] for name in names),
            {name: taking[name] for name in names if taking[name]},
        )
        for pool, names in pools.items()
    ]


def _by_pool(nodes: Iterable[Object]) -> dict[str, list[str]]:
    """Return the names of nodes by their pool, all in order."""
    pools: dict[str, list[str]] = {}
    for node in sorted(nodes, key=name_of):
        pools.setdefault(pool_of(labels_of(node)), []).append(name_of(node))
    return dict(sorted(pools.items()))


def stops_of(answered: Answered) -> list[Stopping]:
    """Return what is first to stand against the next one, on how many nodes, most before all.

    Nodes that have no such cards at all, and so stopped every one before, come last.
    """
    return [one for _, one in _stops_by_place(answered)]


def stopped_of(answered: Answered, nodes: Mapping[str, str]) -> dict[str, int]:
    """Return by node that took more what stops the next one there, as a place in `stops_of`."""
    number = {place: at for at, (place, _) in enumerate(_stops_by_place(answered))}
    taking = set(nodes.values())
    firsts = zip(answered.marks.names, _firsts(answered), strict=True)
    return {name: number[first] for name, first in firsts if first[0] >= 0 and name in taking}


def _stops_by_place(answered: Answered) -> list[tuple[_Place, Stopping]]:
    """Return the same with the place of each among what stands against the next one."""
    counts = Counter(first for first in _firsts(answered) if first[0] >= 0)
    found = [(place, _stopping(answered, place, nodes)) for place, nodes in sorted(counts.items())]
    return sorted(found, key=lambda pair: _rank(pair[1]))


def _rank(one: Stopping) -> tuple[bool, int, str, str]:
    return one.lack is not None and one.lack.is_missing, -one.nodes, one.plugin, one.reason


def _firsts(answered: Answered) -> list[_Place]:
    """Return for each node what is first to stand against the next one."""
    marks = answered.marks
    lacks = np.full(len(marks.names), -1, dtype=np.int64)
    for one in marks.against:
        if one.lack is not None:
            lacks = np.where(marks.first == one.place, one.lack, lacks)
    return list(zip(marks.first.tolist(), lacks.tolist(), strict=True))


def _stopping(answered: Answered, place: _Place, nodes: int) -> Stopping:
    held, lack = answered.cause.held[place[0]], place[1]
    return Stopping(
        held.plugin,
        held.reason,
        "" if held.figure is None else held.figure.what,
        nodes,
        held.lacks[lack] if lack >= 0 else None,
    )


def _closed(answered: Answered) -> frozenset[str]:
    """Return the nodes that are closed to the next one, whatever room they have."""
    marks = answered.marks
    mask = np.zeros(len(marks.names), dtype=np.bool_)
    for one in marks.against:
        if one.lack is not None:
            lacks = answered.cause.held[one.place].lacks
            mask |= np.isin(one.lack, [place for place, lack in enumerate(lacks) if not lack.frees])
        elif not _is_room(answered, one):
            mask |= one.mask
    return frozenset(marks.names[row] for row in np.flatnonzero(mask).tolist())


def _is_room(answered: Answered, against: Against) -> bool:
    """Return whether something is about an amount: of a resource, of pods, or of cards."""
    held = answered.cause.held[against.place]
    return against.wanted is not None or bool(held.reason) or bool(held.looked_at)
