"""What a session asks its plugins about parts of jobs, and about the hyper nodes that they may go to.

Source: volcano v1.16 pkg/scheduler/framework/session_plugins.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from scheduler_core.volcano.framework.functions import PERMIT, REJECT
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Rows
from scheduler_core.volcano.model.sub_jobs import SubJob

Gradients = Sequence[Sequence[str]]
"""Names of hyper nodes: one gradient is tried after the other, all of one before any is chosen."""


class Ranked(NamedTuple):
    """A choice among hyper nodes: the points of each, the best of them by name, and the one that is taken."""

    scores: dict[str, float]
    best: list[str]
    chosen: str


def ranked(scores: dict[str, float]) -> Ranked:
    """Choose the hyper node with the highest score, the first of them by name."""
    highest = max(scores.values())
    best = sorted(name for name, score in scores.items() if score == highest)
    return Ranked(scores, best, best[0])


def part_ready(session: Session, job: Job, part: SubJob) -> bool:
    """Return whether enough of a part of a job hold nodes; without sub groups that is asked of the job."""
    if not job.has_sub_groups:
        return session.job_ready(job)
    return all(ask(part) for tier in session.tiers("sub_job_ready") for _, ask in tier)


def part_pipelined(session: Session, job: Job, part: SubJob) -> bool:
    """Return whether a part of a job may wait for what is on its way out."""
    if not job.has_sub_groups:
        return session.job_pipelined(job)
    for tier in session.tiers("sub_job_pipelined"):
        votes = [ask(part) for _, ask in tier]
        if REJECT in votes:
            return False
        if PERMIT in votes:
            return True
    return True


def part_before(session: Session, left: SubJob, right: SubJob) -> bool:
    """Return whether a part comes before another: by plugins, then by number, then by name."""
    for tier in session.tiers("sub_job_order"):
        for _, ask in tier:
            if (said := ask(left, right)) != 0:
                return bool(said < 0)
    return (left.number, left.uid) < (right.number, right.uid)


def gradients(session: Session, of: Job | SubJob, root: str, *, evicting: bool = False) -> Gradients:
    """Return where below a hyper node a job or a part may go: what the first plugin says that is asked."""
    for tier in session.tiers("hyper_node_gradients"):
        for _, ask in tier:
            said: Gradients = ask(of, root, evicting)
            return said
    return [[root]]


def reachable(session: Session, job: Job, part: SubJob) -> Rows:
    """Return the nodes to which a part of a job may go, by the hyper nodes that come into question."""
    if not job.has_hard_topology:
        return session.nodes.all
    roots = chain.from_iterable(gradients(session, job, session.hyper_nodes.top.name))
    names = {name for root in roots for tier in gradients(session, part, root) for name in tier}
    rows = [session.hyper_nodes.by_name[name].rows for name in sorted(names)]
    return np.unique(np.concatenate(rows)) if rows else session.nodes.all[:0]


def hyper_node_scores(session: Session, part: SubJob, names: Sequence[str]) -> dict[str, float]:
    """Return the sum of all plugins' points for a part in each of these hyper nodes."""
    scores = dict.fromkeys(names, 0.0)
    asked = {name: ask for tier in session.tiers("hyper_node_order") for name, ask in tier}
    for ask in asked.values():
        for name, score in ask(part, names).items():
            scores[name] += score
    return scores
