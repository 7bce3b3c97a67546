"""What would make pods fit: options out of why they wait, each searched by trials, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

import msgspec
from msgspec.structs import replace

from scheduler_core.schedulers.cause import Cause
from scheduler_core.world.fitting.judging import Ended, Judge, Stop, Verdict, waiting_of
from scheduler_core.world.fitting.options import asking_less, gangs, nodes, priorities, releasing
from scheduler_core.world.fitting.results import Change, Edit, Fitting, NotEnough, Point, Proposal, Start
from scheduler_core.world.fitting.searching import Option, Search
from scheduler_core.world.fitting.starting import MOST_DECISIONS, UNTIL, needed
from scheduler_core.world.fitting.wanted import Wanted
from scheduler_core.world.trials.playing import never
from scheduler_core.world.trials.warm_world import WarmWorld

MOST_TRIALS = 400
MOST_PAIRS = 15
_MOST_CAUSES = 3
Told = Callable[[int, int], None]
"""Is told how many of how many changes were tried; two that are tried together count once more."""


def untold(done: int, of: int) -> None:
    """Nobody wants to know."""


def what_would_fit(
    world: WarmWorld,
    pods: Iterable[str],
    *,
    stop: Stop = never,
    most: int = MOST_TRIALS,
    told: Told = untold,
    others: bool | None = None,
) -> Fitting:
    """Return what would make these pods fit, by uid, and what would not; the world stays as it was.

    They are meant together: all pods of a workload, of a gang, or one. No more than so many trials at the
    `most` are made; `stop` ends it, and is asked before each decision. What is found until then is told, and
    what was not tried. `others`: whether the other pods that wait are tried, too; unless that is said, many
    are left out. Raises KeyError for a pod that there is not, ValueError for none.
    """
    wanted = Wanted(world, pods)
    return _Fitting(Judge(wanted, stop, most, others=others), told).found()


class _Fitting:
    """The search for one group of pods."""

    def __init__(self, judge: Judge, told: Told) -> None:
        self._judge, self._told = judge, told
        self._proposals: list[Proposal] = []
        self._not_enough: list[NotEnough] = []
        self._short: list[tuple[Option, NotEnough]] = []
        self._left: list[Option] = []
        self._causes: list[Cause] = []

    def found(self) -> Fitting:
        wanted, ended, placed, unsettled = self._judge.wanted, "done", 0, False
        try:
            begun = self._judge.begun
            unsettled = self._judge.is_unsettled(begun)
            placed = sum(bool(one.node) for one in begun.pods if wanted.counts(one) and not one.gone)
            waiting = waiting_of(begun, wanted)
            self._causes = _distinct(one.cause for one in waiting if one.cause is not None)
            if waiting:
                self._left = _options(wanted, self._causes)
                self._try_all()
        except Ended as end:
            ended = end.by
        self._proposals.sort(key=_rank)
        start = self._start_all() if self._judge.trials else None
        return Fitting(
            len(wanted.uids),
            placed,
            wanted.workload,
            self._causes,
            self._proposals,
            self._not_enough,
            [one.whole for one in self._left],
            self._judge.trials,
            self._judge.left_out,
            ended,  # type: ignore[arg-type]
            wanted.world.rests_on(adds=True),
            start,
            UNTIL,
            MOST_DECISIONS,
            unsettled,
        )

    def _start_all(self) -> Start:
        """Note when the pods start with each proposal, the best first; return when without any."""
        wanted = self._judge.wanted
        start = self._start([], needed(wanted, self._causes, len(wanted.uids)))
        for place, one in enumerate(self._proposals):
            least = one.changes[0].after if one.changes[0].kind == "minimum" else None
            enough = needed(wanted, self._causes, one.placed, least)
            self._proposals[place] = replace(one, start=self._start(one.edits, enough))
        return start

    def _start(self, edits: list[Edit], enough: int) -> Start:
        try:
            return self._judge.by_the_clock(edits, enough)
        except Ended:
            return Start(None, "untried")

    def _try_all(self) -> None:
        number = len(self._left)
        while self._left:
            self._told(number - len(self._left), number)
            self._try(self._left[0])
            del self._left[0]
        found = any(not one.is_partial and one.changes[0].kind != "fewer_pods" for one in self._proposals)
        pairs = [] if found else self._pairs()
        for place, (first, second) in enumerate(pairs):
            self._told(number + place, number + len(pairs))
            self._try_pair(first, second)
        self._told(number + len(pairs), number + len(pairs))

    def _try(self, option: Option) -> None:
        step, verdict, points = Search(self._judge, option).found()
        change = option.change(step)
        if verdict.fits:
            self._propose([change], option.edits(step), verdict, option.size(step), points)
            if not verdict.is_harmless and step < option.steps:
                self._try_harmless(option)
            return
        short = NotEnough([change], verdict.placed, verdict.pods, verdict.refused)
        self._not_enough.append(short)
        if option.pairs and not verdict.refused:
            self._short.append((option, short))

    def _try_harmless(self, option: Option) -> None:
        """Propose also the smallest step for which nobody else has to go."""
        step, verdict, points = Search(self._judge, option, harmless=True).found()
        if verdict.is_harmless:
            change = option.change(step)
            self._propose([change], option.edits(step), verdict, option.size(step), points)

    def _pairs(self) -> list[tuple[Option, Option]]:
        """Return changes for different things of which each alone is not enough, the best before all."""
        single = sorted(self._short, key=lambda one: -one[1].placed)
        pairs = [
            (first, second)
            for place, (first, _) in enumerate(single)
            for second, _ in single[place + 1 :]
            if first.about != second.about
        ]
        return pairs[:MOST_PAIRS]

    def _try_pair(self, first: Option, second: Option) -> None:
        """Try two changes, each as small as it may be beside the other one.

        The first is always made before the second: a node that comes before another like it is untainted
        has the taint still.
        """
        found = Search(self._judge, second, before=first.edits(first.steps)).found()
        if not found.verdict.fits:
            changes = [first.whole, second.whole]
            _, placed, pods, *_, refused = found.verdict
            self._not_enough.append(NotEnough(changes, placed, pods, refused))
            return
        then = second.edits(found.step)
        step, verdict, points = Search(self._judge, first, after=then).found()
        changes = [first.change(step), second.change(found.step)]
        size = max(first.size(step), second.size(found.step))
        self._propose(changes, [*first.edits(step), *then], verdict, size, points)

    def _propose(
        self, changes: list[Change], edits: list[Edit], verdict: Verdict, size: float, points: list[Point]
    ) -> None:
        _, placed, pods, evicted, violated, lost, _ = verdict
        self._proposals.append(
            Proposal(changes, edits, pods, placed, evicted, violated, lost, round(size, 6), points)
        )


def _options(wanted: Wanted, causes: list[Cause]) -> list[Option]:
    """Return what follows from all causes, each change once, the binding causes' before all."""
    found: dict[bytes, Option] = {}
    for cause in causes:
        for one in _of_cause(wanted, cause):
            found.setdefault(msgspec.json.encode([one.whole.kind, one.whole.of, one.whole.what]), one)
    return list(found.values())


def _of_cause(wanted: Wanted, cause: Cause) -> Iterator[Option]:
    sources = (asking_less, nodes, gangs, priorities, releasing)
    return chain.from_iterable(source.options(wanted, cause) for source in sources)


def _distinct(causes: Iterable[Cause]) -> list[Cause]:
    """Return causes each once, those of most pods before all."""
    counted: dict[bytes, tuple[int, Cause]] = {}
    for cause in causes:
        key = msgspec.json.encode(cause)
        counted[key] = counted.get(key, (0, cause))[0] + 1, cause
    most = sorted(counted.values(), key=lambda one: -one[0])
    return [cause for _, cause in most[:_MOST_CAUSES]]


def _rank(proposal: Proposal) -> tuple[int, bool, bool, int, float, int]:
    """Order: no budget violated, all fit, nobody loses a node, smallest change, fewest evictions."""
    return (
        sum(proposal.violated.values()),
        proposal.is_partial,
        bool(proposal.lost),
        len(proposal.changes),
        proposal.size,
        sum(proposal.evicted.values()),
    )
