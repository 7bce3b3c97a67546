"""Filtering with nominated pods: room that waiting pods of equal or higher priority have been promised.

A node with such pods must fit with them added and, if so, again without them.

Source: kubernetes v1.36 framework/runtime RunFilterPluginsWithNominatedPods, addGENominatedPods.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from scheduler_core.kube.framework import Cycle, FilterPlugin, View
from scheduler_core.kube.verdicts import Verdicts
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo

Nominated = tuple[IntArray, IntArray]
"""Nodes and the pods nominated to them, of the same length."""


class Filters(Protocol):
    """The filters of a profile, asked one after the other."""

    @property
    def siblings(self) -> frozenset[str]:
        """The names of the profiles whose nominations count; none: all do."""

    def run_filters(self, view: View, nodes: IntArray, *, pods_only: bool = False) -> Verdicts:
        """Ask about the nodes; `pods_only` asks only filters whose answer depends on pods."""

    def reading_pods(self, cycle: Cycle) -> Sequence[tuple[int, FilterPlugin]] | None:
        """Return the filters that these are, with their places; None: they are no plugins."""


class Room:
    """The nodes as they are, and as they are with the nominated pods that count against one pod.

    `is_promised`, shape (nodes,), marks the nodes that have such pods.
    """

    def __init__(self, filters: Filters, plain: View, nominated: Nominated | None = None) -> None:
        self._filters = filters
        self.siblings = filters.siblings
        self.plain = plain
        self._nodes, pods = self.nominated = nominated or nominated_against(plain.cycle, filters.siblings)
        self.crowded = plain
        self.is_promised: BoolArray = np.zeros(len(plain.cluster.nodes), dtype=np.bool_)
        self.is_promised[self._nodes] = True
        if len(self._nodes):
            self.crowded = plain.trial()
            self.crowded.promise(self._nodes, pods)

    def trial(self) -> "Room":
        """Return a copy in which pods can be added and removed."""
        twin = object.__new__(Room)
        twin._filters, twin._nodes, twin.nominated = self._filters, self._nodes, self.nominated
        twin.siblings, twin.is_promised = self.siblings, self.is_promised
        twin.plain = self.plain.trial()
        twin.crowded = self.crowded.trial() if len(self._nodes) else twin.plain
        return twin

    def only_filter(self) -> tuple[int, FilterPlugin] | None:
        """Return the filter that alone depends on pods, with its place; None if there are others, or none."""
        asked = self._filters.reading_pods(self.plain.cycle)
        return asked[0] if asked is not None and len(asked) == 1 else None

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        """Add (sign 1) or remove (sign -1) `pods[i]` on `nodes[i]`."""
        self.crowded.update(nodes, pods, sign)
        if self.crowded is not self.plain:
            # What is said of a node hangs on what is tried there, and only of these is the plain view asked.
            promised = self.is_promised[nodes]
            if promised.any():
                self.plain.update(nodes[promised], pods[promised], sign)

    def filter(self, nodes: IntArray, *, pods_only: bool = False) -> Verdicts:
        """Ask the filters about the nodes, with and without the nominated pods."""
        verdicts = self._filters.run_filters(self.crowded, nodes, pods_only=pods_only)
        if self.crowded is not self.plain:
            again = nodes[verdicts.fits[nodes] & self.is_promised[nodes]]
            if len(again):
                verdicts.take(self._filters.run_filters(self.plain, again, pods_only=pods_only), again)
        return verdicts


def nobody() -> Nominated:
    """Return no nominations at all."""
    nothing = np.zeros(0, dtype=np.int64)
    return nothing, nothing


def nominated_against(cycle: Cycle, siblings: frozenset[str] = frozenset()) -> Nominated:
    """Return (nodes, pods) of the nominations of equal or higher priority, the pod's own apart."""
    state, own, priority = cycle.state, cycle.pod.row, cycle.pod.priority
    infos, index = state.pods.infos, state.nodes.index
    pairs = [
        (index[name], pod)
        for name, pods in state.nominations.items()
        if name in index
        for pod in pods
        if pod != own and infos[pod].priority >= priority and _is_known(siblings, infos[pod])
    ]
    table = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return table[:, 0], table[:, 1]


def _is_known(siblings: frozenset[str], pod: PodInfo) -> bool:
    """Return whether a scheduler with these profiles schedules the pod; one without any knows all."""
    return not siblings or pod.scheduler_name in siblings


def lower_nominated(
    state: ClusterState, pod: PodInfo, node: int, siblings: frozenset[str] = frozenset()
) -> list[int]:
    """Return the waiting pods of lower priority nominated to the node: they lose their nomination."""
    infos = state.pods.infos
    nominated = state.nominations.get(state.nodes.names[node], ())
    lower = [
        other
        for other in nominated
        if infos[other].priority < pod.priority and _is_known(siblings, infos[other])
    ]
    return sorted(lower, key=lambda other: infos[other].key)
