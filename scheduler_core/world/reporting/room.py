"""Whether pods find room on nodes together: what they ask for against what is free, without placing them.

Two looks, neither of which sees all: `shortage` says what lacks, by resource and by size; `may_have_room` is
quicker, and sees pods that no node can take whole.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np

from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray


class Shortage(msgspec.Struct, frozen=True):
    """More is asked for than is free, of a resource that the log counts so: milli-CPU, bytes.

    each: 0, or `asked` pods ask for so much or more each, and the nodes have `free` places of that size.
    """

    resource: str
    asked: int
    free: int
    each: int = 0


def free_room(state: ClusterState) -> IntArray:
    """Return what each node has free, shape (nodes, resources), in the units of the log, at least 0."""
    free: IntArray = np.maximum(state.nodes.allocatable - state.requested, 0)
    return free


def may_have_room(asked: IntArray, free: IntArray) -> bool:
    """Return whether nodes have as much free as pods ask for: in all, and for each pod on one of them.

    asked: what each pod asks for, shape (pods, columns). free: what each node has, shape (nodes, columns).
    """
    if not (asked.sum(axis=0) <= free.sum(axis=0)).all():
        return False
    kinds = np.unique(asked, axis=0) if len(asked) else ()
    return all((free >= kind).all(axis=1).any() for kind in kinds)


def shortage(asked: IntArray, free: IntArray, resources: Sequence[str]) -> Shortage | None:
    """Return what pods lack on nodes, wherever each of them goes; None where this alone doesn't tell.

    asked: what each pod asks for, shape (pods, columns). free: what each node has, shape (nodes, columns), at
    least 0. resources: the names of the first columns; the others are not looked at.
    """
    for column, resource in enumerate(resources):
        sizes, room = asked[:, column], free[:, column]
        wanted, there = int(sizes.sum()), int(room.sum())
        if wanted > there:
            return Shortage(resource, wanted, there)
        for each in np.unique(sizes[sizes > 0])[::-1].tolist():
            pods, places = int((sizes >= each).sum()), int((room // each).sum())
            if pods > places:
                return Shortage(resource, pods, places, each)
    return None
