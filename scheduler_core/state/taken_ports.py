"""Host ports that are taken, by node.

A node doesn't count how often a port is taken: the first pod that goes frees it, as in the scheduler's own
books.

Source: kubernetes v1.36 staging/src/k8s.io/kube-scheduler/framework HostPortInfo.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from scheduler_core.objects.host_ports import HostPort
from scheduler_core.state.journal import Journal, Set, Table
from scheduler_core.state.nodes import NodeTable


class TakenPorts(Table):
    """The nodes, by name, on which each port is taken."""

    def __init__(self, journal: Journal, nodes: NodeTable) -> None:
        self._journal = journal
        self._nodes = nodes
        self._names: dict[HostPort, set[str]] = {}

    def rows(self, port: HostPort) -> list[int]:
        """Return the nodes on which a port is taken, ascending."""
        index = self._nodes.index
        return sorted(index[name] for name in self._names.get(port, ()) if name in index)

    def take(self, ports: Iterable[HostPort], name: str) -> None:
        """Take ports of a node; one that is taken stays so."""
        for port in ports:
            if name not in self._names.get(port, ()):
                self._journal.do(Set(self, port, name, False, True))

    def free(self, ports: Iterable[HostPort], name: str) -> None:
        """Free ports of a node; one that is free stays so."""
        for port in ports:
            if name in self._names.get(port, ()):
                self._journal.do(Set(self, port, name, True, False))

    def write(self, key: Any, field: str, value: Any) -> None:
        names = self._names.setdefault(key, set())
        if value:
            names.add(field)
        else:
            names.remove(field)

    def dump(self) -> list[Any]:
        """Return the ports as plain data."""
        return [[port, sorted(names)] for port, names in sorted(self._names.items()) if names]

    def load(self, data: Iterable[Any]) -> None:
        """Restore what `dump` returned."""
        self._names = {tuple(port): set(names) for port, names in data}
