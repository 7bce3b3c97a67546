"""nodeorder: kube-scheduler's own scores, with Volcano's weights.

Source: volcano v1.16 pkg/scheduler/plugins/nodeorder/nodeorder.go, plugins/util/nodescore/score_helper.go.
"""

from __future__ import annotations

import numpy as np

from scheduler_core.kube.framework import MAX_NODE_SCORE, Cycle, ScoreFault, ScorePlugin, Skip
from scheduler_core.kube.plugins.image_locality import ImageLocality, Scale
from scheduler_core.kube.plugins.node_affinity import NodeAffinity
from scheduler_core.kube.plugins.node_resources_balanced_allocation import NodeResourcesBalancedAllocation
from scheduler_core.kube.plugins.node_resources_fit import NodeResourcesFit
from scheduler_core.kube.plugins.pod_topology_spread import PodTopologySpread
from scheduler_core.kube.plugins.taint_toleration import TaintToleration
from scheduler_core.state.nodes import ImageOnNodes
from scheduler_core.volcano.configuration import PluginOption
from scheduler_core.volcano.known_affinity import KnownAffinity
from scheduler_core.volcano.nodes import Floats, Rows
from scheduler_core.volcano.plugin import Plugin
from scheduler_core.volcano.session import Session
from scheduler_core.volcano.tasks import Task

_GPU = "nvidia.com/gpu"


class Nodeorder(Plugin):
    """`scored` are the plugins with their weights; a weight of 0 leaves one out."""

    name = "nodeorder"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
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

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return the score of the images that a node has already."""
        if self._images == 0:
            return np.zeros(len(rows))
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
