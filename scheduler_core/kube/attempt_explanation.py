"""An attempt in full: every node's verdict with numbers, every score, and each step of a dry run.

An explanation belongs to the moment before its decision. It takes the run back there for as long as it
computes, and forward again by the same decision.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scheduler_core.events.cards_tried import CardsInShort
from scheduler_core.events.decisions import Code, Decision, PodRef, Status
from scheduler_core.events.devices_tried import DevicesTried
from scheduler_core.events.explanation import (
    ALL_NODES,
    AttemptInFull,
    Chosen,
    Figure,
    FilterAnswer,
    NodeInFull,
    NodeScores,
    Reprieve,
    ReprieveStep,
    ScoreAnswer,
    VisitedNode,
    rejecters_of,
)
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.extenders.extender import MAX_NODE_SCORE, MAX_PRIORITY, Call
from scheduler_core.kube.framework import UNRESOLVABLE, UNSCHEDULABLE
from scheduler_core.kube.nominated import nobody
from scheduler_core.kube.preemption.candidates import Runs
from scheduler_core.kube.profile import Profile
from scheduler_core.schedulers.decision_explanation import Before, Explanation
from scheduler_core.state.cluster import ClusterState

if TYPE_CHECKING:
    from scheduler_core.kube.attempt_result import AttemptResult
    from scheduler_core.kube.framework import FilterPlugin, View

_FIT = ("NodeResourcesFit", "PodFitsResources")
"""The filter about resources, by its name since the framework and before."""


_TENFOLD = MAX_NODE_SCORE // MAX_PRIORITY
"""An extender's points reach to 10, a plugin's to 100."""


@dataclass(frozen=True)
class Seen:
    """An attempt before it was carried out. `result` is None for a pod that PreEnqueue kept out."""

    attempt: AttemptInFull
    result: AttemptResult | None
    profiles: Mapping[str, Profile]

    def explanation(self, decision: Decision, state: ClusterState, before: Before) -> Explanation:
        """Return the attempt in full."""
        return AttemptExplanation(decision, state, self, before)


def each_filter(profile: Profile) -> list[FilterPlugin]:
    """Return the filters that answer one by one, in their order."""
    return [part for whole in profile.filters for part in whole.each]


def devices_by(filters: Iterable[FilterPlugin], view: View, node: int) -> DevicesTried | None:
    """Return what came of each device of a node (a row), of the filter that looks for some."""
    found = (one.devices(view, node) for one in filters if one.looks_for_devices and one.name in view.states)
    return next((one for one in found if one is not None), None)


def _answer_of(call: Call, node: str) -> FilterAnswer:
    """Return an extender's answer about a node. A node that stays is accepted, whatever is said of it."""
    assert call.filtered is not None
    code: Code | None = None
    reasons = []
    if node not in call.filtered.fits:
        unresolvable = call.filtered.unresolvable.get(node)
        reason = call.filtered.failed.get(node) if unresolvable is None else unresolvable
        code = UNSCHEDULABLE if unresolvable is None and reason is not None else UNRESOLVABLE
        reasons = [] if reason is None else [reason]
    return FilterAnswer(call.extender, code, reasons, [])


class AttemptExplanation(Explanation):
    """An attempt in full."""

    def __init__(self, decision: Decision, state: ClusterState, seen: Seen, before: Before) -> None:
        super().__init__(decision, state)
        self.attempt = seen.attempt
        self._looked = None if seen.result is None else _Looked(state, seen, seen.result, before)

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        chosen: Chosen = ALL_NODES,
        *,
        sort: str = "name",
        with_cards: bool = False,
    ) -> list[VisitedNode]:
        return [] if self._looked is None else self._looked.nodes(offset, limit, chosen, sort, with_cards)

    def count(self, chosen: Chosen = ALL_NODES) -> int:
        return 0 if self._looked is None else len(self._looked.rows(chosen))

    def node(self, name: str) -> NodeInFull:
        nothing = super().node(name)
        return nothing if self._looked is None else self._looked.node(name)


