"""What the filters say of every node to pods of one class, brought up to date for nodes that have changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from scheduler_core.events.decisions import Rejection
from scheduler_core.kube.equivalence.faults import NotKept, Outdated
from scheduler_core.kube.equivalence.invalidation import Touched, nodes_of
from scheduler_core.kube.framework import FilterPlugin, Reads, View
from scheduler_core.kube.verdicts import FITS, Verdicts
from scheduler_core.predicates.filter_state import FilterState
from scheduler_core.predicates.resources import FEW
from scheduler_core.state.nodes import BoolArray, IntArray


@dataclass
class _Codes:
    """One filter's code for each node, shape (nodes,), and how to ask about one; `place` is the filter's."""

    place: int
    plugin: FilterPlugin
    codes: IntArray
    ask: Callable[[int], int]
    is_silent: bool
    """Whether it has never rejected a node."""


class KeptVerdicts(Verdicts):
    """The verdicts, with each filter's codes behind them. `flips` grows when other nodes fit than before."""

    def __init__(self, view: View, filters: Sequence[FilterPlugin]) -> None:
        self._view = view
        self._pods = len(view.cluster.pods)
        super().__init__(view.cycle, list(filters), len(view.cluster.nodes))
        self.flips = 0
        self._counts: Counter[tuple[int, int]] = Counter()
        """How many nodes have each verdict, by plugin and code."""
        asked = [plugin for plugin in filters if plugin.name not in view.cycle.skipped_filters]
        if any(plugin.reads is Reads.VOLUMES or not self._follows(plugin) for plugin in asked):
            raise NotKept
        self._columns = [column for column in map(self._column, asked) if column is not None]
        self._sleeping = self._find_sleeping()
        self._combine(view.cluster.nodes.all)

    def _column(self, plugin: FilterPlugin) -> _Codes | None:
        """Ask a filter about all nodes; None if it hangs on nodes alone and rejects none."""
        codes = plugin.filter(self._view, self._view.cluster.nodes.all)
        if plugin.reads is Reads.NODE and not codes.any():
            return None
        return _Codes(self._plugins.index(plugin), plugin, codes, plugin.asking(self._view), not codes.any())

    def _follows(self, plugin: FilterPlugin) -> bool:
        """Return whether a filter's answers can be kept at all."""
        if plugin.reads is not Reads.PODS:
            return True
        return type(self._view.states[plugin.name]).follow is not FilterState.follow

    def _find_sleeping(self) -> list[BoolArray]:
        """Return for each filter that has skipped itself which pods end that, if any can."""
        cycle = self._view.cycle
        skipped = (plugin for plugin in self._plugins if plugin.name in cycle.skipped_filters)
        woken = (plugin.woken_by(cycle) for plugin in skipped if plugin.reads is Reads.PODS)
        return [pods for pods in woken if pods is not None and pods.any()]

    @property
    def feasible(self) -> int:
        """How many nodes fit."""
        return self._counts[FITS, 0]

    @property
    def reads_pods(self) -> bool:
        """Whether a filter that reads other nodes' pods takes part."""
        return any(column.plugin.reads is Reads.PODS for column in self._columns)

    def allow_trials(self) -> None:
        """Raise Outdated where what filters know of pods is not enough for a trial view.

        They must know all pods; and one that would skip itself by now must not take part.
        """
        self._expect_pods()
        states = (
            self._view.states[one.plugin.name] for one in self._columns if one.plugin.reads is Reads.PODS
        )
        if any(state.is_idle for state in states):
            raise Outdated

    def rejections(self) -> list[Rejection]:
        if self._rejections is None:
            rejected = ((key, number) for key, number in self._counts.items() if number and key[0] >= 0)
            self._rejections = self.worded((self.status_of(*key), number) for key, number in sorted(rejected))
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
        self._combine_all(touched.nodes if touched.few is None else touched.few)
        if others is not None:
            self._combine_all(others if len(others) > FEW else others.tolist())
        return others

    def _follow_pods(self, touched: Touched) -> IntArray | None:
        """Ask the filters that read pods about all nodes that these concern, and return the nodes."""
        asked = []
        for column in self._columns:
            if column.plugin.reads is Reads.PODS:
                parts = self._view.states[column.plugin.name].follow(touched.rows)
                if parts is None:
                    raise Outdated
                if parts:
                    nodes = self._each_once(parts)
                    self._put(column, nodes)
                    asked.append(nodes)
        return self._each_once(asked) if asked else None

    def _each_once(self, parts: Sequence[IntArray]) -> IntArray:
        """Return the nodes of all parts; in a part each is there once."""
        return parts[0] if len(parts) == 1 else nodes_of(parts, len(self.plugin))

    def _expect_pods(self) -> None:
        """Look at pods that have come into being. Raises Outdated."""
        if len(self._view.cluster.pods) != self._pods:
            if any(column.plugin.reads is Reads.PODS for column in self._columns):
                raise Outdated
            self._sleeping = self._find_sleeping()
            self._pods = len(self._view.cluster.pods)

    def _ask(self, column: _Codes, touched: Touched) -> None:
        if touched.few is None:
            self._put(column, touched.nodes)
        else:
            for node in touched.few:
                code = column.codes[node] = column.ask(node)
                column.is_silent &= code == 0

    def _put(self, column: _Codes, nodes: IntArray) -> None:
        """Ask a filter about nodes and keep what it says."""
        codes = column.codes[nodes] = column.plugin.filter(self._view, nodes)
        column.is_silent &= not codes.any()

    def _combine_one(self, node: int) -> None:
        """Do as `_combine` does for one node."""
        plugin, code = FITS, 0
        for column in self._columns:
            code = column.codes.item(node)
            if code:
                plugin = column.place
                break
        before, old = self.plugin.item(node), self.code.item(node)
        if plugin == before and code == old:
            return
        self._groups = self._rejections = None
        self.plugin[node], self.code[node] = plugin, code
        self._counts[before, old] -= 1
        self._counts[plugin, code] += 1
        self.flips += (plugin == FITS) != (before == FITS)

    def _combine_all(self, nodes: IntArray | Iterable[int]) -> None:
        if isinstance(nodes, np.ndarray):
            self._combine(nodes)
        else:
            for node in nodes:
                self._combine_one(node)

    def _combine(self, nodes: IntArray) -> None:
        """Give each of `nodes` the verdict of the first filter that rejects it."""
        plugins, codes = np.full(len(nodes), FITS, dtype=np.int64), np.zeros(len(nodes), dtype=np.int64)
        for column in reversed(self._columns):
            if not column.is_silent:
                own = column.codes[nodes]
                rejected = own != 0
                plugins[rejected], codes[rejected] = column.place, own[rejected]
        before, old = self.plugin[nodes], self.code[nodes]
        if np.array_equal(plugins, before) and np.array_equal(codes, old):
            return
        self._tally(before, old, -1)
        self._tally(plugins, codes, 1)
        self._groups = self._rejections = None
        self.plugin[nodes], self.code[nodes] = plugins, codes
        if ((plugins == FITS) != (before == FITS)).any():
            self.flips += 1

    def _tally(self, plugins: IntArray, codes: IntArray, sign: int) -> None:
        """Count verdicts in or out; there are few different ones."""
        while len(plugins):
            plugin, code = plugins.item(0), codes.item(0)
            others = ((plugins != plugin) | (codes != code)).nonzero()[0]
            self._counts[plugin, code] += sign * (len(plugins) - len(others))
            plugins, codes = plugins[others], codes[others]
