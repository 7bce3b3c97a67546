"""What changed between two versions of a pod or a node, and which cluster events that is.

An absent list or map is the same as an empty one, as in the API server's own comparisons.

Source: kubernetes v1.36 pkg/scheduler/framework/events.go.
"""

from collections.abc import Iterable
from typing import Any

from scheduler_core.kube.queueing.behaviour import Queueing
from scheduler_core.kube.queueing.cluster_event import (
    ASSIGNED_POD,
    NODE,
    Action,
    ClusterEvent,
)
from scheduler_core.kube.queueing.pod_facts import is_assigned
from scheduler_core.objects.amounts.quantity import parse_quantity
from scheduler_core.objects.amounts.requests import running_milli_requests
from scheduler_core.objects.types import Node, Pod


def pod_events(old: Pod, new: Pod, queueing: Queueing) -> list[ClusterEvent]:
    """Return what the change of a pod is, but for what is unheard: at least the general update."""
    found = {
        Action.UPDATE_POD_LABEL: not same_labels(old, new),
        Action.UPDATE_POD_SCALE_DOWN: asks_for_less(old, new),
        Action.UPDATE_POD_SCALE_UP: asks_for_less(new, old),
        Action.UPDATE_POD_SCHEDULING_GATES_ELIMINATED: bool(old.spec.scheduling_gates)
        and not new.spec.scheduling_gates,
        Action.UPDATE_POD_TOLERATION: len(old.spec.tolerations or ()) != len(new.spec.tolerations or ()),
        Action.UPDATE_POD_GENERATED_RESOURCE_CLAIM: _claims_made(old) != _claims_made(new),
    }
    resource = ASSIGNED_POD if is_assigned(new) else queueing.own_changes
    unheard = queueing.unheard
    actions = [action for action, happened in found.items() if happened and not action & unheard]
    return [ClusterEvent(resource, action) for action in actions or [Action.UPDATE]]


def node_events(old: Node, new: Node, queueing: Queueing) -> list[ClusterEvent]:
    """Return what the change of a node is, but for what is unheard.

    A cordon is nothing, an uncordoning a change of taints.
    """
    found = [
        (Action.UPDATE_NODE_TAINT, bool(old.spec.unschedulable) and not new.spec.unschedulable),
        (Action.UPDATE_NODE_ALLOCATABLE, _allocatable(old) != _allocatable(new)),
        (Action.UPDATE_NODE_LABEL, not same_labels(old, new)),
        (Action.UPDATE_NODE_TAINT, not same_taints(old, new)),
        (Action.UPDATE_NODE_CONDITION, _conditions(old) != _conditions(new)),
        (Action.UPDATE_NODE_ANNOTATION, (old.metadata.annotations or {}) != (new.metadata.annotations or {})),
        (Action.UPDATE_NODE_DECLARED_FEATURE, _features(old) != _features(new)),
    ]
    unheard = queueing.unheard
    return [ClusterEvent(NODE, action) for action, happened in found if happened and not action & unheard]


def same_labels(old: Pod | Node, new: Pod | Node) -> bool:
    """Return whether the labels are the same."""
    return (old.metadata.labels or {}) == (new.metadata.labels or {})


def same_taints(old: Node, new: Node) -> bool:
    """Return whether the taints are the same, in the same order."""
    return _plain(old.spec.taints or ()) == _plain(new.spec.taints or ())


def same_tolerations(old: Pod, new: Pod) -> bool:
    """Return whether the tolerations are the same, in the same order."""
    return _plain(old.spec.tolerations or ()) == _plain(new.spec.tolerations or ())


def _plain(items: Iterable[Any]) -> list[tuple[Any, ...]]:
    """Return the fields of each item, an empty text like an absent one."""
    return [
        tuple(None if (value := getattr(item, field)) == "" else value for field in item.__struct_fields__)
        for item in items
    ]


def asks_for_less(old: Pod, new: Pod) -> bool:
    """Return whether the pod asks for less of some resource than it did."""
    before, after = running_milli_requests(old), running_milli_requests(new)
    return any(name not in after or amount > after[name] for name, amount in before.items())


def _claims_made(pod: Pod) -> tuple[Any, Any]:
    made = [(status.get("name"), status.get("resourceClaimName")) for status in _statuses(pod)]
    return made, pod.status.extended_resource_claim_status


def _statuses(pod: Pod) -> Iterable[dict[str, Any]]:
    return pod.status.resource_claim_statuses or ()


def _allocatable(node: Node) -> dict[str, int]:
    return {name: parse_quantity(text).nanos for name, text in (node.status.allocatable or {}).items()}


def _conditions(node: Node) -> dict[str, str]:
    return {condition.type: condition.status for condition in node.status.conditions or ()}


def _features(node: Node) -> list[str]:
    return node.status.declared_features or []
