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
    """Return what is first to stand against the next one, on how many nodes, most before all."""
    return [one for _, one in _stops_by_place(answered)]


def stopped_of(answered: Answered, nodes: Mapping[str, str]) -> dict[str, int]:
    """Return by node that took more what stops the next one there, as a place in `stops_of`."""
    number = {place: at for at, (place, _) in enumerate(_stops_by_place(answered))}
    taking = set(nodes.values())
    firsts = zip(answered.marks.names, answered.marks.first.tolist(), strict=True)
    return {name: number[first] for name, first in firsts if first >= 0 and name in taking}


def _stops_by_place(answered: Answered) -> list[tuple[int, Stopping]]:
    """Return the same with the place of each among what stands against the next one."""
    marks, held = answered.marks, answered.cause.held
    places, counts = np.unique(marks.first[marks.first >= 0], return_counts=True)
    found = [
        (
            place,
            Stopping(
                held[place].plugin,
                held[place].reason,
                "" if (figure := held[place].figure) is None else figure.what,
                nodes,
            ),
        )
        for place, nodes in zip(places.tolist(), counts.tolist(), strict=True)
    ]
    return sorted(found, key=lambda pair: (-pair[1].nodes, pair[1].plugin, pair[1].reason))


def _closed(answered: Answered) -> frozenset[str]:
    """Return the nodes that are closed to the next one, whatever room they have."""
    marks = answered.marks
    mask = np.zeros(len(marks.names), dtype=np.bool_)
    for one in marks.against:
        if not _is_room(answered, one):
            mask |= one.mask
    return frozenset(marks.names[row] for row in np.flatnonzero(mask).tolist())


def _is_room(answered: Answered, against: Against) -> bool:
    """Return whether something is about an amount: of a resource, of pods, or of cards."""
    held = answered.cause.held[against.place]
    return against.wanted is not None or bool(held.reason) or bool(held.looked_at)
