"""PodTopologySpread: an even number of matching pods in every topology domain.

Source: kubernetes v1.36 plugins/podtopologyspread filtering.go, scoring.go, common.go;
plugins/helper/spread.go for the default selector.

Hints: plugins/podtopologyspread plugin.go isSchedulableAfter...,
involvedInTopologySpreading.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.go.arithmetic import go_divide
from scheduler_core.kube.framework import (
    MAX_NODE_SCORE,
    SKIP,
    UNRESOLVABLE,
    UNSCHEDULABLE,
    Cycle,
    FilterPlugin,
    PreFilterAnswer,
    Reads,
    ScorePlugin,
    View,
)
from scheduler_core.kube.gates import Gates
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pod_facts import namespace_of, takes_room, uid_of
from scheduler_core.kube.queueing.property_changes import same_labels, same_taints, same_tolerations
from scheduler_core.objects import selectors, types
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.default_selector import default_selector, selector_of_groups
from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.predicates.hard_spread import HardSpread
from scheduler_core.predicates.node_affinity import required_node_affinity
from scheduler_core.predicates.soft_spread import HOSTNAME, Constraint, SoftSpread
from scheduler_core.predicates.tolerations import has_untolerated
from scheduler_core.predicates.topology_counts import TopologyCounts, domains_of, sum_by_domain, sum_by_node
from scheduler_core.state.nodes import BoolArray, IntArray

_SKEW, _MISSING_LABEL = 1, 2
_REASON = "node(s) didn't match pod topology spread constraints"
_SYSTEM_DEFAULTS = [
    types.TopologySpreadConstraint(max_skew=3, topology_key=HOSTNAME, when_unsatisfiable="ScheduleAnyway"),
    types.TopologySpreadConstraint(
        max_skew=5, topology_key="topology.kubernetes.io/zone", when_unsatisfiable="ScheduleAnyway"
    ),
]


class PodTopologySpread(FilterPlugin, ScorePlugin):
    """Filter: DoNotSchedule constraints. Score: ScheduleAnyway constraints."""

    name = "PodTopologySpread"
    reads = Reads.PODS
    unprepared = 'reading "PreFilterPodTopologySpread" from cycleState: not found'
    unscored = 'error reading "PreScorePodTopologySpread" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return interests_of(self.hints(Hints))

    def hints(self, kind: "type[Hints]") -> "Hints":
        """Return hints of a kind for this plugin's arguments."""
        return kind(_compile, self.args)

    @property
    def _system_defaulted(self) -> bool:
        return str(self.args.get("defaultingType") or "System") != "List"

    def _constraints(self, cycle: Cycle, action: str) -> list[Constraint]:
        own = cycle.pod.pod.spec.topology_spread_constraints
        if own:
            return [_compile(c, cycle.pod.labels) for c in own if c.when_unsatisfiable == action]
        if self._system_defaulted:
            defaults = _SYSTEM_DEFAULTS
        else:
            configured = self.args.get("defaultConstraints") or []
            defaults = [types.convert(c, types.TopologySpreadConstraint) for c in configured]
        chosen = [_compile(c, cycle.pod.labels) for c in defaults if c.when_unsatisfiable == action]
        if not chosen:
            return []
        selector = default_selector(cycle.state, cycle.pod)
        if not selector:
            return []
        return [constraint._replace(selector=selector) for constraint in chosen]

    # -- filter --------------------------------------------------------------------------------------

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        constraints = self._constraints(cycle, "DoNotSchedule")
        if not constraints:
            return SKIP
        labelled = _has_all_keys(cycle, constraints)
        members = [labelled & _included(cycle, constraint, self.gates) for constraint in constraints]
        return HardSpread(
            cycle.state.pods,
            constraints,
            [
                _count(cycle, constraint, taking_part)
                for constraint, taking_part in zip(constraints, members, strict=True)
            ],
            members,
            [
                domains_of(cycle.state.nodes.topology(constraint.topology_key), taking_part)
                for constraint, taking_part in zip(constraints, members, strict=True)
            ],
            [selectors.matches(constraint.selector, cycle.pod.labels) for constraint in constraints],
        )

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        state = view.states[self.name]
        assert isinstance(state, HardSpread)
        codes = np.zeros(len(nodes), dtype=np.int64)
        for place in range(len(state.constraints)):
            present = state.topology(place).present[nodes]
            skewed = np.where(state.skewed(place, nodes), _SKEW, 0)
            verdict = np.where(present, skewed, _MISSING_LABEL)
            codes = np.where(codes == 0, verdict, codes)
        return codes

    def status(self, state: FilterState | None, code: int) -> Status:
        if code == _MISSING_LABEL:
            return Status(self.name, UNRESOLVABLE, [f"{_REASON} (missing required label)"])
        return Status(self.name, UNSCHEDULABLE, [_REASON])

    # -- score ---------------------------------------------------------------------------------------

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        constraints = self._constraints(cycle, "ScheduleAnyway")
        if not constraints:
            return SKIP
        every_key = bool(cycle.pod.pod.spec.topology_spread_constraints) or not self._system_defaulted
        labelled = (
            _has_all_keys(cycle, constraints) if every_key else np.ones(len(cycle.state.nodes), np.bool_)
        )
        soft = SoftSpread(
            constraints,
            labelled,
            [labelled & _included(cycle, constraint, self.gates) for constraint in constraints],
            {
                one.selector: sum_by_node(cycle.state, _counted_pods(cycle, one.selector))
                for one in constraints
            },
        )
        soft.score(cycle.state, nodes, emptied=cycle.emptied)
        return soft

    def follow_scores(self, cycle: Cycle, prepared: Any, nodes: IntArray, touched: Touched) -> bool:
        for selector, by_node in prepared.by_node.items():
            if not _recount(cycle, selector, by_node, touched):
                return False
        prepared.score(cycle.state, nodes, emptied=cycle.emptied)
        return True

    def concerned_by(self, cycle: Cycle) -> BoolArray | None:
        constraints = self._constraints(cycle, "ScheduleAnyway")
        selected = [_selected_pods(cycle, constraint.selector) for constraint in constraints]
        return np.any(selected, axis=0) if selected else None

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        total: IntArray = prepared.total.take(nodes)
        return np.where(prepared.ignored, 0, total) if prepared.ignores else total

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        counted = scores[~prepared.ignored] if prepared.ignores else scores
        highest = max(0, int(counted.max())) if len(counted) else 0
        if highest == 0:
            normalized = np.full_like(scores, MAX_NODE_SCORE)
        else:
            normalized = go_divide(MAX_NODE_SCORE * (highest + counted.min() - scores), highest)
        return np.where(prepared.ignored, 0, normalized) if prepared.ignores else normalized


