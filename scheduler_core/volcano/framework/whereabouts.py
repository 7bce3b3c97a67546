"""Where jobs are in the network as a session opens, and how far they may be spread.

Source: volcano v1.16 pkg/scheduler/framework/session.go adjustNetworkTopologySpec,
removeInvalidAllocatedHyperNode, recoverAllocatedHyperNode.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from scheduler_core.volcano.model.hyper_nodes import HyperNodes
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Nodes
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import HOLDING


class Whereabouts(NamedTuple):
    """The hyper node of a job, and those of its parts by their uids."""

    job: str
    parts: dict[str, str]


def whereabouts_of(job: Job) -> Whereabouts:
    """Return where a job and its parts are."""
    return Whereabouts(job.hyper_node, {part.uid: part.hyper_node for part in job.sub_jobs.values()})


def settle(jobs: Iterable[Job], tree: HyperNodes, nodes: Nodes, known: Mapping[str, Whereabouts]) -> set[str]:
    """Settle topologies, and find out where jobs are. Returns the uids of jobs of which that is news.

    `known` is what the scheduler remembers; what it does not is told by the nodes of pods.
    """
    news = set()
    for job in jobs:
        if job.has_topology:
            _settle_topology(job, tree)
        if not tree.ready:
            continue
        if job.uid in known:
            _remember(job, known[job.uid])
        before = whereabouts_of(job)
        _forget_invalid(job, tree)
        if job.has_topology:
            _find(job, tree, nodes)
        if whereabouts_of(job) != before:
            news.add(job.uid)
    return news


def _settle_topology(job: Job, tree: HyperNodes) -> None:
    """Soft counts as hard up to the top; a part's no higher than its job may go."""
    within = tree.top.tier
    if job.topology is not None:
        job.topology.settle(tree.tier_names, within)
        within = within if job.topology.tier is None else job.topology.tier
    for part in job.sub_jobs.values():
        if part.topology is not None:
            part.topology.settle(tree.tier_names, within)


def _remember(job: Job, known: Whereabouts) -> None:
    job.hyper_node = known.job
    for part in job.sub_jobs.values():
        part.hyper_node = known.parts.get(part.uid, "")


def _forget_invalid(job: Job, tree: HyperNodes) -> None:
    """Forget hyper nodes that are gone, and those of whom nothing holds a node any more."""
    if job.hyper_node not in tree.by_name or not job.count(HOLDING):
        job.hyper_node = ""
    for part in job.sub_jobs.values():
        if part.hyper_node not in tree.by_name or not part.holding():
            part.hyper_node = ""


def _find(job: Job, tree: HyperNodes, nodes: Nodes) -> None:
    """Find parts by the nodes of their pods, and the job by its parts."""
    found = False
    for part in job.sub_jobs.values():
        if part.topology is not None and not part.hyper_node:
            part.hyper_node = _place_of(part, tree, nodes)
            found = found or bool(part.hyper_node)
    if job.hyper_node and not found:
        return
    job.hyper_node = ""
    for part in job.sub_jobs.values():
        if part.hyper_node:
            job.hyper_node = tree.common(job.hyper_node, part.hyper_node)
            if not job.hyper_node:
                break


def _place_of(part: SubJob, tree: HyperNodes, nodes: Nodes) -> str:
    names = {task.node for task in part.holding() if task.node}
    if any(name not in nodes.row for name in names):
        return ""
    return tree.around(nodes.row[name] for name in names)
