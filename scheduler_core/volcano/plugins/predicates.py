"""predicates: kube-scheduler's own filters, those that depend on the node alone first.

What PreFilter has computed stays as it was when the task was looked at, whatever is evicted afterwards; a
plugin that has skipped a task once skips it for the whole session.

Source: volcano v1.16 pkg/scheduler/plugins/predicates/predicates.go, cache.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from scheduler_core.kube.framework import (
    Cycle,
    FilterPlugin,
    NodeNames,
    PreFilterAnswer,
    Rejected,
    Skip,
    View,
)
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.plugins.inter_pod_affinity import InterPodAffinity
from scheduler_core.kube.plugins.node_affinity import NodeAffinity
from scheduler_core.kube.plugins.node_ports import NodePorts
from scheduler_core.kube.plugins.node_unschedulable import NodeUnschedulable
from scheduler_core.kube.plugins.node_volume_limits import NodeVolumeLimits
from scheduler_core.kube.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.kube.plugins.taint_toleration import TaintToleration
from scheduler_core.kube.plugins.volume_binding import VolumeBinding
from scheduler_core.kube.plugins.volume_zone import VolumeZone
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.volumes.claims import claims_of
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.devices.of_configuration import device_sharing
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.fit_errors import FOR_GOOD, Refusal, Refusals
from scheduler_core.volcano.model.node_devices import CannotAllocate, NodeDevices
from scheduler_core.volcano.model.nodes import Floats, Mask, Rows
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.known_affinity import KnownAffinity

_TEMPLATE = "volcano.sh/template-uid"
_TOO_MANY_PODS = Refusal("Unschedulable", "node(s) pod number exceeded", "predicates")
_CACHED = Refusal("Error", "plugin equivalence cache predicates failed", "predicate.CacheEnable")

_STABLE: list[tuple[type[FilterPlugin], str]] = [
    (NodeUnschedulable, ""),
    (NodeAffinity, "predicate.NodeAffinityEnable"),
    (TaintToleration, "predicate.TaintTolerationEnable"),
]
"""The filters that a session's own doings don't change, with the arguments that switch them off."""
_OTHERS: list[tuple[type[FilterPlugin], str]] = [
    (NodePorts, "predicate.NodePortsEnable"),
    (InterPodAffinity, "predicate.PodAffinityEnable"),
    (NodeVolumeLimits, "predicate.NodeVolumeLimitsEnable"),
    (VolumeZone, "predicate.VolumeZoneEnable"),
    (PodTopologySpread, "predicate.PodTopologySpreadEnable"),
    (VolumeBinding, "predicate.VolumeBindingEnable"),
    (DynamicResources, ""),
]
_RESERVING = (VolumeBinding, DynamicResources)


class Predicates(Plugin):
    """For the filters a pipelined pod is on its node, and an evicted one is gone at once."""

    name = "predicates"
    gives_back = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._stable = self._made(_STABLE)
        self._others = self._made(_OTHERS)
        self._reserving = {plugin.name for plugin in self._others if isinstance(plugin, _RESERVING)}
        self._caching = option.arguments.boolean("predicate.CacheEnable", False)
        self._cache: dict[tuple[int, str], bool] = {}
        self._idle: dict[int | None, Cycle] = {}
        self._suited: dict[int | None, Mask] = {}
        self._policy = device_sharing(session.configuration).policy

    def _made(self, plugins: list[tuple[type[FilterPlugin], str]]) -> list[FilterPlugin]:
        kept = [plugin for plugin, key in plugins if not key or self.arguments.boolean(key, True)]
        state = self.session.state
        return [KnownAffinity(state) if plugin is InterPodAffinity else plugin() for plugin in kept]

    # -- one task ------------------------------------------------------------------------------------

    def pre_predicate(self, task: Task) -> str | None:
        """Let every filter look at the task; return the first error."""
        known = self.session.classes.of(task)
        if known in self._idle:
            self._look_again(task, self._idle[known])
            return None
        cycle = self._cycle(task)
        for plugin in (*self._stable, *self._others):
            cycle.prepared.add(plugin.name)
            answer = plugin.pre_filter(cycle)
            if isinstance(answer, Rejected):
                return f"plugin {plugin.name} pre-predicates failed {', '.join(answer.status.reasons)}"
            if isinstance(answer, Skip):
                cycle.skipped_filters.add(plugin.name)
            else:
                cycle.states[plugin.name] = answer.state if isinstance(answer, NodeNames) else answer
        if known is not None and self._is_idle(cycle):
            self._idle[known] = cycle
        return None

    def _is_idle(self, cycle: Cycle) -> bool:
        """Return whether only the stable filters have to do with such a task, now and later."""
        for plugin in self._others:
            if plugin.name not in cycle.skipped_filters:
                return False
            if isinstance(plugin, KnownAffinity) and not plugin.is_silent_for(cycle.pod):
                return False
        return not any(claims_of(cycle.pod.pod)) and not self._caching

    def _look_again(self, task: Task, before: Cycle) -> None:
        """Find what was found for another task of the class."""
        known = self.session.cycles.setdefault(task.uid, before)
        if known is not before:
            known.prepared |= before.prepared
            known.skipped_filters |= before.skipped_filters
            known.states |= before.states

    def by_node(self, task: Task) -> bool:
        return self.session.classes.of(task) in self._idle

    def _cycle(self, task: Task) -> Cycle:
        cycles, state = self.session.cycles, self.session.state
        if task.uid not in cycles:
            assert task.row is not None
            cycles[task.uid] = Cycle(state, state.pods.infos[task.row])
        return cycles[task.uid]

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return why nodes refuse: reasons add up until the first that is for good."""
        cycle = self._cycle(task)
        view = View(cycle)
        refused: dict[int, Refusals] = {}
        full = self.session.nodes.pod_limit[rows] <= self.session.state.pod_count[rows]
        for row in rows[full].tolist():
            refused[row] = (_TOO_MANY_PODS,)
        known = self.session.classes.of(task)
        before = self._idle.get(known)
        if before is not None and cycle.prepared >= before.prepared and self._suits(view, known)[rows].all():
            return refused
        left = self._ask_stable(task, view, rows, refused)
        for plugin in self._others:
            left = self._ask(view, plugin, left, refused)
        return refused

    def alone(self, task: Task) -> Iterator[tuple[FilterPlugin, View, dict[int, Refusals]]]:
        """Yield each filter with what it says of all nodes when it is asked alone; the task was looked at."""
        view = View(self._cycle(task))
        for plugin in (*self._stable, *self._others):
            refused: dict[int, Refusals] = {}
            self._ask(view, plugin, self.session.nodes.all, refused)
            yield plugin, view, refused

    def full(self) -> tuple[Mask, str]:
        """Return which nodes have as many pods as they may have, and what is said of them."""
        nodes = self.session.nodes
        return nodes.pod_limit <= self.session.state.pod_count, _TOO_MANY_PODS.reason

    def predicate_of(self, task: Task) -> Callable[[int], bool]:
        known = self.session.classes.of(task)
        if known not in self._idle:
            return super().predicate_of(task)
        suits = self._suits(View(self._cycle(task)), known).item
        limit, count = self.session.nodes.pod_limit.item, self.session.state.pod_count.item
        return lambda node: suits(node) and limit(node) > count(node)

    def own_score_of(self, task: Task) -> Callable[[int], float]:
        return lambda node: 0.0

    def _suits(self, view: View, known: int | None) -> Mask:
        """Return which nodes all stable filters leave to a class of tasks."""
        if known not in self._suited:
            nodes = left = self.session.nodes.all
            for plugin in self._stable:
                left = self._ask(view, plugin, left, {})
            self._suited[known] = np.isin(nodes, left)
        return self._suited[known]

    def _ask_stable(self, task: Task, view: View, rows: Rows, refused: dict[int, Refusals]) -> Rows:
        template = annotation(task.pod.metadata, _TEMPLATE) if self._caching else None
        unknown, left = rows, rows
        if template:
            known = np.array([(row, template) in self._cache for row in rows.tolist()], dtype=np.bool_)
            unfit = np.array([self._cache.get((row, template)) is False for row in rows.tolist()], np.bool_)
            for row in rows[unfit].tolist():
                refused[row] = (*refused.get(row, ()), _CACHED)
            unknown, left = rows[~known], rows[known & ~unfit]
        fitting = unknown
        for plugin in self._stable:
            fitting = self._ask(view, plugin, fitting, refused)
        if not template:
            return fitting
        fits = set(fitting.tolist())
        for row in unknown.tolist():
            self._cache[row, template] = row in fits
        together = {*fits, *left.tolist()}
        return rows[[row in together for row in rows.tolist()]]

    def _ask(self, view: View, plugin: FilterPlugin, rows: Rows, refused: dict[int, Refusals]) -> Rows:
        """Note a filter's reasons and return the nodes that are asked on."""
        cycle = view.cycle
        if plugin.name in cycle.skipped_filters or not len(rows):
            return rows
        if plugin.name not in cycle.prepared and plugin.unprepared:
            error = Refusal("Error", plugin.unprepared, plugin.name)
            refused |= {row: (*refused.get(row, ()), error) for row in rows.tolist()}
            return rows[:0]
        if plugin.name not in cycle.prepared and isinstance(
            answer := plugin.pre_filter_late(cycle), FilterState
        ):
            cycle.states[plugin.name] = answer
        elif isinstance(plugin, NodePorts):
            # Taken ports are those of the moment, unlike all else that PreFilter has computed.
            cycle.states[plugin.name] = _state(plugin.pre_filter(cycle))
        codes = view.ask(plugin, rows)
        ended = np.zeros(len(rows), dtype=np.bool_)
        words: dict[int, tuple[Refusal, bool]] = {}
        for place in np.flatnonzero(codes).tolist():
            code, row = int(codes[place]), int(rows[place])
            if code not in words:
                status = cycle.status(plugin, code)
                refusal = Refusal(status.code, ", ".join(status.reasons), plugin.name)
                words[code] = refusal, status.code in FOR_GOOD
            refusal, for_good = words[code]
            refused[row] = (*refused.get(row, ()), refusal)
            ended[place] = for_good
        return rows[~ended]

    def simulate_predicate(self, task: Task, node: int, away: Sequence[Task]) -> bool:
        """Return whether inter-pod affinity and the devices let the task in once others are away."""
        return self._affinity_lets_in(task, node, away) and self._devices_suffice(task, node, away)

    def _affinity_lets_in(self, task: Task, node: int, away: Sequence[Task]) -> bool:
        plugin = next((one for one in self._others if isinstance(one, InterPodAffinity)), None)
        cycle = self._cycle(task)
        if plugin is None or plugin.name in cycle.skipped_filters:
            return True
        view = View(cycle).trial()
        gone = np.array([one.row for one in away], dtype=np.int64)
        view.update(np.full(len(gone), node, dtype=np.int64), gone, -1)
        return not view.ask(plugin, np.array([node], dtype=np.int64))[0]

    def _devices_suffice(self, task: Task, node: int, away: Sequence[Task]) -> bool:
        """Cards are chosen by no policy here, whatever the configuration says."""
        for devices in self.session.nodes.devices.get(node, ()):
            if devices.asked_by(task):
                trial = devices.copied()
                for one in away:
                    trial.remove(one)
                if trial.refusal(task, ""):
                    return False
        return True

    def batch_node_order(self, task: Task, rows: Rows) -> Floats | None:
        """Return what volumes and devices score: an error where the task was not looked at, else nothing."""
        return np.zeros(len(rows)) if self._reserving <= self._cycle(task).prepared else None

    # -- what happens --------------------------------------------------------------------------------

    def allocated(self, task: Task) -> str | None:
        """Put the pod on its node in the filters' view.

        The plugins that reserve fail for a task that was not looked at in this session. So a task whose
        eviction was taken back is missing in that view from then on, though not in the session.
        """
        assert task.row is not None
        if not self._reserving <= self._cycle(task).prepared:
            return "reserving plugins have no state of the task"
        for devices in self._devices_for(task):
            try:
                task.sent |= devices.allocate(task, self._policy)
            except CannotAllocate as error:
                return str(error)
        self.session.state.take_room(task.row, task.node)
        return None

    def deallocated(self, task: Task) -> None:
        """Take it off the node, if it is there."""
        assert task.row is not None
        for devices in self._devices_for(task):
            for key in devices.release(task):
                task.sent.pop(key, None)
        if self.session.state.placement.has(task.node, task.row):
            self.session.state.free_room(task.row, task.node)

    def _devices_for(self, task: Task) -> list[NodeDevices]:
        """Return the devices on the task's node of the kinds that it asks for."""
        nodes = self.session.nodes
        found = nodes.devices.get(nodes.row[task.node], ()) if nodes.devices else ()
        return [devices for devices in found if devices.asked_by(task)]


def _state(answer: PreFilterAnswer) -> FilterState:
    assert isinstance(answer, FilterState)
    return answer