def _compile(constraint: types.TopologySpreadConstraint, labels: Mapping[str, str]) -> Constraint:
    selector = selectors.from_label_selector(constraint.label_selector)
    merged = {key: labels[key] for key in constraint.match_label_keys or () if key in labels}
    if merged and selector is not None:
        selector = tuple(sorted(set(selector) | set(selectors.from_labels(merged))))
    return Constraint(
        constraint.max_skew,
        constraint.topology_key,
        selector,
        1 if constraint.min_domains is None else constraint.min_domains,
        (constraint.node_affinity_policy or "Honor") == "Honor",
        (constraint.node_taints_policy or "Ignore") == "Honor",
    )


def _has_all_keys(cycle: Cycle, constraints: list[Constraint]) -> BoolArray:
    mask = np.ones(len(cycle.state.nodes), dtype=np.bool_)
    for constraint in constraints:
        mask &= cycle.state.nodes.topology(constraint.topology_key).present
    return mask


def _included(cycle: Cycle, constraint: Constraint, gates: Gates) -> BoolArray:
    """Return which nodes the constraint's inclusion policies let take part, shape (nodes,)."""
    mask = np.ones(len(cycle.state.nodes), dtype=np.bool_)
    if constraint.honor_affinity:
        mask &= required_node_affinity(cycle.pod.pod, cycle.state.nodes)
    if constraint.honor_taints:
        tolerations = cycle.pod.pod.spec.tolerations or ()
        mask &= ~has_untolerated(cycle.state.nodes, tolerations, comparing=gates.compares_taints)
    return mask


def _selected_classes(cycle: Cycle, selector: Selector | None) -> BoolArray:
    """Return the classes of pods, by namespace and labels, that a selector selects, shape (classes,)."""
    return cycle.state.pods.selected_classes(cycle.pod.namespace, selector)


def _selected_pods(cycle: Cycle, selector: Selector | None) -> BoolArray:
    return _selected_classes(cycle, selector)[cycle.state.pods.label_class]


def _counted_pods(cycle: Cycle, selector: Selector | None) -> IntArray:
    """Return 1 for each pod that counts: selected and not terminating; an empty selector counts nobody."""
    if not selector:
        return np.zeros(len(cycle.state.pods), dtype=np.int64)
    return (_selected_pods(cycle, selector) & ~cycle.state.pods.terminating).astype(np.int64)


def _count(cycle: Cycle, constraint: Constraint, members: BoolArray) -> TopologyCounts:
    # Pods that a trial adds or removes count whether or not they are terminating, as in updateWithPod.
    weights = _selected_pods(cycle, constraint.selector).astype(np.int64)
    counts = TopologyCounts(cycle.state, {constraint.topology_key: weights})
    topology = counts.topologies[constraint.topology_key]
    by_node = sum_by_node(cycle.state, _counted_pods(cycle, constraint.selector))
    counts.domains[constraint.topology_key] = sum_by_domain(topology, np.where(members, by_node, 0))
    return counts


