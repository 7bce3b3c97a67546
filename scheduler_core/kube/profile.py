"""A profile: the plugins of one scheduler name at each extension point, and how they are run.

Source: kubernetes v1.36 pkg/scheduler/framework/runtime/framework.go.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.extenders.panel import Panel
from scheduler_core.kube.extenders.settings import ExtenderSettings
from scheduler_core.kube.framework import (
    MAX_NODE_SCORE,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    NodeNames,
    Plugin,
    PluginError,
    PreFiltered,
    Rejected,
    ReservePlugin,
    ScoreFault,
    ScorePlugin,
    Skip,
    View,
)
from scheduler_core.kube.message import fit_error
from scheduler_core.kube.placement_plugins import USUAL, PlacementPlugins
from scheduler_core.kube.post_filter import PostFilterPlugin
from scheduler_core.kube.preemption.dry_run import DryRuns
from scheduler_core.kube.sampling import ALL_NODES, nodes_to_find
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.kube.wording import (
    filter_error,
    pre_score_error,
    reserve_error,
    score_error,
    score_range_error,
)
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.state.nodes import IntArray


@dataclass
class PluginScore:
    """One plugin's scores for the feasible nodes: raw, normalized and weighted have shape (feasible,)."""

    plugin: str
    weight: int
    raw: IntArray
    normalized: IntArray

    @property
    def weighted(self) -> IntArray:
        """What counts for the total."""
        return self.normalized * self.weight


@dataclass
class Prepared:
    """What each PreFilter says, whatever the others say: who rejects, and who leaves which nodes."""

    rejected: dict[str, Status] = field(default_factory=dict)
    names: dict[str, frozenset[str]] = field(default_factory=dict)

    def narrowed_by(self, plugin: str) -> PreFiltered:
        """Return PreFilter's outcome where this plugin alone leaves nodes out."""
        return PreFiltered(names=self.names[plugin], narrowed_by=[plugin])


