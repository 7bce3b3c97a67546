"""PodTopologySpread: an even number of matching pods in every topology domain.

Source: kubernetes v1.36 plugins/podtopologyspread filtering.go, scoring.go, common.go;
plugins/helper/spread.go for the default selector.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

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
from scheduler_core.kube.hints import pod_topology_spread as hints
from scheduler_core.kube.queueing.hint import Interest
from scheduler_core.objects import selectors, types
from scheduler_core.objects.selectors import Selector
from scheduler_core.predicates.default_selector import default_selector
from scheduler_core.predicates.filter_state import FilterState, Touched
from scheduler_core.predicates.node_affinity import required_node_affinity
from scheduler_core.predicates.soft_spread import HOSTNAME, Constraint, SoftSpread
from scheduler_core.predicates.tolerations import has_untolerated
from scheduler_core.predicates.topology_counts import TopologyCounts, domains_of, sum_by_domain, sum_by_node
from scheduler_core.state.nodes import BoolArray, IntArray, Topology
from scheduler_core.state.pods import PodTable

_SKEW, _MISSING_LABEL = 1, 2
_REASON = "node(s) didn't match pod topology spread constraints"
_NO_MINIMUM = np.iinfo(np.int32).max
_SYSTEM_DEFAULTS = [
    types.TopologySpreadConstraint(max_skew=3, topology_key=HOSTNAME, when_unsatisfiable="ScheduleAnyway"),
    types.TopologySpreadConstraint(
        max_skew=5, topology_key="topology.kubernetes.io/zone", when_unsatisfiable="ScheduleAnyway"
    ),
]


@dataclass
class _Spread(FilterState):
    """For each constraint the counts, the nodes and domains that take part, and whether the pod matches.

    `pods` are those of the cluster.
    """

    pods: PodTable
    constraints: list[Constraint]
    counts: list[TopologyCounts]
    members: list[BoolArray]
    eligible: list[BoolArray]
    itself: list[bool]

    def copy(self) -> "_Spread":
        return replace(self, counts=[counts.copy() for counts in self.counts])

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        for counts, members in zip(self.counts, self.members, strict=True):
            taking_part = members[nodes]
            counts.update(nodes[taking_part], pods[taking_part], sign)

    def follow(self, touched: Touched) -> list[IntArray] | None:
        if any(sign == 0 for _, _, sign in touched):
            # Whether a pod that terminates was counted is not known here.
            return None
        return [nodes for place in range(len(self.counts)) for nodes in self._settle(place, touched)]

    def _settle(self, place: int, touched: Touched) -> list[IntArray]:
        """Count for one constraint, and return the nodes of the domains that are too full now, or no more.

        As in PreFilter an empty selector, though it matches everybody, counts nobody who is there.
        """
        if not self.constraints[place].selector:
            return []
        members, counts, terminating = self.members[place], self.counts[place], self.pods.terminating
        taking_part = [one for one in touched if members[one[0]] and not terminating[one[1]]]
        if not taking_part:
            return []
        before = self.skewed_domains(place)
        counts.settle(taking_part)
        turned = np.flatnonzero(before != self.skewed_domains(place)).tolist()
        return [self.topology(place).members[domain] for domain in turned]

    def topology(self, place: int) -> Topology:
        """Return the domains that a constraint is about."""
        return self.counts[place].topologies[self.constraints[place].topology_key]

    def skewed_domains(self, place: int) -> BoolArray:
        """Return which domains are too full for one more pod where nothing is tried, shape (domains,)."""
        constraint = self.constraints[place]
        values = self.counts[place].domains[constraint.topology_key]
        eligible = values[self.eligible[place]]
        if len(eligible) < constraint.min_domains:
            least = 0
        else:
            least = int(eligible.min()) if len(eligible) else _NO_MINIMUM
        return values + int(self.itself[place]) - least > constraint.max_skew

    def skewed(self, place: int, nodes: IntArray) -> BoolArray:
        """Return which of `nodes`, all of which have the label, are in a domain too full as they see it."""
        constraint, counts = self.constraints[place], self.counts[place]
        if not counts.deltas:
            domains = self.skewed_domains(place)
            return (
                domains[self.topology(place).domain[nodes]]
                if len(domains)
                else np.zeros(len(nodes), np.bool_)
            )
        seen = counts.at(constraint.topology_key, nodes)
        return seen + int(self.itself[place]) - _minimum(self, place, nodes) > constraint.max_skew


class PodTopologySpread(FilterPlugin, ScorePlugin):
    """Filter: DoNotSchedule constraints. Score: ScheduleAnyway constraints."""

    name = "PodTopologySpread"
    reads = Reads.PODS
    unprepared = 'reading "PreFilterPodTopologySpread" from cycleState: not found'
    unscored = 'error reading "PreScorePodTopologySpread" from cycleState: not found'

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return hints.listens_to(_compile, self.args)

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
        return _Spread(
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
        assert isinstance(state, _Spread)
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
    namespace = cycle.pod.namespace

    def holds(of_pod: str, labels: Mapping[str, str]) -> bool:
        return of_pod == namespace and selectors.matches(selector, labels)

    return cycle.state.pods.matching_classes(("spread", namespace, selector), holds)


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


def _minimum(state: _Spread, place: int, nodes: IntArray) -> IntArray:
    """Return the global minimum as each of `nodes` sees it.

    Only the node's own domain can differ from the real counts, so the minimum is that of its own count
    and of the least of all other domains.
    """
    constraint, counts = state.constraints[place], state.counts[place]
    topology = counts.topologies[constraint.topology_key]
    eligible = np.flatnonzero(state.eligible[place])
    if len(eligible) < constraint.min_domains:
        return np.zeros(len(nodes), dtype=np.int64)
    if len(eligible) == 0:
        return np.full(len(nodes), _NO_MINIMUM, dtype=np.int64)
    values = counts.domains[constraint.topology_key][eligible]
    order = np.argsort(values, kind="stable")
    smallest = int(eligible[order[0]])
    second = int(values[order[1]]) if len(order) > 1 else _NO_MINIMUM
    others = np.where(topology.domain[nodes] == smallest, second, int(values[order[0]]))
    takes_part = topology.present[nodes] & state.eligible[place][topology.domain[nodes]]
    own = np.where(takes_part, counts.at(constraint.topology_key, nodes), _NO_MINIMUM)
    return np.minimum(others, own)


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