def _recount(cycle: Cycle, selector: Selector | None, by_node: IntArray, touched: Touched) -> bool:
    """Bring the number of counted pods on each node up to date; False where it can't be known."""
    if not selector:
        return True
    pods = cycle.state.pods
    selected = _selected_classes(cycle, selector)
    for node, pod, sign in touched:
        if selected.item(pods.label_class.item(pod)):
            if sign == 0:
                return False
            by_node[node] += 0 if pods.is_terminating(pod) else sign
    return True


# -- queueing hints ------------------------------------------------------------------------------------


_POD_CHANGES = Action.ADD | Action.UPDATE_POD_LABEL | Action.UPDATE_POD_TOLERATION | Action.DELETE
_NODE_CHANGES = Action.ADD | Action.DELETE | Action.UPDATE_NODE_LABEL | Action.UPDATE_NODE_TAINT
_HARD = "DoNotSchedule"


class _Constraint(Protocol):
    @property
    def topology_key(self) -> str: ...
    @property
    def selector(self) -> Selector | None: ...
    @property
    def honor_taints(self) -> bool: ...


Compile = Callable[[types.TopologySpreadConstraint, Mapping[str, str]], _Constraint]
"""Turns a constraint of a pod with these labels into the plugin's own form."""


def interests_of(hints: "Hints") -> list[Interest]:
    """Pods and nodes that come, go, or change their labels or taints."""
    return [
        Interest(
            ClusterEvent(POD, _POD_CHANGES),
            hints.after_pod_change,
            yes="a pod that the constraints count came, went, or changed its labels",
            no="it is no pod that the constraints count, or they count it as before",
        ),
        Interest(
            ClusterEvent(NODE, _NODE_CHANGES),
            hints.after_node_change,
            yes="a node with the constraints' topology keys came, went, changed its domain, or its taints",
            no="the node lacks the constraints' topology keys, or its domain and taints are the same",
        ),
    ]


class Hints:
    """The hints of a plugin with these arguments: `args` is its pluginConfig."""

    def __init__(self, compile_constraint: Compile, args: Mapping[str, Any]) -> None:
        self._compile = compile_constraint
        # The system's own default constraints only score.
        defaults = args.get("defaultConstraints") if args.get("defaultingType") == "List" else None
        self._defaults = [types.convert(c, types.TopologySpreadConstraint) for c in defaults or ()]

    def after_pod_change(self, pod: Pod, old: Pod | None, new: Pod | None, view: ClusterView) -> bool:
        """Return whether a pod that is counted came, went, or began or ceased to be counted."""
        if any(other is not None and not self.is_involved(other, pod) for other in (old, new)):
            return False
        constraints = self._constraints(pod, view)
        if old is None or new is None:
            return any(_selects(constraint, new or old) for constraint in constraints)
        honors_taints = any(constraint.honor_taints for constraint in constraints)
        if honors_taints and uid_of(new) == uid_of(pod) and not same_tolerations(old, new):
            return True
        if same_labels(old, new):
            return False
        return any(_selects(constraint, old) != _selects(constraint, new) for constraint in constraints)

    def after_node_change(self, pod: Pod, old: Node | None, new: Node | None, view: ClusterView) -> bool:
        """Return whether a node with all keys came, went, changed its domains, or its taints."""
        keys = [constraint.topology_key for constraint in self._constraints(pod, view)]
        if old is None or new is None:
            return _has_all(keys, new or old)
        if _has_all(keys, old) != _has_all(keys, new):
            return True
        before, after = old.metadata.labels or {}, new.metadata.labels or {}
        moved = any(before.get(key) != after.get(key) for key in keys)
        return _has_all(keys, new) and (moved or not same_taints(old, new))

    def is_involved(self, other: Pod, pod: Pod) -> bool:
        """Return whether the other pod may be one that is counted: it takes room, or is the pod itself."""
        if uid_of(other) == uid_of(pod):
            return True
        return takes_room(other) and namespace_of(other) == namespace_of(pod)

    def _constraints(self, pod: Pod, view: ClusterView) -> Sequence[_Constraint]:
        labels = pod.metadata.labels or {}
        own = pod.spec.topology_spread_constraints
        hard = [c for c in own or self._defaults if c.when_unsatisfiable == _HARD]
        if own or not hard:
            return [self._compile(constraint, labels) for constraint in hard]
        selector = selector_of_groups(view.groups, namespace_of(pod), pod)
        compiled = (self._compile(constraint, labels) for constraint in hard)
        return [_WithSelector(c.topology_key, selector, c.honor_taints) for c in compiled] if selector else []


class _WithSelector:
    """A default constraint, which selects what belongs together with the pod."""

    def __init__(self, topology_key: str, selector: Selector | None, honor_taints: bool) -> None:
        self.topology_key = topology_key
        self.selector = selector
        self.honor_taints = honor_taints


def _selects(constraint: _Constraint, pod: Pod | None) -> bool:
    return pod is not None and selectors.matches(constraint.selector, pod.metadata.labels or {})


def _has_all(keys: Sequence[str], node: Node | None) -> bool:
    return node is not None and all(key in (node.metadata.labels or {}) for key in keys)
