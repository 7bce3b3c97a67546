"""Which nodes a slice or a device is for.

Source: kubernetes v1.36 dynamic-resource-allocation structured/internal/incubating NodeMatches.
"""

from __future__ import annotations

from scheduler_core.objects import selectors
from scheduler_core.objects.dynamic_resources import Device, ResourceSliceSpec
from scheduler_core.objects.types import Node, NodeSelector


def reaches(part: Device | ResourceSliceSpec, node: Node) -> bool:
    """Return whether the part says by its own fields that it is for the node."""
    if part.node_name:
        return part.node_name == node.metadata.name
    return bool(part.all_nodes) or (
        part.node_selector is not None and selector_matches(part.node_selector, node)
    )


def selector_matches(selector: NodeSelector, node: Node) -> bool:
    """Return whether a node satisfies one of the terms."""
    labels = node.metadata.labels or {}
    terms = selectors.from_node_terms(selector.node_selector_terms)
    return any(selectors.term_matches(term, labels, node.metadata.name) for term in terms)