@dataclass
class Profile:
    """The plugins by extension point, each in its order; `scores` with their weights.

    `in_use` are all that stand at some point, also at one that decides nothing here. `siblings` are the names
    of the profiles of the same scheduler, which knows its own pods' nominations only. `extenders` are in the
    order in which they are asked, by the `panel` that the scheduler makes of them.
    """

    scheduler_name: str
    pre_enqueue: list[Any]
    pre_filters: list[Plugin]
    filters: list[FilterPlugin]
    scores: list[tuple[ScorePlugin, int]]
    post_filters: list[PostFilterPlugin]
    pre_scores: list[ScorePlugin]
    reserves: list[Plugin] = field(default_factory=list)
    pre_binds: list[Any] = field(default_factory=list)
    percentage_of_nodes_to_score: int = ALL_NODES
    in_use: list[Plugin] = field(default_factory=list)
    siblings: frozenset[str] = frozenset()
    extenders: list[ExtenderSettings] = field(default_factory=list)
    panel: Panel = field(default_factory=Panel)
    placements: PlacementPlugins = USUAL
    dry_runs: ClassVar[type[DryRuns]] = DryRuns
    skips_binders: ClassVar[bool] = True
    """Whether an extender that can't bind is passed over if it may be ignored."""
    nominates_without_post_filters: ClassVar[str | None] = ""
    """The nomination after an attempt that fails where no plugin runs PostFilter, None to leave it."""
    blames_pre_filters: ClassVar[bool] = True
    """Whether plugins count as having rejected a pod that only left nodes out before the filters."""
    blames_search_apart: ClassVar[bool] = True
    """Whether the plugin counts so that rejected the nominated node, where only it was searched there."""

    @cached_property
    def reserving(self) -> list[ReservePlugin]:
        """The plugins that take note of a placement before it is bound."""
        return [plugin for plugin in self.reserves if isinstance(plugin, ReservePlugin)]

    @cached_property
    def _unprepared(self) -> list[FilterPlugin]:
        """The filters that have a PreFilter which is switched off."""
        prepared = {plugin.name for plugin in self.pre_filters}
        return [
            plugin
            for plugin in self.filters
            if plugin.name not in prepared and type(plugin).pre_filter is not FilterPlugin.pre_filter
        ]

    def samples(self, nodes: int) -> bool:
        """Return whether attempts may end their search before all of so many nodes were visited."""
        return nodes_to_find(self.percentage_of_nodes_to_score, nodes) < nodes

    def run_pre_filter(self, cycle: Cycle) -> PreFiltered:
        """Run PreFilter of all plugins; a rejection is kept.

        An unresolvable one, or an error, ends it, and then no nodes were left out either.
        """
        result = PreFiltered()
        for plugin in self.pre_filters:
            cycle.prepared.add(plugin.name)
            answer = plugin.pre_filter(cycle) if isinstance(plugin, FilterPlugin) else Skip()
            if isinstance(answer, Skip):
                cycle.skipped_filters.add(plugin.name)
            elif isinstance(answer, Rejected):
                result.rejected = answer.status
                if self.ends_pre_filter(answer.status):
                    result.names, result.narrowed_by = None, []
                    return result
            elif isinstance(answer, NodeNames):
                cycle.states[plugin.name] = answer.state
                if self._narrow(result, plugin.name, answer.names):
                    return result
            else:
                cycle.states[plugin.name] = answer
        for plugin in self._unprepared:
            self._prepare_late(cycle, plugin)
        return result

    def prepare_each(self, cycle: Cycle) -> Prepared:
        """Run PreFilter of all plugins: neither a rejection nor nodes that are left out end it."""
        found = Prepared()
        for plugin in self.pre_filters:
            cycle.prepared.add(plugin.name)
            answer = plugin.pre_filter(cycle) if isinstance(plugin, FilterPlugin) else Skip()
            if isinstance(answer, Rejected):
                found.rejected[plugin.name] = answer.status
            elif isinstance(answer, Skip):
                cycle.skipped_filters.add(plugin.name)
            elif isinstance(answer, NodeNames):
                cycle.states[plugin.name] = answer.state
                found.names[plugin.name] = answer.names
            else:
                cycle.states[plugin.name] = answer
        for plugin in self._unprepared:
            self._prepare_late(cycle, plugin)
        return found

    def ends_pre_filter(self, rejected: Status) -> bool:
        """Return whether no more PreFilter runs after a rejection."""
        return rejected.code != UNSCHEDULABLE

    def _prepare_late(self, cycle: Cycle, plugin: FilterPlugin) -> None:
        """Do in Filter what a PreFilter that is switched off would have done, if the plugin can."""
        if plugin.unprepared:
            cycle.refusals[plugin.name] = filter_error(plugin.name, plugin.unprepared)
            return
        answer = plugin.pre_filter_late(cycle)
        if isinstance(answer, Skip):
            cycle.skipped_filters.add(plugin.name)
        elif isinstance(answer, Rejected):
            cycle.refusals[plugin.name] = answer.status
        else:
            assert isinstance(answer, FilterState)
            cycle.states[plugin.name] = answer

    def _narrow(self, result: PreFiltered, plugin: str, names: frozenset[str]) -> bool:
        """Leave only nodes of these names; return whether none is left."""
        result.narrowed_by.append(plugin)
        result.names = names if result.names is None else result.names & names
        if result.names:
            return False
        result.rejected = self.nodes_exclude_each_other(result.narrowed_by)
        return True

    def nodes_exclude_each_other(self, plugins: list[str]) -> Status:
        """Return the rejection of a pod of whose nodes the PreFilters of these plugins left none together."""
        return Status("", UNRESOLVABLE, [unsatisfied_together(sorted(plugins))])

    def failure_message(
        self,
        nodes: int,
        counted: list[tuple[Status, int]],
        outside: int,
        pre_filtered: PreFiltered,
        post_filter: str,
    ) -> str:
        """Return the message of an attempt that found no node.

        `counted` are statuses with the number of their nodes, `outside` how many nodes have none because
        PreFilter left them out.
        """
        rejected = pre_filtered.rejected
        if outside > 0 and pre_filtered.names is not None and (said := self.left_out(pre_filtered)):
            counted = [*counted, (said, outside)]
        pre_filter = ", ".join(rejected.reasons) if rejected else ""
        return fit_error(nodes, counted, pre_filter=pre_filter, post_filter=post_filter)

    def left_out(self, pre_filtered: PreFiltered) -> Status | None:
        """Return what is said of the nodes that PreFilter left out, None for nothing."""
        blamed = " ".join(sorted(pre_filtered.blamed | set(pre_filtered.narrowed_by)))
        return Status("", UNRESOLVABLE, [f"node(s) didn't satisfy plugin(s) [{blamed}]"])

    def run_filters(self, view: View, nodes: IntArray, *, pods_only: bool = False) -> Verdicts:
        """Ask every Filter plugin about the nodes; the first no ends it for a node.

        `pods_only` asks only the plugins whose answer depends on the pods of the nodes.
        """
        verdicts = Verdicts(view.cycle, self.filters, len(view.cluster.nodes))
        for place, plugin in enumerate(self.filters):
            if plugin.name in view.cycle.skipped_filters or (pods_only and not plugin.reads_pods):
                continue
            if len(nodes) == 0:
                break
            codes = view.ask(plugin, nodes)
            rejected = codes != 0
            if rejected.any():
                verdicts.set_rejected(nodes[rejected], place, codes[rejected])
                nodes = nodes[~rejected]
        verdicts.set_fits(nodes)
        return verdicts

    def reading_pods(self, cycle: Cycle) -> list[tuple[int, FilterPlugin]]:
        """Return the filters, with their places, whose answers about a pod depend on the nodes' pods."""
        return [
            (place, plugin)
            for place, plugin in enumerate(self.filters)
            if plugin.reads_pods and plugin.name not in cycle.skipped_filters
        ]

    def run_scores(self, cycle: Cycle, nodes: IntArray) -> list[PluginScore]:
        """Score the feasible nodes; a plugin that skips itself is absent. Raises PluginError."""
        scores = []
        for plugin, weight, found in self.prepare_scores(cycle, nodes):
            if not isinstance(found, Skip):
                raw = plugin.score(cycle, found, nodes)
                normalized = plugin.normalize(cycle, found, nodes, raw)
                scores.append(PluginScore(plugin.name, weight, raw, normalized))
        return scores

    def prepare_scores(self, cycle: Cycle, nodes: IntArray) -> list[tuple[ScorePlugin, int, Any]]:
        """Return the plugins that score, each with its weight and PreScore's answer. Raises PluginError."""
        prepared = self._run_pre_score(cycle, nodes)
        for plugin, _ in self.scores:
            if plugin.name not in prepared:
                prepared[plugin.name] = self._pre_score_late(plugin, cycle, nodes)
        return [(plugin, weight, prepared[plugin.name]) for plugin, weight in self.scores]

    def prepare_score(self, plugin: ScorePlugin, cycle: Cycle, nodes: IntArray) -> Any:
        """Return what one plugin's PreScore answers. Raises PluginError."""
        if plugin in self.pre_scores:
            return self._pre_score(plugin, cycle, nodes)
        return self._pre_score_late(plugin, cycle, nodes)

    def _run_pre_score(self, cycle: Cycle, nodes: IntArray) -> dict[str, Any]:
        """Return what each plugin's PreScore answers, also of those that do not score."""
        return {plugin.name: self._pre_score(plugin, cycle, nodes) for plugin in self.pre_scores}

    def _pre_score(self, plugin: ScorePlugin, cycle: Cycle, nodes: IntArray) -> Any:
        try:
            return plugin.pre_score(cycle, nodes)
        except ScoreFault as fault:
            raise PluginError(pre_score_error(plugin.name, str(fault))) from fault

    def _pre_score_late(self, plugin: ScorePlugin, cycle: Cycle, nodes: IntArray) -> Any:
        try:
            return plugin.pre_score_late(cycle, nodes)
        except ScoreFault as fault:
            raise PluginError(score_error(plugin.name, str(fault))) from fault

    def run_reserve(self, cycle: Cycle) -> Status | None:
        """Return the error of a plugin that cannot take note of a placement, None if all can."""
        for plugin in self.reserves:
            if plugin.name not in cycle.prepared:
                return reserve_error(plugin.name, plugin.unprepared)
            if plugin not in self.filters and (text := plugin.unfiltered(cycle)):
                return reserve_error(plugin.name, text)
        return None

    def run_pre_bind(self, cycle: Cycle, node: int) -> Status | None:
        """Return the error of the first plugin that can't prepare binding the pod, None if all can."""
        for plugin in self.pre_binds:
            status: Status | None = plugin.pre_bind(cycle, node)
            if status is not None:
                return status
        return None


