"""Numatopologies as they come, change and go in a run, each read once for all sessions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from scheduler_core.objects import types
from scheduler_core.state.journal import Journal
from scheduler_core.volcano.cache.known_objects import KnownObjects
from scheduler_core.volcano.numa.topology import NodeTopology, Numatopology, topology_of

Object = Mapping[str, Any]


class KnownTopologies(KnownObjects[Numatopology]):
    """Numatopologies by node."""

    def __init__(self, journal: Journal, documents: Iterable[Object]) -> None:
        items = (_read(one) for one in documents)
        super().__init__(journal, Numatopology, ((item.metadata.name, item) for item in items))
        self._topologies: dict[str, tuple[Numatopology, NodeTopology]] = {}

    def take(self, document: Object) -> None:
        """Let a Numatopology come or change."""
        item = _read(document)
        self.know(item.metadata.name, item)

    def let_go(self, name: str) -> bool:
        """Let a Numatopology go; False if it isn't there."""
        is_there = name in self
        if is_there:
            self.drop(name)
        return is_there

    def topologies(self) -> dict[str, NodeTopology]:
        """Return what they say, by node."""
        return {node: self._topology(node, item) for node, (_, item) in self.values.items()}

    def _topology(self, node: str, item: Numatopology) -> NodeTopology:
        known = self._topologies.get(node)
        if known is None or known[0] is not item:
            known = self._topologies[node] = item, topology_of(item)
        return known[1]


def _read(document: Object) -> Numatopology:
    return types.convert(dict(document), Numatopology)
