"""What the filters say of every node to pods of one class, brought up to date for nodes that have changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.events.decisions import Rejection
from scheduler_core.kube.framework import FilterPlugin, Reads, View
from scheduler_core.kube.kept.faults import NotKept, Outdated
from scheduler_core.kube.kept.touches import Touched
from scheduler_core.kube.verdicts import FITS, Verdicts
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class _Codes:
    """One filter's code for each node, shape (nodes,), and how to ask about one; `place` is the filter's."""

    place: int
    plugin: FilterPlugin
    codes: IntArray
    ask: Callable[[int], int]


class KeptVerdicts(Verdicts):
    """The verdicts, with each filter's codes behind them.

    `feasible` is how many nodes fit; `flips` grows when others do than before.
    """

    def __init__(self, view: View, filters: Sequence[FilterPlugin]) -> None:
        self._view = view
        self._pods = len(view.cluster.pods)
        super().__init__(view.cycle, list(filters), len(view.cluster.nodes))
        self.feasible = self.flips = 0
        self._rejections: list[Rejection] | None = None
        asked = [plugin for plugin in filters if plugin.name not in view.cycle.skipped_filters]
        if any(plugin.reads is Reads.VOLUMES for plugin in asked):
            raise NotKept
        self._columns = [column for column in map(self._column, asked) if column is not None]
        self._sleeping = self._find_sleeping()
        self._combine(view.cluster.nodes.all)

    def _column(self, plugin: FilterPlugin) -> _Codes | None:
        """Ask a filter about all nodes; None if it hangs on nodes alone and rejects none."""
        codes = plugin.filter(self._view, self._view.cluster.nodes.all)
        if plugin.reads is Reads.NODE and not codes.any():
            return None
        return _Codes(self._plugins.index(plugin), plugin, codes, plugin.asking(self._view))

    def _find_sleeping(self) -> list[BoolArray]:
        """Return for each filter that has skipped itself which pods end that, if any can."""
        cycle = self._view.cycle
        skipped = (plugin for plugin in self._plugins if plugin.name in cycle.skipped_filters)
        woken = (plugin.woken_by(cycle) for plugin in skipped if plugin.reads is Reads.PODS)
        return [pods for pods in woken if pods is not None and pods.any()]

    def rejections(self) -> list[Rejection]:
        if self._rejections is None:
            self._rejections = super().rejections()
        return self._rejections

    # -- what has changed ----------------------------------------------------------------------------

    def follow(self, touched: Touched) -> IntArray | None:
        """Ask again about the nodes whose answers may be others now.

        Returns those that are more than the touched ones, None where there are none. Raises Outdated.
        """
        self._expect_pods()
        if any(touched.any_of(woken) for woken in self._sleeping):
            raise Outdated
        for column in self._columns:
            if column.plugin.reads is Reads.ROOM:
                self._ask(column, touched)
        others = self._follow_pods(touched)
        if touched.few is None:
            self._combine(touched.nodes)
        else:
            for node in touched.few:
                self._combine_one(node)
        if others is not None:
            self._combine(others)
        return others

    def _follow_pods(self, touched: Touched) -> IntArray | None:
        """Ask the filters that read pods about all nodes that these concern, and return the nodes."""
        asked = []
        for column in self._columns:
            if column.plugin.reads is Reads.PODS:
                nodes = self._view.states[column.plugin.name].follow(*touched.columns)
                if nodes is None:
                    raise Outdated
                if len(nodes):
                    column.codes[nodes] = column.plugin.filter(self._view, nodes)
                    asked.append(nodes)
        return np.concatenate(asked) if asked else None

    def _expect_pods(self) -> None:
        """Look at pods that have come into being. Raises Outdated."""
        if len(self._view.cluster.pods) != self._pods:
            if any(column.plugin.reads is Reads.PODS for column in self._columns):
                raise Outdated
            self._sleeping = self._find_sleeping()
            self._pods = len(self._view.cluster.pods)

    def _ask(self, column: _Codes, touched: Touched) -> None:
        if touched.few is None:
            column.codes[touched.nodes] = column.plugin.filter(self._view, touched.nodes)
        else:
            for node in touched.few:
                column.codes[node] = column.ask(node)

    def _combine_one(self, node: int) -> None:
        """Do as `_combine` does for one node."""
        plugin, code = FITS, 0
        for column in self._columns:
            code = column.codes.item(node)
            if code:
                plugin = column.place
                break
        before = self.plugin.item(node)
        if plugin == before and code == self.code.item(node):
            return
        self._groups = self._rejections = None
        self.plugin[node], self.code[node] = plugin, code
        if (plugin == FITS) != (before == FITS):
            self.flips += 1
            self.feasible += 1 if plugin == FITS else -1

    def _combine(self, nodes: IntArray) -> None:
        """Give each of `nodes` the verdict of the first filter that rejects it."""
        plugins, codes = np.full(len(nodes), FITS, dtype=np.int64), np.zeros(len(nodes), dtype=np.int64)
        for column in reversed(self._columns):
            own = column.codes[nodes]
            rejected = own != 0
            if rejected.any():
                plugins[rejected], codes[rejected] = column.place, own[rejected]
        flipped = (plugins == FITS) != (self.plugin[nodes] == FITS)
        self._groups = self._rejections = None
        self.plugin[nodes], self.code[nodes] = plugins, codes
        if flipped.any():
            self.flips += 1
            self.feasible = int(np.count_nonzero(self.fits))
