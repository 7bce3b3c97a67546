"""What Filter said of each node: the first plugin that rejected it, and why."""

from collections import Counter
from collections.abc import Iterable, Iterator

import numpy as np

from scheduler_core.events.decisions import Code, Rejection, Status
from scheduler_core.kube.framework import ERROR, UNSCHEDULABLE, Cycle, FilterPlugin
from scheduler_core.state.nodes import BoolArray, IntArray

FITS = -1
_NOT_VISITED = -2


class Verdicts:
    """The answers of one pass over some nodes. All arrays have shape (nodes,).

    `plugin[node]` is the place of the rejecting plugin in `plugins`, -1 where the pod fits, -2 where the node
    was not visited; `code[node]` is that plugin's own code.
    """

    def __init__(self, cycle: Cycle, plugins: list[FilterPlugin], nodes: int) -> None:
        self._cycle = cycle
        self._plugins = plugins
        self.plugin: IntArray = np.full(nodes, _NOT_VISITED, dtype=np.int64)
        self.code: IntArray = np.zeros(nodes, dtype=np.int64)
        self._statuses: dict[tuple[int, int], Status] = {}
        self._said: list[Status] = []
        self._groups: list[tuple[Status, IntArray]] | None = None
        self._rejections: list[Rejection] | None = None

    def set_fits(self, nodes: IntArray) -> None:
        """Note that the pod fits on these nodes."""
        self.plugin[nodes] = FITS

    def set_rejected(self, nodes: IntArray, plugin: int, codes: IntArray) -> None:
        """Note that a plugin rejected these nodes with these codes."""
        self._groups = self._rejections = None
        self.plugin[nodes] = plugin
        self.code[nodes] = codes

    def take(self, other: "Verdicts", nodes: IntArray) -> None:
        """Replace the answers for these nodes by another pass's."""
        self._groups = self._rejections = None
        self.plugin[nodes] = other.plugin[nodes]
        self.code[nodes] = other.code[nodes]

    def forget_all_but(self, nodes: IntArray) -> None:
        """Take back the answers for all other nodes: they were not visited."""
        self._groups = self._rejections = None
        others = np.ones(len(self.plugin), dtype=np.bool_)
        others[nodes] = False
        self.plugin[others] = _NOT_VISITED

    def copy(self) -> "Verdicts":
        """Return the same verdicts, which can be changed without changing these."""
        twin = Verdicts(self._cycle, self._plugins, 0)
        twin.plugin, twin.code = self.plugin.copy(), self.code.copy()
        return twin

    def overruled(self, refused: Iterable[tuple[Status, IntArray]]) -> "Verdicts":
        """Return a copy in which nodes are rejected by somebody who is no plugin.

        Each node comes once, and each of the arrays holds one at least. What is said is numbered by the
        first node that it is said of, so that the order of the answers counts for nothing.
        """
        refused = sorted(refused, key=lambda group: int(group[1].min()))
        twin = self.copy()
        if all((self.plugin[nodes] == FITS).all() for _, nodes in refused):
            counted = [(status, len(nodes)) for status, nodes in refused]
            twin._rejections = [*self.rejections(), *self.worded(counted)]
        codes: dict[tuple[str, str, tuple[str, ...]], int] = {}
        for status, nodes in refused:
            code = codes.setdefault((status.plugin, status.code, tuple(status.reasons)), len(codes))
            if code == len(twin._said):
                twin._said.append(status)
            twin.plugin[nodes], twin.code[nodes] = len(self._plugins), code
        return twin

    @property
    def visited(self) -> BoolArray:
        """Which nodes were visited."""
        return np.not_equal(self.plugin, _NOT_VISITED)

    @property
    def rejected(self) -> BoolArray:
        """Which nodes were visited and rejected."""
        return np.greater_equal(self.plugin, 0)

    @property
    def fits(self) -> BoolArray:
        """On which nodes the pod fits."""
        return np.equal(self.plugin, FITS)

    def status(self, node: int) -> Status | None:
        """Return a node's rejection; None where the pod fits or the node was not visited."""
        plugin = int(self.plugin[node])
        return self.status_of(plugin, int(self.code[node])) if plugin >= 0 else None

    def status_of(self, plugin: int, code: int) -> Status:
        """Return the rejection that a plugin (by place) and its code stand for."""
        if plugin == len(self._plugins):
            return self._said[code]
        key = (plugin, code)
        if key not in self._statuses:
            self._statuses[key] = self._cycle.status(self._plugins[plugin], code)
        return self._statuses[key]

    def groups(self) -> list[tuple[Status, IntArray]]:
        """Return each distinct rejection with its nodes, in the order of plugins and codes."""
        if self._groups is None:
            self._groups = list(self._grouped())
        return self._groups

    def _grouped(self) -> Iterator[tuple[Status, IntArray]]:
        rejected = np.flatnonzero(self.rejected)
        plugins = self.plugin[rejected]
        for plugin in np.flatnonzero(np.bincount(plugins)).tolist():
            nodes = rejected[plugins == plugin]
            codes = self.code[nodes]
            for code in _distinct(codes):
                yield self.status_of(plugin, code), nodes[codes == code]

    def rejections(self) -> list[Rejection]:
        """Return the distinct rejections with the number of their nodes.

        Different codes of a plugin may stand for the same words.
        """
        if self._rejections is None:
            self._rejections = self.worded((status, len(nodes)) for status, nodes in self.groups())
        return self._rejections

    @staticmethod
    def worded(counted: Iterable[tuple[Status, int]]) -> list[Rejection]:
        """Return the distinct words of rejections, each with the number of its nodes."""
        counts: Counter[tuple[str, Code, tuple[str, ...]]] = Counter()
        for status, number in counted:
            counts[status.plugin, status.code, tuple(status.reasons)] += number
        return [
            Rejection(plugin, code, list(reasons), number)
            for (plugin, code, reasons), number in counts.items()
        ]

    def errors(self) -> BoolArray:
        """On which nodes a plugin ended with an error."""
        failed = np.zeros(len(self.plugin), dtype=np.bool_)
        for status, nodes in self.groups():
            if status.code == ERROR:
                failed[nodes] = True
        return failed

    def resolvable(self) -> IntArray:
        """Return the nodes whose rejection an eviction may cure: those with code Unschedulable."""
        parts = [nodes for status, nodes in self.groups() if status.code == UNSCHEDULABLE]
        return np.sort(np.concatenate(parts)) if parts else np.zeros(0, dtype=np.int64)


def _distinct(codes: IntArray) -> list[int]:
    """Return the distinct codes of at least one node, ascending; quicker than np.unique, which hashes."""
    ordered = np.sort(codes)
    ends = np.flatnonzero(ordered[1:] != ordered[:-1])
    return [*ordered[ends].tolist(), int(ordered[-1])]
