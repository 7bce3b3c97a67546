"""A node's Ready condition, and the taints that follow from it.

Source: kubernetes v1.36 pkg/controller/nodelifecycle/node_lifecycle_controller.go
nodeConditionToTaintKeyStatusMap; staging/src/k8s.io/api/core/v1/well_known_taints.go.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from scheduler_core.objects.types import Node, NodeCondition, Taint
from scheduler_core.state.nodes import FAILED_TAINTS

NOT_READY, UNREACHABLE = "node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"
UNSCHEDULABLE = "node.kubernetes.io/unschedulable"
OUT_OF_SERVICE = "node.kubernetes.io/out-of-service"
_KEY_OF = {"False": NOT_READY, "Unknown": UNREACHABLE}


def ready_of(node: Node) -> str | None:
    """Return the status of a node's Ready condition, None where it has none."""
    return next((one.status for one in node.status.conditions or () if one.type == "Ready"), None)


def with_ready(node: Node, status: str) -> Node:
    """Return a node whose Ready condition has this status."""
    others = [one for one in node.status.conditions or () if one.type != "Ready"]
    return replace(node, status=replace(node.status, conditions=[*others, NodeCondition("Ready", status)]))


def taints_of(node: Node) -> list[Taint]:
    """Return the taints by which its controller says that a node isn't ready."""
    return [taint for taint in node.spec.taints or () if taint.key in FAILED_TAINTS]


def with_taints(node: Node, taints: Iterable[Taint]) -> Node:
    """Return a node with these of its controller's taints, in the place of all others of them."""
    others = [taint for taint in node.spec.taints or () if taint.key not in FAILED_TAINTS]
    return replace(node, spec=replace(node.spec, taints=[*others, *taints]))


def with_cordon(node: Node, *, closed: bool) -> Node:
    """Return a node that is cordoned, with the taint that its controller adds, or one that is not."""
    if bool(node.spec.unschedulable) is closed and has_taint(node, UNSCHEDULABLE) is closed:
        return node
    others = [taint for taint in node.spec.taints or () if taint.key != UNSCHEDULABLE]
    taints = [*others, Taint(UNSCHEDULABLE, effect="NoSchedule")] if closed else others
    return replace(node, spec=replace(node.spec, unschedulable=closed or None, taints=taints))


def key_wanted(node: Node) -> str | None:
    """Return the key of the taints that a node is to have by its Ready condition."""
    return _KEY_OF.get(ready_of(node) or "")


def has_taint(node: Node, key: str, effect: str | None = None) -> bool:
    """Return whether a node has a taint of this key."""
    return any(taint.key == key and effect in (None, taint.effect) for taint in node.spec.taints or ())
