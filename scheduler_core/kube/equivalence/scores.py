"""How every node scores for pods of one class, brought up to date for nodes that have changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.kube.equivalence.faults import NotKept
from scheduler_core.kube.equivalence.filter_results import KeptVerdicts
from scheduler_core.kube.equivalence.invalidation import Touched
from scheduler_core.kube.framework import MAX_NODE_SCORE, Cycle, Reads, ScorePlugin, Skip
from scheduler_core.kube.profile import Profile
from scheduler_core.kube.verdicts import FITS
from scheduler_core.state.nodes import BoolArray, IntArray

NO_SCORE = -1
"""The total of a node that is not feasible."""


@dataclass
class _Scored:
    """A plugin that scores: its weight, and what its PreScore found."""

    plugin: ScorePlugin
    weight: int
    found: Any

    def counts(self, cycle: Cycle, nodes: IntArray, raw: IntArray | None = None) -> IntArray:
        """Return what the plugin's scores of these nodes count. Raises NotKept for one out of range."""
        if raw is None:
            raw = self.plugin.score(cycle, self.found, nodes)
        normalized = self.plugin.normalize(cycle, self.found, nodes, raw)
        # Read without a sign, negative numbers are the greatest.
        if len(normalized) and np.maximum.reduce(normalized.view(np.uint64)) > MAX_NODE_SCORE:
            raise NotKept
        return self.weight * normalized


@dataclass
class _Compared(_Scored):
    """One that reads nodes and compares those that are feasible; `raw` are its scores, shape (nodes,)."""

    raw: IntArray


@dataclass
class _OfPods(_Scored):
    """One that reads pods; `concerned` are those whose coming and going counts, None: nobody's does."""

    concerned: BoolArray | None


