"""NodeAffinity: node selectors, required and preferred node affinity, and the profile's addedAffinity.

Source: kubernetes v1.36 plugins/nodeaffinity; k8s.io/component-helpers v0.36 corev1/nodeaffinity.

Hints: plugins/nodeaffinity isSchedulableAfterNodeChange.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from scheduler_core.events.decisions import Status
from scheduler_core.kube.framework import (
    SKIP,
    UNRESOLVABLE,
    Cycle,
    FilterPlugin,
    NodeNames,
    PreFilterAnswer,
    Reads,
    Rejected,
    ScoreFault,
    ScorePlugin,
    View,
    scale_to_maximum,
)
from scheduler_core.kube.queueing.affinity_match import any_term, satisfies_affinity
from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Hint, Interest
from scheduler_core.kube.wording import term_faults
from scheduler_core.objects import selectors, types
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.node_affinity import (
    lacking_labels,
    node_affinity_of,
    preference_weights,
    required_node_affinity,
)
from scheduler_core.predicates.node_term_faults import preference_faults
from scheduler_core.state.nodes import BoolArray, IntArray

_ENFORCED, _POD = 1, 2
_REASONS = {
    _ENFORCED: "node(s) didn't match scheduler-enforced node affinity",
    _POD: "node(s) didn't match Pod's node affinity/selector",
}
_CONFLICT = "pod affinity terms conflict"


@dataclass
class _Matches(FilterState):
    """Which nodes match, shape (nodes,)."""

    mask: BoolArray


class NodeAffinity(FilterPlugin, ScorePlugin):
    """Filter: addedAffinity first, then the pod's own. Score: the sum of the weights that match."""

    name = "NodeAffinity"
    reads = Reads.NODE

    def listens_to(self) -> list[Interest]:
        """Return the events that may help a pod which this plugin rejected."""
        return _interests(self.added)

    @cached_property
    def added(self) -> types.NodeAffinity:
        """The profile's addedAffinity."""
        return types.convert(self.args.get("addedAffinity") or {}, types.NodeAffinity)

    def pre_filter(self, cycle: Cycle) -> PreFilterAnswer:
        pod = cycle.pod.pod
        required = node_affinity_of(pod).required
        if required is None and self.added.required is None and pod.spec.node_selector is None:
            return SKIP
        state = _Matches(required_node_affinity(pod, cycle.state.nodes))
        names = _named_nodes(required.node_selector_terms if required else None)
        if names is None:
            return state
        if not names:
            return Rejected(Status(self.name, UNRESOLVABLE, [_CONFLICT]))
        return NodeNames(state, frozenset(names))

    def pre_filter_late(self, cycle: Cycle) -> PreFilterAnswer:
        return _Matches(required_node_affinity(cycle.pod.pod, cycle.state.nodes))

    def filter(self, view: View, nodes: IntArray) -> IntArray:
        codes = np.zeros(len(nodes), dtype=np.int64)
        state = view.states.get(self.name)
        if isinstance(state, _Matches):
            codes[~state.mask[nodes]] = _POD
        if self.added.required is not None:
            terms = selectors.from_node_terms(self.added.required.node_selector_terms)
            codes[~view.cluster.nodes.any_term_selected(terms)[nodes]] = _ENFORCED
        return codes

    def status(self, state: FilterState | None, code: int) -> Status:
        return Status(self.name, UNRESOLVABLE, [_REASONS[code]])

    def particulars(self, view: View, nodes: IntArray) -> list[str]:
        """Return the first entry of the pod's nodeSelector that a node lacks."""
        return lacking_labels(view.cycle.pod.pod, view.cluster.nodes, nodes)

    def pre_score(self, cycle: Cycle, nodes: IntArray) -> Any:
        own = node_affinity_of(cycle.pod.pod).preferred
        if own is None and not self.added.preferred:
            return SKIP
        return self.pre_score_late(cycle, nodes)

    def pre_score_late(self, cycle: Cycle, nodes: IntArray) -> Any:
        own = node_affinity_of(cycle.pod.pod).preferred or ()
        faults = [fault for place, entry in enumerate(own) for fault in preference_faults(place, entry)]
        if faults:
            raise ScoreFault(term_faults(faults))
        return [*(self.added.preferred or ()), *own]

    def score(self, cycle: Cycle, prepared: Any, nodes: IntArray) -> IntArray:
        return preference_weights(prepared, cycle.state.nodes)[nodes]

    def normalize(self, cycle: Cycle, prepared: Any, nodes: IntArray, scores: IntArray) -> IntArray:
        return scale_to_maximum(scores)


def _named_nodes(terms: list[types.NodeSelectorTerm] | None) -> set[str] | None:
    """Return the nodes that the terms name, or None if some term does not name any."""
    if not terms:
        return None
    names: set[str] = set()
    for term in terms:
        in_term: set[str] | None = None
        for expression in term.match_fields or ():
            if expression.key == "metadata.name" and expression.operator == "In":
                values = set(expression.values or ())
                in_term = values if in_term is None else in_term & values
        if in_term is None:
            return None
        names |= in_term
    return names


# -- queueing hints ------------------------------------------------------------------------------------


def _interests(added: types.NodeAffinity) -> list[Interest]:
    """Nodes that come or are relabelled; `added` is the profile's addedAffinity."""
    return [
        Interest(
            ClusterEvent(NODE, Action.ADD | Action.UPDATE_NODE_LABEL),
            _after_node_change(added),
            yes="the node matches the pod's affinity now, and did not before",
            no="the node does not match the pod's affinity, or did so before",
        )
    ]


def _after_node_change(added: types.NodeAffinity) -> Hint:
    def after_node_change(pod: Pod, old: Node | None, new: Node, view: ClusterView) -> bool:
        """Return whether the node matches now and did not before."""
        if added.required is not None and not any_term(added.required.node_selector_terms or [], new)[0]:
            return False
        return satisfies_affinity(pod, new) and (old is None or not satisfies_affinity(pod, old))

    return after_node_change
