"""When a pod that PodTopologySpread rejected may fit.

Source: kubernetes v1.36 plugins/podtopologyspread plugin.go isSchedulableAfter...,
involvedInTopologySpreading.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from scheduler_core.kube.queueing.changes import same_labels, same_taints, same_tolerations
from scheduler_core.kube.queueing.cluster_event import NODE, POD, Action, ClusterEvent
from scheduler_core.kube.queueing.hint import ClusterView, Interest
from scheduler_core.kube.queueing.pods import namespace_of, takes_room, uid_of
from scheduler_core.objects import selectors, types
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import Node, Pod
from scheduler_core.predicates.default_selector import selector_of_groups

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


def listens_to(compile_constraint: Compile, args: Mapping[str, Any]) -> list[Interest]:
    """Pods and nodes that come, go, or change their labels or taints; `args` is the plugin's pluginConfig."""
    hints = _Hints(compile_constraint, args)
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


class _Hints:
    """The hints of a plugin with these arguments."""

    def __init__(self, compile_constraint: Compile, args: Mapping[str, Any]) -> None:
        self._compile = compile_constraint
        # The system's own default constraints only score.
        defaults = args.get("defaultConstraints") if args.get("defaultingType") == "List" else None
        self._defaults = [types.convert(c, types.TopologySpreadConstraint) for c in defaults or ()]

    def after_pod_change(self, pod: Pod, old: Pod | None, new: Pod | None, view: ClusterView) -> bool:
        """Return whether a pod that is counted came, went, or began or ceased to be counted."""
        if any(other is not None and not _is_involved(other, pod) for other in (old, new)):
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


def _is_involved(other: Pod, pod: Pod) -> bool:
    if uid_of(other) == uid_of(pod):
        return True
    return takes_room(other) and namespace_of(other) == namespace_of(pod)


def _selects(constraint: _Constraint, pod: Pod | None) -> bool:
    return pod is not None and selectors.matches(constraint.selector, pod.metadata.labels or {})


def _has_all(keys: Sequence[str], node: Node | None) -> bool:
    return node is not None and all(key in (node.metadata.labels or {}) for key in keys)