class _Looked:
    """An attempt that looked at nodes."""

    def __init__(self, state: ClusterState, seen: Seen, result: AttemptResult, before: Before) -> None:
        self._state = state
        self._seen = seen
        self._before = before
        self._result = result

    @property
    def _profile(self) -> Profile:
        return self._seen.profiles[self._result.cycle.pod.scheduler_name]

    # -- nodes ---------------------------------------------------------------------------------------

    def nodes(
        self, offset: int, limit: int, chosen: Chosen, sort: str, with_cards: bool
    ) -> list[VisitedNode]:
        rows, names = self.rows(chosen), self._state.nodes.names
        rows.sort(key=names.__getitem__)
        if sort == "-total":
            rows.sort(key=lambda row: -self._total(names[row], -1))
        with self._before():
            return [self._visited(row, with_cards) for row in rows[offset : offset + limit]]

    def rows(self, chosen: Chosen) -> list[int]:
        verdicts = self._result.final
        if verdicts is None:
            return []
        rows = np.flatnonzero(verdicts.visited).tolist()
        return [row for row in rows if chosen.accepts(verdicts.status(row))]

    def _visited(self, row: int, with_cards: bool) -> VisitedNode:
        name = self._state.nodes.names[row]
        verdict, scores = self._verdict(row), self._scores(name)
        return VisitedNode(
            node=name,
            status=verdict,
            numbers=self._numbers(rejecters_of(verdict) if verdict else _FIT, row),
            scores=dict(scores.plugins) if scores else None,
            total=scores.total if scores else None,
            cards=self._cards(name) if with_cards else None,
        )

    def _cards(self, name: str) -> CardsInShort | None:
        """Return what HAMi says of a node that it was asked about."""
        hearing = self._result.hearing
        found = hearing.cards_of(name) if hearing and name in self._asked else None
        return None if found is None else found.in_short()

    @cached_property
    def _asked(self) -> frozenset[str]:
        """The nodes that an extender's filter was asked about."""
        calls = self._result.hearing.calls if self._result.hearing else ()
        return frozenset(name for call in calls if call.verb == "filter" for name in call.nodes)

    def _verdict(self, row: int) -> Status | None:
        """Return a node's rejection by plugins or extenders, None for one that fits or was not visited."""
        return None if self._result.final is None else self._result.final.status(row)

    def _scores(self, name: str) -> NodeScores | None:
        return self._seen.attempt.scores.get(name)

    def _total(self, name: str, without: int) -> int:
        scores = self._scores(name)
        return without if scores is None else scores.total

    # -- one node ------------------------------------------------------------------------------------

    def node(self, name: str) -> NodeInFull:
        if self._result.room is None:
            return NodeInFull(name)
        row = self._state.nodes.index[name]
        verdict, scores = self._verdict(row), self._scores(name)
        with self._before():
            return NodeInFull(
                node=name,
                filters=[*self._filters(row), *self._answers_of_extenders(name)],
                first_failure=verdict.plugin if verdict else None,
                scores=[*self._node_scores(row), *self._points_of_extenders(name)],
                total=scores.total if scores else None,
                nominated_pods_counted=self._nominated(row),
                reprieve=self._reprieve(row),
                cards=self._result.hearing.cards_of(name) if self._result.hearing else None,
                devices=devices_by(each_filter(self._profile), self._view(), row),
            )

    def _view(self) -> View:
        assert self._result.room is not None
        return self._result.room.crowded

    def _filters(self, row: int) -> list[FilterAnswer]:
        cycle = self._result.cycle
        answers = []
        for plugin in each_filter(self._profile):
            if plugin.name in cycle.skipped_filters or self._is_unprepared(plugin.name):
                continue
            code = int(self._view().ask(plugin, np.array([row], dtype=np.int64))[0])
            status = cycle.status(plugin, code) if code else None
            answers.append(
                FilterAnswer(
                    plugin=plugin.name,
                    code=status.code if status else None,
                    reasons=status.reasons if status else [],
                    numbers=[] if plugin.name in cycle.refusals else plugin.numbers(self._view(), row),
                )
            )
        return answers

    def _answers_of_extenders(self, node: str) -> list[FilterAnswer]:
        """Return what each extender that was asked said of a node."""
        return [
            _answer_of(call, node)
            for call in (self._result.hearing.calls if self._result.hearing else ())
            if call.filtered is not None and node in call.nodes
        ]

    def _points_of_extenders(self, node: str) -> list[ScoreAnswer]:
        """Return what each extender adds to a node's score."""
        weights = {one.url_prefix: one.weight for one in self._profile.extenders}
        found = []
        for call in self._result.extender_scores:
            if (points := (call.scores or {}).get(node)) is not None:
                weight = weights[call.extender]
                one = points // weight if weight else 0
                found.append(ScoreAnswer(call.extender, one // _TENFOLD, one, weight, points))
        return found

    def _is_unprepared(self, name: str) -> bool:
        """Return whether PreFilter ended before it came to this plugin."""
        prepares = any(plugin.name == name for plugin in self._profile.pre_filters)
        return prepares and name not in self._view().states

    def _numbers(self, plugins: Sequence[str], row: int) -> list[Figure]:
        view = self._view()
        return [
            figure
            for whole in self._profile.filters
            for part in whole.each
            if (whole.name in plugins or part.name in plugins) and part.name in view.states
            for figure in part.numbers(view, row)
        ]

    def _node_scores(self, row: int) -> list[ScoreAnswer]:
        places = np.flatnonzero(self._result.feasible == row)
        return [
            ScoreAnswer(
                plugin=score.plugin,
                raw=int(score.raw[places[0]]),
                normalized=int(score.normalized[places[0]]),
                weight=score.weight,
                weighted=int(score.weighted[places[0]]),
            )
            for score in self._result.scores
            if len(places)
        ]

    def _nominated(self, row: int) -> list[PodRef]:
        nodes, pods = self._result.room.nominated if self._result.room else nobody()
        return [pod_ref(self._state, pod) for pod in pods[nodes == row].tolist()]

    # -- the dry run ---------------------------------------------------------------------------------

    def _reprieve(self, row: int) -> Reprieve | None:
        runs = self._result.preemption.runs if self._result.preemption else None
        places = np.flatnonzero(runs.nodes == row).tolist() if runs is not None else []
        if runs is None or not places:
            return None
        return Reprieve(
            removed=[pod_ref(self._state, pod) for pod in runs.removed(places[0])],
            steps=list(self._steps(runs, places[0])),
            status=runs.rejection(places[0]),
        )

    def _steps(self, runs: Runs, run: int) -> Iterator[ReprieveStep]:
        assert self._result.room is not None
        trial, removed = self._result.room.trial(), np.array(runs.removed(run), dtype=np.int64)
        row = int(runs.nodes[run])
        node = np.array([row], dtype=np.int64)
        trial.update(np.repeat(node, len(removed)), removed, -1)
        for step in runs.steps(run):
            pod = np.array([step.pod], dtype=np.int64)
            trial.update(node, pod, 1)
            rejection = step.rejection
            yield ReprieveStep(
                pod=pod_ref(self._state, step.pod),
                violates_budget=step.violates_budget,
                outcome="reprieved" if rejection is None else "victim",
                plugin=rejection.plugin if rejection else None,
                reasons=rejection.reasons if rejection else [],
                numbers=self._fit_numbers(trial.crowded, row),
            )
            if rejection is not None:
                trial.update(node, pod, -1)

    def _fit_numbers(self, view: View, node: int) -> list[Figure]:
        for plugin in each_filter(self._profile):
            if plugin.name in _FIT and plugin.name in view.states:
                return plugin.numbers(view, node)
        return []
