"""network-topology-aware: keeps the pods of a job near each other in the network.

Source: volcano v1.16 pkg/scheduler/plugins/network-topology-aware/network_topology_aware.go.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from scheduler_core.volcano.configuration.scheduler_conf import Arguments, PluginOption
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugin_rules.hyper_node_room import HyperNodeRoom

_FULL = 100
_FADING = 0.8
_MOST_DOMAINS = 8
_RESOURCES = "hypernode.binpack.resources"


class NetworkTopologyAware(Plugin):
    """`weights` by resource are those of packing; `room` has what hyper nodes hold and have in all."""

    name = "network-topology-aware"
    gives_back = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        arguments, self.tree = option.arguments, session.hyper_nodes
        self.weights = _weights(arguments)
        self.scale = float(_FULL * _weight(arguments, "weight"))
        self.packs_others = arguments.boolean("hypernode.binpack.normal-pod.enable", True)
        fading = arguments.number("hypernode.binpack.normal-pod.fading", _FADING)
        self.fading = _FADING if fading < 0 else fading
        most = arguments.integer("hypernode.gradient.evict.max-hypernodes", _MOST_DOMAINS)
        self.most_domains = most if most > 0 else _MOST_DOMAINS
        self.room = HyperNodeRoom(session.nodes, self.tree, self.weights)
        self._lowest_tier, self._highest_tier = self.tree.tiers[0], self.tree.tiers[-1]
        tiers = range(self._lowest_tier, self._highest_tier + 1)
        self._weight_of = {tier: _power(self.fading, tier - 1) for tier in tiers}

    # -- hyper nodes ---------------------------------------------------------------------------------

    def hyper_node_gradients(self, of: Job | SubJob, root: str, evicting: bool) -> list[list[str]]:
        """Return the hyper nodes below a root that come into question, tier by tier from the lowest.

        For evictions the highest tier comes first, and only so many are looked at.
        """
        tier = of.hard_tier
        if tier is None:
            return [[root]]
        start = self._search_root(root, tier, of.hyper_node)
        if start is None:
            return []
        wanted = of.min_resources if isinstance(of, Job) else of.wanted
        found: dict[int, list[str]] = {}
        for name in self._below(start):
            one = self.tree.by_name[name]
            if one.tier <= tier and (of.hyper_node or self.room.may_hold(wanted, name, evicting=evicting)):
                found.setdefault(one.tier, []).append(name)
        tiers = [found[number] for number in sorted(found)]
        return _capped(reversed(tiers), self.most_domains) if evicting else tiers

    def _search_root(self, root: str, tier: int, hyper_node: str) -> str | None:
        """Return where to search from: who has pods somewhere stays within the allowed tier around them."""
        if not hyper_node:
            return root
        allowed = ""
        for name in self.tree.ancestors(hyper_node):
            if name not in self.tree.by_name or self.tree.by_name[name].tier > tier:
                break
            allowed = name
        if not allowed:
            return None
        common = self.tree.common(root, allowed)
        return root if common == allowed else allowed if common == root else None

    def _below(self, root: str) -> list[str]:
        names = [root]
        seen = {root}
        for name in names:
            new = sorted(self.tree.by_name[name].children - seen)
            names += new
            seen.update(new)
        return names

    def hyper_node_order(self, part: SubJob, names: Sequence[str]) -> dict[str, float]:
        """Prefer hyper nodes that are fuller with a part; of equal ones those that have pods of it."""
        wanted: Counter[str] = Counter()
        for task in part.tasks.values():
            for resource in task.request.names():
                if resource in self.weights:
                    wanted[resource] += task.request.get(resource)  # type: ignore[assignment]
        scores = {name: self.room.packing(wanted, name) for name in names}
        highest = max(scores.values())
        best = [name for name in names if scores[name] == highest]
        if len(best) > 1:
            for name in best:
                scores[name] += self._part_within(part, name)
        return {name: self.scale * score for name, score in scores.items()}

    def _part_within(self, part: SubJob, name: str) -> float:
        """Return which part of a sub job's tasks is in a hyper node."""
        row_of = self.session.nodes.row
        rows = [row_of[task.node] for task in part.tasks.values() if task.node in row_of]
        within = self.tree.by_name[name].count(np.array(rows, dtype=np.int64))
        return within / len(part.tasks) if part.tasks else 0.0

    # -- nodes ---------------------------------------------------------------------------------------

    def by_node(self, task: Task) -> bool:
        """All that it says of nodes compares them with each other, and is asked anew."""
        return True

    def batch_node_order(self, task: Task, rows: Rows) -> Floats:
        """Score nodes: near the others of the task's part, or else in hyper nodes that are fuller."""
        job = self.session.jobs.get(task.job)
        if job is None:
            return np.zeros(len(rows))
        part = job.sub_job_of(task)
        score = self._near(task, part, rows) if part.topology is not None else self._packed(task, rows)
        return self.scale * score

    def compared_scores(self, task: Task, rows: Rows) -> Floats | None:
        return self.batch_node_order(task, rows)

    def own_score_of(self, task: Task) -> Callable[[int], float]:
        return lambda node: 0.0

    def _near(self, task: Task, part: SubJob, rows: Rows) -> Floats:
        if not task.near:
            return np.zeros(len(rows))
        lowest = [self.tree.lowest[row] for row in rows.tolist()]
        known = {name: self._nearness(name, task.near) for name in dict.fromkeys(lowest)}
        scores = np.array([known[name] for name in lowest])
        best = scores == scores.max()
        if np.count_nonzero(best) > 1:
            within = {name: self._part_within(part, name) if name else 0.0 for name in known}
            scores = scores + np.where(best, [within[name] for name in lowest], 0.0)
        return scores

    def _nearness(self, name: str, near: str) -> float:
        """Return 1 for the same hyper node, and the less the higher the tier is at which two meet."""
        if not name:
            return 0.0
        if name == near:
            return 1.0
        common = self.tree.common(name, near)
        if common not in self.tree.by_name:
            return 0.0
        tier, lowest, highest = self.tree.by_name[common].tier, self._lowest_tier, self._highest_tier
        if lowest == highest:
            return 1.0
        return (highest - tier) / (highest - lowest) if lowest <= tier <= highest else 0.0

    def _packed(self, task: Task, rows: Rows) -> Floats:
        """Score by how full the hyper nodes around a node are; outside of all it is as if they were full."""
        if not self.packs_others:
            return np.zeros(len(rows))
        wanted = {name: task.request.get(name) for name in task.request.names() if name in self.weights}
        total, whole = np.zeros(len(self.session.nodes)), sum(self._weight_of.values())
        for tier, weight in self._weight_of.items():
            score = np.ones(len(total))
            for name in reversed(self.tree.by_tier.get(tier, ())):
                score[self.tree.by_name[name].rows] = self.room.packing(wanted, name)
            total += weight * score
        return total[rows] / whole if whole > 0 else np.zeros(len(rows))

    # -- what happens --------------------------------------------------------------------------------

    def allocated(self, task: Task) -> str | None:
        self.room.count(task, 1)
        return None

    def deallocated(self, task: Task) -> None:
        self.room.count(task, -1)


def _power(base: float, exponent: int) -> float:
    """Return a power as Go has it: what is too large is infinite."""
    try:
        return base**exponent
    except (OverflowError, ZeroDivisionError):
        return math.inf


def _weight(arguments: Arguments, key: str) -> int:
    weight = arguments.integer(key, 1)
    return 1 if weight < 0 else weight


def _weights(arguments: Arguments) -> dict[str, int]:
    named = filter(None, map(str.strip, arguments.text(_RESOURCES).split(",")))
    weights = {name: _weight(arguments, f"{_RESOURCES}.{name}") for name in named}
    own = {name: _weight(arguments, f"hypernode.binpack.{name}") for name in ("cpu", "memory")}
    return weights | own


def _capped(tiers: Iterable[list[str]], most: int) -> list[list[str]]:
    """Return tiers up to so many hyper nodes; of the last tier the last of them."""
    kept: list[list[str]] = []
    for names in tiers:
        if most <= 0:
            break
        kept.append(names[-most:])
        most -= len(kept[-1])
    return kept
