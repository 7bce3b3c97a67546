"""What stands against a pod on nodes, weighed: what binds, which nodes come nearest, what each plugin leaves.

A scheduler finds out what it has against which nodes, each thing asked alone. The rest is counting, and the
same for all of them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import msgspec
import numpy as np
from numpy.typing import NDArray

from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.schedulers.card_lacks import CardLack
from scheduler_core.schedulers.cause import NEAREST, Against, Answered, Cause, Held, Marks, Near, Passed
from scheduler_core.state.nodes import BoolArray, IntArray

_SOME = 3
_CARDS_OF = 100
"""Cards are counted of so many nodes at most."""
_PARTS = 1000
Floats = NDArray[np.float64]


def _nothing_particular(nodes: IntArray) -> list[str]:
    return []


@dataclass
class Want:
    """What `plugin` has against a pod on nodes (`mask`, shape (nodes,)); `reasons` are its words.

    `reason` is set where it is one of several wants of the plugin. `wanted` are the figures, of amounts.
    `particulars` names what of each of some nodes it is about; `cards` counts a node's refused cards by
    reason. `lacks` is what cards lack, without counts, and `lack`, shape (nodes,), which of them a node's do,
    -1 for none. `alone` is counted here: on how many nodes nothing else stands against the pod.
    """

    plugin: str
    mask: BoolArray
    reason: str = ""
    reasons: dict[str, int] = field(default_factory=dict)
    wanted: Wanted | None = None
    particulars: Callable[[IntArray], list[str]] = _nothing_particular
    cards: Callable[[str], dict[str, int] | None] | None = None
    lacks: Sequence[CardLack] = ()
    lack: IntArray | None = None
    alone: int = 0

    @property
    def missing(self) -> BoolArray:
        """The nodes, shape (nodes,), that have no such cards at all, whatever becomes free."""
        if self.lack is None:
            return np.zeros(len(self.mask), dtype=np.bool_)
        places = [place for place, one in enumerate(self.lacks) if one.is_missing]
        found: BoolArray = self.mask & np.isin(self.lack, places)
        return found


class Weighed:
    """Wants in the order in which a scheduler asks for them, over the nodes of these names.

    `number`, shape (nodes,), is how many things stand against the pod on each node, and `share` how much of
    what is asked for is missing there of the scarcest resource. `named`, shape (nodes,): the nodes that the
    pod asks for by name, as those of DaemonSets do; on others nothing binds.
    """

    def __init__(self, names: Sequence[str], wants: Sequence[Want], named: BoolArray | None = None) -> None:
        self._names = names
        self._wants = [want for want in wants if want.mask.any()]
        self.number: IntArray = np.zeros(len(names), dtype=np.int64)
        self.share: Floats = np.zeros(len(names), dtype=np.float64)
        for want in self._wants:
            self.number += want.mask
            if want.wanted is not None:
                np.maximum(self.share, np.where(want.mask, want.wanted.missing, 0.0), out=self.share)
        self._counted = np.ones(len(names), dtype=np.bool_) if named is None else named
        self._missing = np.zeros(len(names), dtype=np.bool_)
        self._single = (self.number == 1) & self._counted
        for want in self._wants:
            want.alone = int(np.count_nonzero(want.mask & self._single))
            self._missing |= want.missing
        self._bound = sorted(self._wants, key=self._binding())
        """Those that bind most before all."""
        rank = np.empty(len(names), dtype=np.int64)
        rank[sorted(range(len(names)), key=names.__getitem__)] = np.arange(len(names))
        self._rank: IntArray = rank

    def _binding(self) -> Callable[[Want], tuple[int, int, int, int, float]]:
        """Return by what those that bind most stand first; among equals what is asked first.

        Cards that a node doesn't have can't be removed from what stands against the pod: such nodes count
        last. Of equal amounts of one plugin the one of which most is missing stands first, as on every node.
        """
        plugins = list(dict.fromkeys(want.plugin for want in self._wants))

        def rank(want: Want) -> tuple[int, int, int, int, float]:
            missing = 0.0 if want.wanted is None else float(want.wanted.missing[want.mask].sum())
            held = int(np.count_nonzero(want.mask & self._counted))
            mended = int(np.count_nonzero(want.mask & self._single & ~self._missing))
            return -mended, -want.alone, -held, plugins.index(want.plugin), -missing

        return rank

    def answered(self, cause: Cause) -> Answered:
        """Return a cause with all that follows from the nodes."""
        bound = self._bound
        told = msgspec.structs.replace(
            cause,
            nodes=len(self._names),
            fits=int(np.count_nonzero(self.number == 0)),
            held=self.held(),
            nearest=self.nearest(),
            chain=self.chain(),
            plugin=bound[0].plugin if bound else cause.plugin,
            reason=", ".join(sorted(bound[0].reasons)) if bound else cause.reason,
        )
        return Answered(told, self.marks())

    def held(self) -> list[Held]:
        """Return what stands against the pod, what binds most before all."""
        taken = np.zeros(len(self._names), dtype=np.bool_)
        first: dict[int, int] = {}
        for want in self._wants:
            first[id(want)] = int(np.count_nonzero(want.mask & ~taken))
            taken |= want.mask
        return [self._held(want, first[id(want)]) for want in self._bound]

    def _held(self, want: Want, first: int) -> Held:
        rows = self._nearest_of(want)
        cards, looked_at = self._cards(want, rows)
        return Held(
            want.plugin,
            int(np.count_nonzero(want.mask)),
            first,
            want.alone,
            reason=want.reason,
            reasons=dict(sorted(want.reasons.items())),
            node=self._names[rows[0]],
            figure=None if want.wanted is None else want.wanted.at(int(rows[0])),
            largest=self._largest(want),
            particulars=_counted(Counter(want.particulars(rows))),
            cards=cards,
            looked_at=looked_at,
            lacks=self._lacks(want),
        )

    def _lacks(self, want: Want) -> list[CardLack]:
        """Return what cards lack, each with the number of its nodes."""
        if want.lack is None:
            return []
        counts, alone = (
            np.bincount(want.lack[mask], minlength=len(want.lacks)).tolist()
            for mask in (want.mask, want.mask & self._single)
        )
        return [
            msgspec.structs.replace(one, nodes=counts[place], alone=alone[place])
            for place, one in enumerate(want.lacks)
        ]

    def _nearest_of(self, want: Want) -> IntArray:
        """Return the nodes that it alone holds, or else all that it holds, the nearest first."""
        rows = np.flatnonzero(want.mask & (self.number == 1))
        return self._by_nearness(rows if len(rows) else np.flatnonzero(want.mask))

    def _by_nearness(self, rows: IntArray) -> IntArray:
        """Return rows with the fewest things against the pod first, those without such cards last.

        Then those that what binds holds, then by how much is missing, then by name.
        """
        other = ~self._bound[0].mask[rows]
        order = np.lexsort(
            (self._rank[rows], self.share[rows], other, self.number[rows], self._missing[rows])
        )
        ordered: IntArray = rows[order]
        return ordered

    def _largest(self, want: Want) -> int | None:
        """Return the most of a resource that an open node has in all; None where no node is open."""
        if want.wanted is None:
            return None
        closed = np.zeros(len(self._names), dtype=np.bool_)
        for other in self._wants:
            if other.wanted is None:
                closed |= other.mask
        return None if closed.all() else int(want.wanted.size[~closed].max())

    def _cards(self, want: Want, rows: IntArray) -> tuple[dict[str, int], int]:
        """Return how many cards of the nearest nodes are refused for each reason, and of how many nodes."""
        counts: Counter[str] = Counter()
        looked_at = 0
        for row in rows[:_CARDS_OF].tolist() if want.cards is not None else ():
            found = want.cards(self._names[row]) if want.cards is not None else None
            if found is not None:
                looked_at += 1
                counts.update(found)
        return _counted(counts), looked_at

    def nearest(self) -> list[Near]:
        """Return the nodes that come nearest to taking the pod."""
        if not self._bound:
            return []
        rows = self._by_nearness(np.flatnonzero(self.number > 0))[:NEAREST].tolist()
        return [self._near(row) for row in rows]

    def _near(self, row: int) -> Near:
        held = [place for place, want in enumerate(self._bound) if want.mask[row]]
        wants = [self._bound[place] for place in held]
        one = np.array([row], dtype=np.int64)
        return Near(
            self._names[row],
            held,
            [want.wanted.at(row) for want in wants if want.wanted is not None],
            [text for want in wants for text in want.particulars(one)],
            bool(self._missing[row]),
        )

    def chain(self) -> list[Passed]:
        """Return what each plugin leaves of the nodes that those before it left."""
        left = np.ones(len(self._names), dtype=np.bool_)
        steps: list[Passed] = []
        for plugin in dict.fromkeys(want.plugin for want in self._wants):
            mask = np.zeros(len(left), dtype=np.bool_)
            for want in self._wants:
                if want.plugin == plugin:
                    mask |= want.mask
            gone = np.flatnonzero(left & mask)
            if len(gone):
                left = left & ~mask
                some = sorted(self._names[row] for row in gone.tolist())[:_SOME]
                steps.append(Passed(plugin, len(gone), int(np.count_nonzero(left)), some))
        return steps

    def marks(self) -> Marks:
        """Return every node's part: what rejects the pod first, how many things do, how much is missing."""
        number = len(self._names)
        first, by = np.full(number, -1, dtype=np.int64), np.full(number, -1, dtype=np.int64)
        worst = np.zeros(number, dtype=np.float64)
        plugins = list(dict.fromkeys(want.plugin for want in self._wants))
        place = {id(want): at for at, want in enumerate(self._bound)}
        for want in self._wants:
            missing = want.wanted.missing if want.wanted is not None else np.zeros(number)
            plugin = plugins.index(want.plugin)
            takes = want.mask & ((first < 0) | ((by == plugin) & (missing > worst)))
            first[takes], by[takes] = place[id(want)], plugin
            worst[takes] = missing[takes]
        short = np.ceil(self.share * _PARTS).astype(np.int64)
        against = [
            Against(place[id(want)], want.mask, _apart(want.wanted), want.lack) for want in self._wants
        ]
        return Marks(list(self._names), first, self.number, short, self._ranks(), against)

    def _ranks(self) -> IntArray:
        """Return every node's place among all of them, the nearest first."""
        number = len(self._names)
        order = self._by_nearness(np.arange(number)) if self._bound else np.argsort(self._rank)
        ranks = np.empty(number, dtype=np.int64)
        ranks[order] = np.arange(number)
        return ranks


def _apart(wanted: Wanted | None) -> Wanted | None:
    """Return figures that stay as they are, and hold no cluster: those of a state are views into it."""
    if wanted is None:
        return None
    return replace(wanted, free=wanted.free.copy(), size=wanted.size.copy())


def _counted(counts: Counter[str]) -> dict[str, int]:
    """Return counts, the highest first, then by name."""
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
