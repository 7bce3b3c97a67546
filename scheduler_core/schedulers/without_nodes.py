"""Why a pod waits as if some nodes were not there: those that a trial itself has closed, say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

import numpy as np
from msgspec.structs import replace

from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.schedulers.cause import Against, Answered, Cause, Held, Near
from scheduler_core.state.nodes import BoolArray


def without_nodes(answered: Answered, gone: Collection[str]) -> Cause:
    """Return the cause with nothing counted on these nodes; who answers about no nodes stays as it is.

    Words and particulars are counted as before, and the chain of filters is left out.
    """
    cause, marks = answered.cause, answered.marks
    if not marks.names:
        return cause
    there = np.array([name not in gone for name in marks.names], dtype=np.bool_)
    left = [one for one in marks.against if (one.mask & there).any()]
    held = {one.place: _held(answered, one, there) for one in left}
    mended = {one.place: sum(lack.alone for lack in held[one.place].lacks if lack.is_missing) for one in left}

    def rank(place: int) -> tuple[int, int, int, int]:
        one = held[place]
        return mended[place] - one.alone, -one.alone, -one.nodes, place

    order = sorted(held, key=rank)
    place_now = {place: now for now, place in enumerate(order)}
    return replace(
        cause,
        nodes=int(np.count_nonzero(there)),
        fits=int(np.count_nonzero(there & (marks.number == 0))),
        held=[held[place] for place in order],
        nearest=[_near(one, place_now) for one in cause.nearest if one.node not in gone],
        chain=[],
    )


def _held(answered: Answered, against: Against, there: BoolArray) -> Held:
    marks, held = answered.marks, answered.cause.held[against.place]
    mask = against.mask & there
    alone = mask & (marks.number == 1)
    rows = np.flatnonzero(alone if alone.any() else mask)
    nearest = int(rows[np.argmin(marks.rank[rows])])
    return replace(
        held,
        nodes=int(np.count_nonzero(mask)),
        first=int(np.count_nonzero(there & (marks.first == against.place))),
        alone=int(np.count_nonzero(alone)),
        node=marks.names[nearest],
        figure=None if against.wanted is None else against.wanted.at(nearest),
        lacks=_lacks(held, against, mask, alone),
    )


def _lacks(held: Held, against: Against, mask: BoolArray, alone: BoolArray) -> list[CardLack]:
    if against.lack is None:
        return []
    nodes, only = Counter(against.lack[mask].tolist()), Counter(against.lack[alone].tolist())
    counted = (replace(one, nodes=nodes[at], alone=only[at]) for at, one in enumerate(held.lacks))
    return [one for one in counted if one.nodes]


def _near(near: Near, place_now: dict[int, int]) -> Near:
    return replace(near, held=[place_now[place] for place in near.held])