def unsatisfied_together(plugins: list[str]) -> str:
    """Return the reason of a pod for which these plugins' PreFilters left no node together."""
    if len(plugins) == 1:
        return f"node(s) didn't satisfy plugin {plugins[0]}"
    return f"node(s) didn't satisfy plugin(s) [{' '.join(plugins)}] simultaneously"


def check_range(scores: Iterable[PluginScore]) -> None:
    """Raise PluginError for the first node with a score out of range, and the first plugin that gave it."""
    # Read without a sign, negative numbers are the greatest: one look finds both kinds.
    outside = [score for score in scores if score.normalized.view(np.uint64).max() > MAX_NODE_SCORE]
    if outside:
        places = [_first_outside(score.normalized) for score in outside]
        place = min(places)
        score = outside[places.index(place)]
        raise PluginError(score_range_error(score.plugin, int(score.normalized[place])))


def _first_outside(scores: IntArray) -> int:
    return int(np.argmax((scores < 0) | (scores > MAX_NODE_SCORE)))


def total_of(scores: Iterable[PluginScore], nodes: IntArray) -> IntArray:
    """Return the plain sum of the weighted scores, shape (feasible,)."""
    total = np.zeros(len(nodes), dtype=np.int64)
    for score in scores:
        total += score.weighted
    return total
