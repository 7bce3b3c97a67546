"""What is kept for pods of one class: verdicts, scores and dry runs of every node, and what they decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scheduler_core.events.decisions import IN_THE_LOG
from scheduler_core.kube.attempt import conclude
from scheduler_core.kube.attempt_extenders import ask_extenders, extender_error
from scheduler_core.kube.attempt_result import AttemptResult, Figures, give_up
from scheduler_core.kube.equivalence.dry_runs import KeptRuns
from scheduler_core.kube.equivalence.faults import NotKept
from scheduler_core.kube.equivalence.filter_results import KeptVerdicts
from scheduler_core.kube.equivalence.invalidation import Touches
from scheduler_core.kube.equivalence.scores import NO_SCORE, KeptScores
from scheduler_core.kube.extenders.extender import ExtenderError
from scheduler_core.kube.framework import Cycle, PluginError, View
from scheduler_core.kube.nominated import Room, nobody, nominated_against
from scheduler_core.kube.preemption.candidates import Runs
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.sampling import cut, nodes_to_find
from scheduler_core.kube.tie_breaking import Lots
from scheduler_core.kube.verdicts import FITS, Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray, NodeTable
from scheduler_core.state.pods import PodInfo


@dataclass
class _Seen:
    """The nodes as one pod finds them: with the promises that count against it.

    `lost` are the nodes that would fit but for promises; `room` is None where there are no promises. Where
    not all nodes are scored, `sampled` are those that are, and `visited` is how many were looked at.
    """

    verdicts: Verdicts
    feasible: int
    lost: IntArray | None = None
    room: Room | None = None
    sampled: IntArray | None = None
    visited: int | None = None


class Answers:
    """What the plugins say to pods of one class, as of a place in the list of those that were touched.

    Raises NotKept for a class about which there is more to say.
    """

    def __init__(self, profile: Profile, state: ClusterState, pod: PodInfo, touches: Touches) -> None:
        if state.devices.asked_by(pod.pod.spec.resource_claims, pod.requests) is not None:
            raise NotKept
        extenders = profile.panel.asked_about(pod)
        if not profile.scores or any(extender.is_outside for extender in extenders):
            raise NotKept
        self._is_heard = bool(extenders)
        """Whether extenders are asked about the pods of the class."""
        self._profile = profile
        self._cycle = cycle = Cycle(state, pod)
        self._touches = touches
        self._read = len(touches)
        self._enough = nodes_to_find(profile.percentage_of_nodes_to_score, len(state.nodes))
        self._pre_filtered = profile.run_pre_filter(cycle)
        if self._pre_filtered.rejected is not None or self._pre_filtered.names is not None:
            raise NotKept
        if cycle.refusals or profile.run_reserve(cycle) is not None:
            raise NotKept
        self._verdicts = KeptVerdicts(View(cycle), profile.filters)
        self._scores: KeptScores | None = None
        self._runs: KeptRuns | None = None
        self._budgets = touches.budgets

    def attempt(self, pod: PodInfo, lots: Lots, start: int) -> AttemptResult | None:
        """Decide about a pod of the class; None: ask the plugins. Raises NotKept and Outdated.

        `start` is where the search for feasible nodes begins if not all are scored.
        """
        self._follow()
        cycle = self._cycle_of(pod)
        seen = self._see(cycle)
        nominated = cycle.state.nodes.index.get(cycle.state.nominated[pod.row])
        if nominated is not None:
            return None if self._is_heard else self._stay(cycle, seen, nominated)
        if self._is_heard or not seen.feasible:
            return self._conclude(cycle, self._sampled(cycle, seen, start), lots)
        some = seen.lost is not None or seen.feasible > self._enough
        if some and seen.feasible > 1 and self._scored().compares:
            return None
        return self._choose(cycle, self._sampled(cycle, seen, start), lots)

    def fits(self, pod: PodInfo) -> BoolArray:
        """Return on which nodes a pod of the class fits, before extenders are asked. Raises Outdated."""
        self._follow()
        return self._see(self._cycle_of(pod)).verdicts.fits

    def _follow(self) -> None:
        """Bring all up to date."""
        if self._read == len(self._touches):
            return
        touched = self._touches.since(self._read)
        self._read = len(self._touches)
        others = self._verdicts.follow(touched)
        if self._verdicts.feasible < 2:
            self._scores = None
        elif self._scores is not None:
            self._scores.follow(touched, others)
        if self._runs is not None:
            self._runs.forget(touched.nodes.tolist() if touched.few is None else touched.few)

    def _cycle_of(self, pod: PodInfo) -> Cycle:
        kept = self._cycle
        return Cycle(kept.state, pod, kept.prepared, kept.skipped_filters, kept.states)

    # -- promises ------------------------------------------------------------------------------------

    def _see(self, cycle: Cycle) -> _Seen:
        """Ask again about the nodes that have been promised to others."""
        kept = self._verdicts
        if not any(cycle.state.nominations.orders.values()):
            return _Seen(kept, kept.feasible)
        nominated = nominated_against(cycle, self._profile.siblings)
        if not len(nominated[0]):
            return _Seen(kept, kept.feasible)
        kept.allow_trials()
        room = Room(self._profile, View(cycle), nominated)
        nodes = np.unique(nominated[0])
        asked = room.filter(nodes)
        other = (asked.plugin[nodes] != kept.plugin[nodes]) | (asked.code[nodes] != kept.code[nodes])
        if not other.any():
            return _Seen(kept, kept.feasible, room=room)
        nodes = nodes[other]
        lost = nodes[kept.plugin[nodes] == FITS]
        verdicts = kept.copy()
        verdicts.take(asked, nodes)
        return _Seen(verdicts, kept.feasible - len(lost), lost if len(lost) else None, room)

    def _stay(self, cycle: Cycle, seen: _Seen, nominated: int) -> AttemptResult | None:
        """Take the node that the pod was promised, if it fits; then no other is looked at."""
        if seen.verdicts.plugin.item(nominated) != FITS:
            return None
        nodes = cycle.state.nodes
        verdicts = Verdicts(cycle, self._profile.filters, len(nodes))
        verdicts.set_fits(np.array([nominated], dtype=np.int64))
        known = Figures(1, 1, [], [nodes.names[nominated]], 1, None)
        return AttemptResult(cycle, "scheduled", self._pre_filtered, verdicts, chosen=nominated, known=known)

    # -- the choice ----------------------------------------------------------------------------------

    def _sampled(self, cycle: Cycle, seen: _Seen, start: int) -> _Seen:
        """Look for as many feasible nodes as are scored, where those are not all."""
        if seen.feasible <= self._enough:
            return seen
        nodes, fits = cycle.state.nodes, seen.verdicts.fits
        order = cycle.state.listed_order.rows(cycle.pod.scheduler_name)
        visited, sampled = cut(order, start, fits, np.zeros(len(nodes), np.bool_), self._enough)
        verdicts = seen.verdicts.copy()
        verdicts.forget_all_but(visited)
        # The last that was visited is the feasible one beyond those that are enough.
        return replace(
            seen, verdicts=verdicts, feasible=len(sampled), sampled=np.sort(sampled), visited=len(visited)
        )

    def _choose(self, cycle: Cycle, seen: _Seen, lots: Lots) -> AttemptResult:
        nodes = cycle.state.nodes
        visited = len(nodes) if seen.visited is None else seen.visited
        best, total = self._best(seen)
        drawn = lots(best.count)
        rows = best.first(max(IN_THE_LOG, drawn + 1))
        known = Figures(
            visited=visited,
            feasible=seen.feasible,
            rejections=seen.verdicts.rejections(),
            best=list(map(nodes.names.__getitem__, rows[:IN_THE_LOG])),
            best_count=best.count,
            total=total,
        )
        return AttemptResult(
            cycle,
            "scheduled",
            self._pre_filtered,
            seen.verdicts,
            chosen=rows[drawn],
            searched=visited if seen.sampled is None else visited - 1,
            known=known,
        )

    def _best(self, seen: _Seen) -> tuple[_Best, int | None]:
        """Return the best nodes, and their total if they were scored."""
        nodes = self._cycle.state.nodes
        if seen.feasible == 1:
            return _Best(nodes, seen.verdicts.fits), None
        total = self._scored().total
        if seen.lost is not None:
            total = total.copy()
            total[seen.lost] = NO_SCORE
        if seen.sampled is not None:
            among = total[seen.sampled]
            highest = among.item(int(among.argmax()))
            best = np.zeros(len(nodes), dtype=np.bool_)
            best[seen.sampled[among == highest]] = True
        else:
            highest = total.item(int(total.argmax()))
            best = total == highest
        return _Best(nodes, best), highest

    def _scored(self) -> KeptScores:
        if self._scores is None:
            try:
                self._scores = KeptScores(self._profile, self._cycle, self._verdicts)
            except PluginError as error:
                raise NotKept from error
        return self._scores

    # -- what the plugins alone don't decide ---------------------------------------------------------

    def _conclude(self, cycle: Cycle, seen: _Seen, lots: Lots) -> AttemptResult:
        """Ask extenders about the feasible nodes; where none is left, fail."""
        verdicts = seen.verdicts
        result = AttemptResult(
            cycle,
            "scheduled",
            self._pre_filtered,
            verdicts,
            room=seen.room or Room(self._profile, View(cycle), nobody()),
            feasible=np.flatnonzero(verdicts.fits),
            searched=len(cycle.state.nodes) if seen.visited is None else seen.visited - 1,
            hearing=self._profile.panel.hearing(cycle.state, cycle.pod),
        )
        try:
            ask_extenders(result, {})
        except ExtenderError as failed:
            give_up(result, extender_error(failed))
        else:
            if len(result.feasible) > 1:
                raise NotKept
            dry_run = None if len(result.feasible) else self._dry_run(result)
            conclude(self._profile, result, lots, dry_run)
        result.known = result.figures
        return result

    def _dry_run(self, result: AttemptResult) -> Callable[[IntArray], Runs] | None:
        """Return what plays preemption's dry runs; None: they are not kept."""
        if self._verdicts.reads_pods:
            self._verdicts.allow_trials()
            return None
        if self._runs is None or self._budgets != self._touches.budgets:
            self._runs = KeptRuns(result.cycle.state, self._profile.dry_runs)
            self._budgets = self._touches.budgets
        assert result.room is not None
        return partial(self._runs.play, result.room, result.cycle.pod.row)


class _Best:
    """The best nodes in the order of their names; `count` is how many they are."""

    def __init__(self, nodes: NodeTable, best: BoolArray) -> None:
        self._nodes = nodes
        self._best = best if nodes.is_by_name else best[nodes.by_name]
        self.count = int(np.count_nonzero(best))

    def first(self, number: int) -> list[int]:
        """Return the rows of the first; no more than `number`."""
        # Where many are best, the first of them lie at the beginning.
        places = self._best[: 4 * number].nonzero()[0]
        places = (places if len(places) >= number else self._best.nonzero()[0])[:number]
        rows: list[int] = (places if self._nodes.is_by_name else self._nodes.by_name[places]).tolist()
        return rows
