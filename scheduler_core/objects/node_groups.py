"""Groups of nodes: the zone and the pool that labels name, and names that begin alike."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

ZONE_LABELS = ("topology.kubernetes.io/zone", "failure-domain.beta.kubernetes.io/zone")
POOL_LABELS = (
    "node.kubernetes.io/pool",
    "cloud.google.com/gke-nodepool",
    "eks.amazonaws.com/nodegroup",
    "kubernetes.azure.com/agentpool",
    "karpenter.sh/nodepool",
    "pool",
    "node-pool",
    "nodepool",
)
CONTROL_PLANE_LABELS = ("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master")
GROUPS = ("pool", "zone", "name")


def pool_of(labels: Mapping[str, str]) -> str:
    """Return the pool that a node's labels name, the empty string where they name none."""
    return _first_of(labels, POOL_LABELS)


def zone_of(labels: Mapping[str, str]) -> str:
    """Return the zone that a node's labels name, the empty string where they name none."""
    return _first_of(labels, ZONE_LABELS)


def is_control_plane(labels: Mapping[str, str]) -> bool:
    """Return whether a node's labels name the role of a control plane: it stays, whatever runs there."""
    return any(label in labels for label in CONTROL_PLANE_LABELS)


def parse_group(text: str) -> tuple[str, str]:
    """Return what a group is by (`pool`, `zone` or `name`), and which it is. Raises ValueError."""
    by, equals, value = text.partition("=")
    if by.strip() not in GROUPS or not equals or not value.strip():
        raise ValueError(f"must be pool=…, zone=… or name=… (the beginning of names), not {text!r}")
    return by.strip(), value.strip()


def in_group(name: str, labels: Mapping[str, str], by: str, value: str) -> bool:
    """Return whether a node is of the group."""
    if by == "name":
        return name.startswith(value)
    return (pool_of(labels) if by == "pool" else zone_of(labels)) == value


def _first_of(labels: Mapping[str, str], names: Iterable[str]) -> str:
    return next((labels[name] for name in names if name in labels), "")
