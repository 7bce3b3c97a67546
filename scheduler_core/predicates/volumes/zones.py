"""Zones and regions: what a volume's labels ask of the nodes' labels.

Source: k8s.io/cloud-provider v0.36 volume/helpers LabelZonesToSet; kubernetes v1.36 plugins/volumezone.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from scheduler_core.objects.storage import PersistentVolume
from scheduler_core.predicates.volumes.migration import ZONE_DELIMITER
from scheduler_core.state.nodes import BoolArray, NodeTable

Topology = tuple[str, frozenset[str]]
"""A label's key and the values that a node may have there."""


def topologies_of(volume: PersistentVolume, keys: Sequence[str]) -> list[Topology]:
    """Return the volume's topology labels of these keys; one with an empty part is ignored."""
    labels = volume.metadata.labels or {}
    topologies = []
    for key in keys:
        if key in labels:
            values = frozenset(part.strip() for part in labels[key].split(ZONE_DELIMITER))
            if "" not in values:
                topologies.append((key, values))
    return topologies


def labelled(nodes: NodeTable, keys: Sequence[str]) -> BoolArray:
    """Return which nodes have a label of one of the keys, shape (nodes,)."""
    found = np.zeros(len(nodes), dtype=np.bool_)
    for key in keys:
        found |= nodes.topology(key).present
    return found


def has_topology(nodes: NodeTable, topology: Topology, labels_instead: Mapping[str, str]) -> BoolArray:
    """Return which nodes have one of the values, shape (nodes,).

    `labels_instead` says which label of a node counts where it lacks the one that the volume has.
    """
    key, values = topology
    own, current = nodes.topology(key), nodes.topology(labels_instead.get(key, key))
    in_values = own.where(lambda value: value in values)
    return np.where(own.present, in_values, current.where(lambda value: value in values))
