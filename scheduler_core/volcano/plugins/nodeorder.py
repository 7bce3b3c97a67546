"""nodeorder: kube-scheduler's own scores, with Volcano's weights.

Source: volcano v1.16 pkg/scheduler/plugins/nodeorder/nodeorder.go, plugins/util/nodescore/score_helper.go.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from scheduler_core.kube.framework import MAX_NODE_SCORE, Cycle, ScoreFault, ScorePlugin, Skip
from scheduler_core.kube.plugins.image_locality import ImageLocality, Scale
from scheduler_core.kube.plugins.node_affinity import NodeAffinity
from scheduler_core.kube.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.kube.plugins.taint_toleration import TaintToleration
from scheduler_core.state.nodes import ImageOnNodes, IntArray
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.known_affinity import KnownAffinity

_GPU = "nvidia.com/gpu"
_BY_ROOM = (NodeResourcesFit, NodeResourcesBalancedAllocation)
_EXACT_WEIGHT = 2**40
"""Up to this a score times a weight is the same in plain numbers as in an array."""


@dataclass
class _Split:
    """The scores of a class of tasks: those of a node alone, and those that depend on the nodes beside it.

    `even` is the sum of those that are the same for all nodes, whichever are left; `images` has all nodes.
    """

    images: Floats
    alone: list[tuple[ScorePlugin, int, Any]] = field(default_factory=list)
    compared: list[tuple[ScorePlugin, int, Any, IntArray]] = field(default_factory=list)
    even: float = 0.0

    def compare(self, plugin: ScorePlugin, weight: int, cycle: Cycle, prepared: Any, raw: IntArray) -> None:
        """Take in a plugin that scales each score by the highest; `raw` has all nodes."""
        if (raw == raw[:1]).all():
            one = np.zeros(len(raw[:1]), dtype=np.int64)
            self.even += float(plugin.normalize(cycle, prepared, one, raw[:1]).sum() * weight)
        else:
            self.compared.append((plugin, weight, prepared, raw))


class Nodeorder(Plugin):
    """`scored` are the plugins with their weights; a weight of 0 leaves one out."""

    name = "nodeorder"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._split: dict[int | None, _Split | None] = {}
        self._images = option.arguments.integer("imagelocality.weight", 1)
        self._image_locality = _CurrentImageLocality()
        weighted = [
            (_fit("LeastAllocated", 50), "leastrequested.weight", 1),
            (_fit("MostAllocated", 1), "mostrequested.weight", 0),
            (_balanced(), "balancedresource.weight", 1),
            (NodeAffinity(), "nodeaffinity.weight", 2),
            (KnownAffinity(session.state, {"hardPodAffinityWeight": 0}), "podaffinity.weight", 2),
            (TaintToleration(), "tainttoleration.weight", 3),
            (PodTopologySpread(), "podtopologyspread.weight", 2),
        ]
        self.scored: list[tuple[ScorePlugin, int]] = [
            (plugin, weight)
            for plugin, key, default in weighted
            if (weight := option.arguments.integer(key, default)) != 0
        ]

    # -- by node -------------------------------------------------------------------------------------

    def by_node(self, task: Task) -> bool:
        """Spread and inter-pod affinity must have nothing to say."""
        known = self.session.classes.of(task)
        assert known is not None
        if known not in self._split:
            self._split[known] = self._split_for(task)
        return self._split[known] is not None

    def _split_for(self, task: Task) -> _Split | None:
        cycle, rows = self._cycle(task), self.session.nodes.all
        split = _Split(self.node_order(task, rows))
        for plugin, weight in self.scored:
            try:
                prepared = plugin.pre_score(cycle, rows)
            except ScoreFault:
                return None
            if isinstance(plugin, (KnownAffinity, PodTopologySpread)):
                if not isinstance(prepared, Skip):
                    return None
                if isinstance(plugin, KnownAffinity) and not plugin.is_silent_for(cycle.pod):
                    return None
            elif isinstance(prepared, Skip):
                continue
            elif isinstance(plugin, (NodeAffinity, TaintToleration)):
                split.compare(plugin, weight, cycle, prepared, plugin.score(cycle, prepared, rows))
            else:
                split.alone.append((plugin, weight, prepared))
        return split

    def own_scores(self, task: Task, rows: Rows) -> Floats:
        """Return what depends on each node alone; NaN where it leaves its range."""
        split = self._split_of(task)
        cycle, result = self._cycle(task), np.full(len(rows), split.even)
        for plugin, weight, prepared in split.alone:
            scores = plugin.score(cycle, prepared, rows)
            result += scores * weight
            result[(scores > MAX_NODE_SCORE) | (scores < 0)] = np.nan
        return result

    def own_score_of(self, task: Task) -> Callable[[int], float]:
        split, cycle = self._split_of(task), self._cycle(task)
        even, scorers = split.even, list[tuple[Callable[[int], int], int]]()
        for plugin, weight, prepared in split.alone:
            if not isinstance(plugin, _BY_ROOM) or abs(weight) > _EXACT_WEIGHT:
                return super().own_score_of(task)
            scorers.append((plugin.scoring(cycle, prepared), weight))

        def score_of(node: int) -> float:
            result = even
            for score_one, weight in scorers:
                score = score_one(node)
                if not 0 <= score <= MAX_NODE_SCORE:
                    return math.nan
                result += score * weight
            return result

        return score_of

    def compared_scores(self, task: Task, rows: Rows) -> Floats | None:
        """Return what scales the nodes' answers by the highest of them."""
        compared = self._split_of(task).compared
        if not compared:
            return None
        cycle, result = self._cycle(task), np.zeros(len(rows))
        for plugin, weight, prepared, raw in compared:
            scores = plugin.normalize(cycle, prepared, rows, raw[rows])
            if len(scores) and (scores.max() > MAX_NODE_SCORE or scores.min() < 0):
                return np.full(len(rows), np.nan)
            result = result + (scores * weight).astype(np.float64)
        return result

    def _split_of(self, task: Task) -> _Split:
        known = self.session.classes.of(task)
        split = None if known is None else self._split[known]
        assert split is not None
        return split

    def node_order_of(self, task: Task) -> Callable[[int], float]:
        return self._split_of(task).images.item

    # -- all together --------------------------------------------------------------------------------

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return the score of the images that a node has already."""
        if self._images == 0:
            return np.zeros(len(rows))
        if (split := self._split.get(self.session.classes.of(task))) is not None:
            return split.images[rows]
        scores = self._image_locality.score(self._cycle(task), None, rows)
        return scores.astype(np.float64) * float(self._images)

    def batch_node_order(self, task: Task, rows: Rows) -> Floats | None:
        """Return the sum of all other scores; None where one of them fails or leaves its range."""
        cycle, result = self._cycle(task), np.zeros(len(rows))
        for plugin, weight in self.scored:
            try:
                prepared = plugin.pre_score(cycle, rows)
            except ScoreFault:
                return None
            if isinstance(prepared, Skip):
                continue
            raw = plugin.score(cycle, prepared, rows)
            scores = plugin.normalize(cycle, prepared, rows, raw)
            if len(scores) and (scores.max() > MAX_NODE_SCORE or scores.min() < 0):
                return None
            result = result + (scores * weight).astype(np.float64)
        return result

    def _cycle(self, task: Task) -> Cycle:
        assert task.row is not None
        return Cycle(self.session.state, self.session.state.pods.infos[task.row])


class _CurrentImageLocality(ImageLocality):
    """Nodes are handed to Volcano's cache again with every heartbeat, so that all know the present count."""

    def counted(self, cycle: Cycle, name: str, image: ImageOnNodes, scale: Scale) -> int:
        return scale(image.size, len(image.nodes))


def _fit(strategy: str, weight: int) -> NodeResourcesFit:
    resources = [{"name": name, "weight": weight} for name in ("cpu", "memory")]
    return NodeResourcesFit({"scoringStrategy": {"type": strategy, "resources": resources}})


def _balanced() -> NodeResourcesBalancedAllocation:
    resources = [{"name": name, "weight": 1} for name in ("cpu", "memory", _GPU)]
    return NodeResourcesBalancedAllocation({"resources": resources})
