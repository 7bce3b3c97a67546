"""Scores of placements on which a group fits: how full they become, and how many members they hold.

Source: kubernetes v1.36 plugins/podgrouppodscount; plugins/noderesources
scorePlacement, calculateNodeAllocatableRequest (MostAllocated).
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.kube.framework import MAX_NODE_SCORE
from scheduler_core.kube.placement_plugins import COUNT, FIT, PlacementPlugins
from scheduler_core.kube.pod_groups.groups import Groups
from scheduler_core.kube.pod_groups.tries import PlacementTry
from scheduler_core.objects.pod_groups import GroupKey
from scheduler_core.predicates.resources import NATIVE, amount_columns


def placement_scores(
    plugins: PlacementPlugins, groups: Groups, key: GroupKey, placements: Sequence[PlacementTry]
) -> dict[str, dict[str, int]]:
    """Return by placement what each plugin gives it, weighted, and the total."""
    already = len(groups.placed(key))
    counts = [already + sum(bool(one.node) for one in placement.members) for placement in placements]
    most = max(counts)
    rows = {}
    for placement, count in zip(placements, counts, strict=True):
        scores = {FIT: _fullness(plugins.resources, groups, placement), COUNT: count * MAX_NODE_SCORE // most}
        row = {name: scores[name] * weight for name, weight in plugins.weights.items() if name in scores}
        rows[placement.name] = {**row, "total": sum(row.values())}
    return rows


def _fullness(resources: Sequence[tuple[str, int]], groups: Groups, placement: PlacementTry) -> int:
    """Return how full the nodes become, from 0 to 100; what a node has none of does not count there."""
    state = groups.state
    rows = [state.nodes.index[name] for name in placement.nodes or state.nodes.names]
    pods = [state.pods.infos[one.pod] for one in placement.members if one.node]
    total = weights = 0
    for name, weight in resources:
        asked = sum(pod.scored_requests.get(name, 0) for pod in pods)
        if asked == 0 and name not in NATIVE:
            continue
        allocatable, allocated = amount_columns(state, name, non_zero=True, devices=False)
        capacity = int(allocatable[rows].sum())
        if capacity == 0:
            continue
        there = allocatable[rows] != 0
        requested = min(asked + int(allocated[rows][there].sum()), capacity)
        total += requested * MAX_NODE_SCORE // capacity * weight
        weights += weight
    return total // weights if weights else 0
