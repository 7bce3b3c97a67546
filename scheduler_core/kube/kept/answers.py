"""All that is kept for pods of one class: verdicts and scores of every node, and where the choice lies."""

from __future__ import annotations

import numpy as np

from scheduler_core.events.decisions import IN_THE_LOG
from scheduler_core.kube.attempt import AttemptResult, Figures
from scheduler_core.kube.framework import Cycle, PluginError, View
from scheduler_core.kube.kept.faults import NotKept
from scheduler_core.kube.kept.scores import KeptScores
from scheduler_core.kube.kept.touches import Touches
from scheduler_core.kube.kept.verdicts import KeptVerdicts
from scheduler_core.kube.lots import Lots
from scheduler_core.kube.profile import Profile
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo


class Answers:
    """What the plugins say to pods of one class, as of a place in the list of those that were touched.

    Raises NotKept for a class that the plugins have more to say about.
    """

    def __init__(self, profile: Profile, state: ClusterState, pod: PodInfo, touches: Touches) -> None:
        if state.devices.asked_by(pod.pod.spec.resource_claims, pod.requests) is not None:
            raise NotKept
        self._profile = profile
        self._cycle = cycle = Cycle(state, pod)
        self._touches = touches
        self.epoch, self._read = touches.epoch, len(touches)
        self._pre_filtered = profile.run_pre_filter(cycle)
        if self._pre_filtered.rejected is not None or self._pre_filtered.names is not None:
            raise NotKept
        if cycle.refusals or profile.run_reserve(cycle) is not None:
            raise NotKept
        self._verdicts = KeptVerdicts(View(cycle), profile.filters)
        self._scores: KeptScores | None = None

    def attempt(self, pod: PodInfo, lots: Lots) -> AttemptResult | None:
        """Decide about a pod of the class; None where no node is feasible. Raises NotKept and Outdated."""
        self._follow()
        if not self._verdicts.feasible:
            return None
        nodes, verdicts = self._cycle.state.nodes, self._verdicts
        is_best, total = self._best()
        best_count = int(np.count_nonzero(is_best))
        drawn = lots(best_count)
        best = _first_places(is_best, max(IN_THE_LOG, drawn + 1))
        rows = best.tolist() if nodes.is_by_name else nodes.by_name[best].tolist()
        known = Figures(
            visited=len(nodes),
            feasible=verdicts.feasible,
            rejections=verdicts.rejections(),
            best=[nodes.names[row] for row in rows[:IN_THE_LOG]],
            best_count=best_count,
            total=total,
        )
        return AttemptResult(
            self._cycle_of(pod),
            "scheduled",
            self._pre_filtered,
            verdicts,
            chosen=rows[drawn],
            searched=len(nodes),
            known=known,
        )

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

    def _best(self) -> tuple[BoolArray, int | None]:
        """Return which nodes are best, in the order of names, and their total if they were scored."""
        nodes = self._cycle.state.nodes
        if self._verdicts.feasible == 1:
            fits = self._verdicts.fits
            return fits if nodes.is_by_name else fits[nodes.by_name], None
        scores = self._scored()
        total = scores.total if nodes.is_by_name else scores.total[nodes.by_name]
        highest = total.item(int(total.argmax()))
        return total == highest, highest if scores.is_scored else None

    def _scored(self) -> KeptScores:
        if self._scores is None:
            try:
                self._scores = KeptScores(self._profile, self._cycle, self._verdicts)
            except PluginError as error:
                raise NotKept from error
        return self._scores

    def _cycle_of(self, pod: PodInfo) -> Cycle:
        kept = self._cycle
        return Cycle(kept.state, pod, kept.prepared, kept.skipped_filters, kept.states)


def _first_places(mask: BoolArray, number: int) -> IntArray:
    """Return the first places where the mask holds; no more than `number`."""
    # Where many hold, the first of them lie at the beginning.
    places: IntArray = mask[: 4 * number].nonzero()[0]
    return (places if len(places) >= number else mask.nonzero()[0])[:number]