class KeptScores:
    """The totals of all nodes, shape (nodes,), in parts that change at different times.

    What reads rooms is asked again for nodes that were touched; what compares nodes, when others are feasible
    than before; what reads pods, then too and when pods came or went that concern it.
    """

    def __init__(self, profile: Profile, cycle: Cycle, verdicts: KeptVerdicts) -> None:
        self._profile = profile
        self._cycle = cycle
        self._verdicts = verdicts
        self._pods = len(cycle.state.pods)
        self._flips = verdicts.flips
        self._fits: IntArray | None = None
        self._of_rooms: list[_Scored] = []
        self._compared: list[_Compared] = []
        self._of_pods: list[_OfPods] = []
        number = len(cycle.state.nodes)
        self._always: IntArray = np.zeros(number, dtype=np.int64)
        self._rooms: IntArray = np.zeros(number, dtype=np.int64)
        for plugin, weight, found in profile.prepare_scores(cycle, self._fitting()):
            self._add(plugin, weight, found)
        self._of_pods_concerned = any(one.concerned is not None for one in self._of_pods)
        self._of_one = [(one, one.plugin.scoring(cycle, one.found)) for one in self._of_rooms]
        self._score_rooms(cycle.state.nodes.all)
        self._others = self._score_others()
        self.total = self._sum_all_up()

    def _add(self, plugin: ScorePlugin, weight: int, found: Any) -> None:
        cycle, nodes = self._cycle, self._cycle.state.nodes.all
        if plugin.reads is Reads.PODS:
            self._of_pods.append(_OfPods(plugin, weight, found, plugin.concerned_by(cycle)))
            return
        if isinstance(found, Skip):
            return
        if plugin.hangs_on_more(cycle):
            raise NotKept
        compares = type(plugin).normalize is not ScorePlugin.normalize
        if plugin.scores_alike(cycle):
            self._always += _Scored(plugin, weight, found).counts(cycle, nodes)
        elif plugin.reads is Reads.ROOM and not compares:
            self._of_rooms.append(_Scored(plugin, weight, found))
        elif plugin.reads is Reads.NODE:
            raw = plugin.score(cycle, found, nodes)
            if compares and raw.min() != raw.max():
                self._compared.append(_Compared(plugin, weight, found, raw))
            else:
                self._always += _Scored(plugin, weight, found).counts(cycle, nodes, raw)
        else:
            raise NotKept

    @property
    def compares(self) -> bool:
        """Whether a node's total hangs on which others are feasible."""
        return bool(self._compared) or any(not isinstance(one.found, Skip) for one in self._of_pods)

    # -- what has changed ----------------------------------------------------------------------------

    def follow(self, touched: Touched, others: IntArray | None) -> None:
        """Score again what may score otherwise now; `others` are nodes whose verdict was asked again.

        Several nodes must be feasible. Raises NotKept.
        """
        self._score_touched(touched)
        if self._compares_anew(touched):
            self._others = self._score_others(touched)
            self.total = self._sum_all_up()
            return
        if touched.few is None:
            self.total[touched.nodes] = self._sum_up(touched.nodes)
        else:
            for node in touched.few:
                fits = self._verdicts.plugin.item(node) == FITS
                self.total[node] = self._rooms.item(node) + self._others.item(node) if fits else NO_SCORE
        if others is not None:
            self.total[others] = self._sum_up(others)

    def _score_touched(self, touched: Touched) -> None:
        if touched.few is None:
            self._score_rooms(touched.nodes)
            return
        for node in touched.few:
            total = 0
            for one, score_of in self._of_one:
                score = score_of(node)
                if not 0 <= score <= MAX_NODE_SCORE:
                    raise NotKept
                total += one.weight * score
            self._rooms[node] = total

    def _compares_anew(self, touched: Touched) -> bool:
        """Return whether scores that hang on several nodes are to be made again."""
        pods, flips = len(self._cycle.state.pods), self._verdicts.flips
        if pods == self._pods and flips == self._flips and not self._of_pods_concerned:
            return False
        came, self._pods = pods != self._pods, pods
        if came:
            for one in self._of_pods:
                one.concerned = one.plugin.concerned_by(self._cycle)
            self._of_pods_concerned = any(one.concerned is not None for one in self._of_pods)
        flipped, self._flips = flips != self._flips, flips
        if flipped:
            self._fits = None
            if self.compares:
                return True
        concerns = (one.concerned for one in self._of_pods)
        return any(pods is not None and (came or touched.any_of(pods)) for pods in concerns)

    def _score_rooms(self, nodes: IntArray) -> None:
        counts: Any = 0
        for one in self._of_rooms:
            counts = counts + one.counts(self._cycle, nodes)
        self._rooms[nodes] = counts

    def _score_others(self, touched: Touched | None = None) -> IntArray:
        """Return what all counts for feasible nodes that doesn't read rooms alone, shape (nodes,).

        `touched` is what has changed since the last time; None: PreScore was asked just now.
        """
        if not self._compared and not self._of_pods:
            return self._always
        cycle, nodes = self._cycle, self._fitting()
        others = self._always.copy()
        where = slice(None) if len(nodes) == len(others) else nodes
        for one in self._compared:
            others[where] += one.counts(cycle, nodes, one.raw[where])
        for of_pods in self._of_pods:
            if touched is not None and not self._follow_pods(of_pods, nodes, touched):
                of_pods.found = self._profile.prepare_score(of_pods.plugin, cycle, nodes)
            if not isinstance(of_pods.found, Skip):
                others[where] += of_pods.counts(cycle, nodes)
        return others

    def _fitting(self) -> IntArray:
        """Return the feasible nodes, the same array until others are."""
        if self._fits is None:
            self._fits = np.flatnonzero(self._verdicts.fits)
        return self._fits

    def _follow_pods(self, one: _OfPods, nodes: IntArray, touched: Touched) -> bool:
        """Bring what a plugin found up to date; False where it is to be asked again."""
        if isinstance(one.found, Skip):
            return False
        return one.plugin.follow_scores(self._cycle, one.found, nodes, touched.rows)

    def _sum_all_up(self) -> IntArray:
        return np.where(self._verdicts.fits, self._rooms + self._others, NO_SCORE)

    def _sum_up(self, nodes: IntArray) -> IntArray:
        """Return the totals of these nodes, NO_SCORE where the pod doesn't fit."""
        fits = self._verdicts.plugin[nodes] == FITS
        return np.where(fits, self._rooms[nodes] + self._others[nodes], NO_SCORE)
