"""A decision in full: every node's verdict with numbers, every score, and each step of a dry run.

An explanation belongs to the moment before its decision. It takes the simulation back there for as long
as it computes, and forward again by the same decision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from scheduler_core.events.decisions import Decision, Status
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.look import Gated, Look, Looked
from scheduler_core.kube.nominated import nobody
from scheduler_core.kube.preemption.dry_run import DryRuns
from scheduler_core.kube.profile import Profile
from scheduler_core.oracle import recorded
from scheduler_core.state.cluster import ClusterState

if TYPE_CHECKING:
    from scheduler_core.kube.framework import FilterPlugin, View

NodeStatus = Literal["fits", "rejected"]
Figures = list[dict[str, Any]]
_FIT = ("NodeResourcesFit", "PodFitsResources")
"""The filter about resources, by its name since the framework and before."""


class Explanation:
    """A decision in full. Of an eviction there is no more to say than the decision itself."""

    def __init__(self, decision: Decision, state: ClusterState, cycle: dict[str, Any] | None = None) -> None:
        self.decision = decision
        self.cycle = cycle or {}
        self._state = state

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        reason: str | None = None,
        *,
        plugin: str | None = None,
        status: NodeStatus | None = None,
        sort: str = "name",
    ) -> list[dict[str, Any]]:
        """Return {node, status, numbers, scores, total} of the visited nodes, sorted by name or `-total`.

        `reason` and `plugin` keep the nodes rejected with that reason or by that plugin, also among others.
        """
        return []

    def count(
        self, reason: str | None = None, *, plugin: str | None = None, status: NodeStatus | None = None
    ) -> int:
        """Return how many nodes `nodes` lists in all."""
        return 0

    def node(self, name: str) -> dict[str, Any]:
        """Return why this node: all filters, scores, nominations that counted, and the dry run.

        Raises KeyError for a name that no node has.
        """
        if name not in self._state.nodes.index:
            raise KeyError(name)
        return {
            "node": name,
            "filters": [],
            "first_failure": None,
            "scores": [],
            "total": None,
            "nominated_pods_counted": [],
            "reprieve": None,
        }


def _named(verdict: Status) -> list[str]:
    """Return who rejected a node, each alone and together: a release may name all that failed."""
    return [*verdict.plugin.split(", "), verdict.plugin]


def each_filter(profile: Profile) -> list[FilterPlugin]:
    """Return the filters that answer one by one, in their order."""
    return [part for whole in profile.filters for part in whole.each]


def render(state: ClusterState, look: Look) -> dict[str, Any]:
    """Return the recorded format of what was decided, before it is applied."""
    if isinstance(look, Gated):
        return recorded.gated_cycle(state.pods.infos[look.pod], look.status, state.nominated[look.pod])
    return recorded.attempt_cycle(look.result, look.attempt, look.nominated_before, "")


class AttemptExplanation(Explanation):
    """An attempt in full. Valid until the simulation takes its next step."""

    def __init__(
        self,
        decision: Decision,
        state: ClusterState,
        cycle: dict[str, Any],
        look: Look,
        profiles: Mapping[str, Profile],
        before: Callable[[], AbstractContextManager[None]],
    ) -> None:
        super().__init__(decision, state, cycle)
        self._result = look.result if isinstance(look, Looked) else None
        self._profiles = profiles
        self._before = before

    # -- nodes ---------------------------------------------------------------------------------------

    def nodes(
        self,
        offset: int = 0,
        limit: int = 1000,
        reason: str | None = None,
        *,
        plugin: str | None = None,
        status: NodeStatus | None = None,
        sort: str = "name",
    ) -> list[dict[str, Any]]:
        rows = [row for row in self._visited() if self._wanted(row, reason, plugin, status)]
        rows.sort(key=self._state.nodes.names.__getitem__)
        scores = self._scores()
        if sort == "-total":
            rows.sort(key=lambda row: -scores.get(row, {}).get("total", -1))
        with self._before():
            return [self._row(row, scores.get(row)) for row in rows[offset : offset + limit]]

    def count(
        self,
        reason: str | None = None,
        *,
        plugin: str | None = None,
        status: NodeStatus | None = None,
    ) -> int:
        return sum(self._wanted(row, reason, plugin, status) for row in self._visited())

    def _visited(self) -> list[int]:
        if self._result is None or self._result.verdicts is None:
            return []
        rows: list[int] = np.flatnonzero(self._result.verdicts.visited).tolist()
        return rows

    def _wanted(self, row: int, reason: str | None, plugin: str | None, status: str | None) -> bool:
        assert self._result is not None and self._result.verdicts is not None
        verdict = self._result.verdicts.status(row)
        if status is not None and (verdict is None) != (status == "fits"):
            return False
        if plugin is not None and (verdict is None or plugin not in _named(verdict)):
            return False
        return reason is None or (verdict is not None and reason in verdict.reasons)

    def _row(self, row: int, scores: dict[str, int] | None) -> dict[str, Any]:
        assert self._result is not None and self._result.verdicts is not None
        verdict = self._result.verdicts.status(row)
        total = None if scores is None else scores["total"]
        weighted = (
            None if scores is None else {name: value for name, value in scores.items() if name != "total"}
        )
        plugins = _named(verdict) if verdict else _FIT
        return {
            "node": self._state.nodes.names[row],
            "status": recorded.verdict(verdict),
            "numbers": self._numbers(plugins, row),
            "scores": weighted,
            "total": total,
        }

    def _scores(self) -> dict[int, dict[str, int]]:
        table: dict[str, dict[str, int]] = self.cycle.get("scores", {})
        return {self._state.nodes.index[name]: scores for name, scores in table.items()}

    # -- one node ------------------------------------------------------------------------------------

    def node(self, name: str) -> dict[str, Any]:
        nothing = super().node(name)
        row = self._state.nodes.index[name]
        if self._result is None or self._result.room is None:
            return nothing
        with self._before():
            verdict = self._result.verdicts.status(row) if self._result.verdicts else None
            return nothing | {
                "filters": self._filters(row),
                "first_failure": verdict.plugin if verdict else None,
                "scores": self._node_scores(row),
                "total": self._scores().get(row, {}).get("total"),
                "nominated_pods_counted": self._nominated(row),
                "reprieve": self._reprieve(row),
            }

    def _view(self) -> View:
        assert self._result is not None and self._result.room is not None
        return self._result.room.crowded

    def _filters(self, row: int) -> list[dict[str, Any]]:
        assert self._result is not None
        cycle = self._result.cycle
        profile = self._profiles[cycle.pod.scheduler_name]
        answers = []
        for plugin in each_filter(profile):
            if plugin.name in cycle.skipped_filters or self._is_unprepared(plugin.name, profile):
                continue
            code = int(self._view().ask(plugin, np.array([row], dtype=np.int64))[0])
            status = cycle.status(plugin, code) if code else None
            answers.append(
                {
                    "plugin": plugin.name,
                    "code": status.code if status else None,
                    "reasons": status.reasons if status else [],
                    "numbers": [] if plugin.name in cycle.refusals else plugin.numbers(self._view(), row),
                }
            )
        return answers

    def _is_unprepared(self, name: str, profile: Profile) -> bool:
        """Return whether PreFilter ended before it came to this plugin."""
        return name in {plugin.name for plugin in profile.pre_filters} and name not in self._view().states

    def _numbers(self, plugins: Sequence[str], row: int) -> Figures:
        assert self._result is not None
        profile, view = self._profiles[self._result.cycle.pod.scheduler_name], self._view()
        return [
            figure
            for whole in profile.filters
            for part in whole.each
            if (whole.name in plugins or part.name in plugins) and part.name in view.states
            for figure in part.numbers(view, row)
        ]

    def _node_scores(self, row: int) -> list[dict[str, Any]]:
        assert self._result is not None
        places = np.flatnonzero(self._result.feasible == row)
        return [
            {
                "plugin": score.plugin,
                "raw": int(score.raw[places[0]]),
                "normalized": int(score.normalized[places[0]]),
                "weight": score.weight,
                "weighted": int(score.weighted[places[0]]),
            }
            for score in self._result.scores
            if len(places)
        ]

    def _nominated(self, row: int) -> list[dict[str, Any]]:
        assert self._result is not None
        nodes, pods = self._result.room.nominated if self._result.room else nobody()
        return [msgspec.to_builtins(pod_ref(self._state, pod)) for pod in pods[nodes == row].tolist()]

    # -- the dry run ---------------------------------------------------------------------------------

    def _reprieve(self, row: int) -> dict[str, Any] | None:
        assert self._result is not None
        runs = self._result.preemption.runs if self._result.preemption else None
        places = np.flatnonzero(runs.nodes == row).tolist() if runs is not None else []
        if runs is None or not places:
            return None
        return {
            "removed": [msgspec.to_builtins(pod_ref(self._state, pod)) for pod in runs.removed(places[0])],
            "steps": list(self._steps(runs, places[0])),
            "status": recorded.verdict(runs.rejection(places[0])),
        }

    def _steps(self, runs: DryRuns, run: int) -> Iterator[dict[str, Any]]:
        assert self._result is not None and self._result.room is not None
        trial, removed = self._result.room.trial(), np.array(runs.removed(run), dtype=np.int64)
        row = int(runs.nodes[run])
        node = np.array([row], dtype=np.int64)
        trial.update(np.repeat(node, len(removed)), removed, -1)
        for step in runs.steps(run):
            pod = np.array([step.pod], dtype=np.int64)
            trial.update(node, pod, 1)
            rejection = step.rejection
            yield {
                "pod": msgspec.to_builtins(pod_ref(self._state, step.pod)),
                "violates_budget": step.violates_budget,
                "outcome": "reprieved" if rejection is None else "victim",
                "plugin": rejection.plugin if rejection else None,
                "reasons": rejection.reasons if rejection else [],
                "numbers": self._fit_numbers(trial.crowded, row),
            }
            if rejection is not None:
                trial.update(node, pod, -1)

    def _fit_numbers(self, view: View, node: int) -> Figures:
        assert self._result is not None
        for plugin in each_filter(self._profiles[self._result.cycle.pod.scheduler_name]):
            if plugin.name in _FIT and plugin.name in view.states:
                return plugin.numbers(view, node)
        return []
