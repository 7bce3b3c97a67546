"""Whether a session would do anything: it is held on its own snapshot, and nothing of it is carried out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.cache.session_figures import job_shares, queue_shares
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.framework.closing import close
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.framework.steps import Enqueue, PodWrite
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.registry import ACTIONS


class _Mute:
    """Carries nothing out, and notes whether there was something to carry out."""

    def __init__(self) -> None:
        self.asked = False

    def bound(self, task: Task) -> None:
        self.asked = True

    def evicted(self, task: Task, reason: str) -> None:
        self.asked = True

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        pass

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        pass


class Idle(NamedTuple):
    """Where the search for nodes stands after it, and when time alone would change what a session does.

    `change` is in nanoseconds since the run's start, None where time changes nothing.
    """

    next_node: int
    change: int | None


def idle_session(cluster: VolcanoCluster, configuration: Configuration, elapsed: int) -> Idle | None:
    """Return what a session now would leave behind that does nothing; None if it does more than that.

    More is a bind, an eviction, a job that enters its queue, a phase, a condition, a figure, a nomination, or
    something new about hyper nodes.
    """
    witness, memory = _Mute(), Memory(cluster.memory.values["next_node"])
    session = open_session(cluster.snapshot(), cluster.contents(elapsed), configuration, witness, memory)
    for action in configuration.actions:
        for step in ACTIONS[action](session):
            if witness.asked or (isinstance(step, Enqueue) and step.entered):
                return None
    if witness.asked or _writes(session, cluster, close(session)):
        return None
    now = session.around.now
    changes = (plugin.next_change(now) for plugin in session.plugins.values() if plugin.reads_clock)
    change = min((instant for instant in changes if instant is not None), default=None)
    return Idle(memory.next_node, None if change is None else change - cluster.epoch)


def _writes(session: Session, cluster: VolcanoCluster, writes: list[PodWrite]) -> bool:
    """Return whether the end of a session would change what the cluster has of groups, queues and pods."""
    shares = job_shares(session)
    for job in session.jobs.values():
        share = shares.get(job.uid)
        if not cluster.has_group(job, None if share is None else share.share):
            return True
    if not all(map(cluster.has_queue, queue_shares(session).values())):
        return True
    if not cluster.hyper_nodes.has(session):
        return True
    nominated = cluster.state.nominated
    return any(
        write.nominated and write.task.row is not None and nominated[write.task.row] != write.nominated
        for write in writes
    )
