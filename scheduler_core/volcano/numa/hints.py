"""Which NUMA nodes a container's cpus should lie in, and whether the node's policy lets it in.

A mask of NUMA nodes is a hint where enough cpus are free; it is preferred if no mask that would suffice has
fewer NUMA nodes.

Source: volcano v1.16 pkg/scheduler/plugins/numaaware/policy, provider/cpumanager/cpu_mng.go.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from scheduler_core.objects.amounts.go_quantity import go_quantity
from scheduler_core.objects.types import Container
from scheduler_core.volcano.numa.taking import take
from scheduler_core.volcano.numa.topology import Cpus, NodeTopology

_MILLI, _UNIT = -3, 0


class Hint(NamedTuple):
    """NUMA nodes, and whether they are preferred."""

    numa_nodes: frozenset[int]
    preferred: bool

    def is_better_than(self, other: Hint) -> bool:
        """Return whether it is to be taken instead: preferred, with fewer NUMA nodes, with lower ones."""
        if self.preferred != other.preferred:
            return self.preferred
        mine, theirs = len(self.numa_nodes), len(other.numa_nodes)
        return _bits(self.numa_nodes) < _bits(other.numa_nodes) if mine == theirs else mine < theirs


def whole_cpus(container: Container) -> int:
    """Return how many whole cpus a container asks for; 0 if it asks for a fraction."""
    text = (container.resources.requests if container.resources else None or {}) or {}
    if "cpu" not in text:
        return 0
    amount = go_quantity(text["cpu"])
    number = amount.in_units_of(_UNIT)
    return number if number * 1000 == amount.in_units_of(_MILLI) else 0


def cpus_for(container: Container, node: NodeTopology, free: Cpus) -> Cpus | None:
    """Return the cpus that a container gets of the free ones, None where the policy does not let it in."""
    asked = whole_cpus(container)
    free = free - _reserved(node)
    hint = _best_hint(node, free, asked)
    if hint is None:
        return None
    nodes = hint.numa_nodes
    aligned = frozenset(cpu for cpu in free if cpu in node.cpus and node.cpus[cpu].numa in nodes)
    first = take(node.cpus, aligned, min(asked, len(aligned)))
    rest = None if first is None else take(node.cpus, free - first, asked - len(first))
    return frozenset() if first is None or rest is None else first | rest


def _reserved(node: NodeTopology) -> Cpus:
    """Return the first cpus that make up what the kubelet keeps."""
    return take(node.cpus, frozenset(node.cpus), node.reserved) or frozenset()


def _best_hint(node: NodeTopology, free: Cpus, asked: int) -> Hint | None:
    """Return the hint that is followed, None where the policy lets nobody in by it."""
    everywhere = frozenset(node.numa_nodes)
    if node.manager not in ("best-effort", "restricted", "single-numa-node"):
        return Hint(frozenset(), True)
    hints = list(_hints(node, free, asked)) if asked else [Hint(everywhere, True)]
    if node.manager == "single-numa-node" and asked:
        hints = [hint for hint in hints if hint.preferred and len(hint.numa_nodes) == 1]
    best = Hint(everywhere, False)
    for hint in hints:
        if hint.numa_nodes and hint.is_better_than(best):
            best = hint
    return best if best.preferred or node.manager == "best-effort" else None


def _hints(node: NodeTopology, free: Cpus, asked: int) -> Iterator[Hint]:
    numa_nodes = node.numa_nodes
    masks = [
        frozenset(mask) for size in range(1, len(numa_nodes) + 1) for mask in combinations(numa_nodes, size)
    ]
    places = [cpu.numa for cpu in node.cpus.values()]
    large = (len(mask) for mask in masks if sum(numa in mask for numa in places) >= asked)
    fewest = min(large, default=len(numa_nodes))
    # A free cpu of which nothing is known counts as one of NUMA node 0, as in Go.
    lying = [node.cpus[cpu].numa if cpu in node.cpus else 0 for cpu in free]
    for mask in masks:
        if sum(numa in mask for numa in lying) >= asked:
            yield Hint(mask, len(mask) == fewest)


def _bits(numa_nodes: frozenset[int]) -> int:
    return sum(1 << number for number in numa_nodes)
