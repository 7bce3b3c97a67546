"""What came of trying jobs in hyper nodes: a job alike to one before need not be tried where nothing changed.

A try is taken back whatever comes of it. It is the same for a job of the same shape as long as the hyper
node's nodes are as they were, and the queue lets as many of its tasks in.

Kept are only tries that depend on nothing else: of jobs that are one part, of which no pod has a node, whose
tasks are asked about node by node (`Session.by_node`), in sessions in which whatever was tried leaves nothing
behind (`Session.gives_back`).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import ClassVar, NamedTuple

import numpy as np

from scheduler_core.equivalence.cache import EquivalenceCache, classes_within
from scheduler_core.volcano.framework.parts import gradients
from scheduler_core.volcano.framework.selection import nodes_to_find
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import HyperNodeTry, Try
from scheduler_core.volcano.model.hyper_nodes import HyperNode
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.tasks import Task, TaskStatus, Transaction

Outcome = tuple[str, int, float | None, bool]
"""As a `HyperNodeTry` has it, with whether it names the part's hyper node."""

_MOST_BYTES = 64 * 2**20
_BYTES_A_TRY = 2_048


class _Known(NamedTuple):
    """A try: what came of it, the nodes of the tasks that got one, how many tasks it asked the queue about.

    `epoch` is that of its search, `next_node` where the next search for nodes starts after it.
    """

    epoch: int
    outcome: Outcome
    nodes: Sequence[str]
    asked: int
    next_node: int


class Recalled(NamedTuple):
    """A try that was not made again, and what it would have found: so it can be made after all."""

    told: HyperNodeTry
    next_node: int
    taken_back: Sequence[Transaction | None]


class KnownTrials:
    """The tries of an action. With `check_every` k each k-th that is recalled is to be made all the same."""

    check_every: ClassVar[int] = 0

    def __init__(self, session: Session) -> None:
        self.session = session
        self._nodes = session.nodes
        self._changed = np.zeros(len(self._nodes), dtype=np.int64)
        """In which epoch a node was last found changed, by row."""
        self._read = self._nodes.changes.end
        self.epoch = 0
        self.kept: EquivalenceCache[Hashable, dict[Hashable, _Known]] = EquivalenceCache(self.check_every)
        most = _BYTES_A_TRY * max(1, len(session.hyper_nodes.by_name))
        self._most = classes_within(_MOST_BYTES, most)
        asked = ("job_ready", "job_pipelined")
        voters = {name for function in asked for tier in session.tiers(function) for name, _ in tier}
        self._counts = all(session.plugins[name].counts_tasks for name in voters)

    def of(self, job: Job, tasks: Sequence[Task]) -> JobTrials | None:
        """Open a job's search: `tasks` are in the order of their turns. None: all is to be tried."""
        self._follow()
        session = self.session
        if session.listener is not None or session.tells_trials or not self._counts or not session.gives_back:
            return None
        shape = _shape(session, job, tasks)
        if shape is None:
            return None
        known = self.kept.find(shape)
        if known is None:
            known = self.kept.keep(shape, {}, self._most)
        return JobTrials(self, job, tasks, known)

    def _follow(self) -> None:
        """Note which nodes have changed for good since the last search."""
        self.epoch += 1
        changes = self._nodes.changes.since(self._read)
        self._changed[self._nodes.all if changes is None else list(changes)] = self.epoch
        self._read = self._nodes.changes.end

    def given_back(self) -> None:
        """Hear that all that was done since the search was opened is taken back."""
        self._read = self._nodes.changes.end

    def is_as_before(self, where: HyperNode, epoch: int) -> bool:
        """Return whether no node of a hyper node has changed since an epoch."""
        return bool((self._changed[where.rows] <= epoch).all())


class JobTrials:
    """The tries of one job. `_allowed` is how many of its tasks the queue is known to let in, one by one."""

    def __init__(
        self, trials: KnownTrials, job: Job, tasks: Sequence[Task], known: dict[Hashable, _Known]
    ) -> None:
        self._trials = trials
        self._session = trials.session
        self._job = job
        self._tasks = tasks
        self._known = known
        self._allowed = 0

    def recall(self, name: str) -> Recalled | None:
        """Return what comes of the job in a hyper node, and leave behind what a try would; None: unknown."""
        session, where = self._session, self._session.hyper_nodes.by_name[name]
        known = self._known.get(self._key(where))
        if known is None or known.asked > self._allowed or not self._trials.is_as_before(where, known.epoch):
            return None
        outcome, placed, score, inside = known.outcome
        parts = {self._job.uid: name} if inside else {}
        told = HyperNodeTry(name, outcome, placed, score, parts)  # type: ignore[arg-type]
        recalled = Recalled(told, session.memory.next_node, [task.taken_back for task in self._tasks])
        for task, node in zip(self._tasks, known.nodes, strict=False):
            task.taken_back = Transaction(TaskStatus.ALLOCATED, node, False)
        session.memory.next_node = (
            known.next_node if _ends_early(where) else session.memory.next_node % len(where.rows)
        )
        return recalled

    def is_to_be_checked(self) -> bool:
        """Count a try that is recalled, and return whether it is to be made all the same."""
        return self._trials.kept.count_given()

    def require(self, recalled: Recalled, told: HyperNodeTry) -> None:
        """Raise KeptDiffers where a try that was made says something else than what was recalled."""
        self._trials.kept.require(recalled.told == told, f"{self._job.uid} in {told.hyper_node}")

    def make_up(self, recalled: Recalled) -> None:
        """Put things as they were before a try was recalled, so that it can be made."""
        self._session.memory.next_node = recalled.next_node
        for task, before in zip(self._tasks, recalled.taken_back, strict=True):
            task.taken_back = before

    def note(self, told: HyperNodeTry, tries: Sequence[Try], started: int) -> None:
        """Keep what came of a try; `started` is where its search for nodes started."""
        if not _is_plain(tries):
            return
        self._allowed = max(self._allowed, len(tries))
        session, where = self._session, self._session.hyper_nodes.by_name[told.hyper_node]
        part, names = self._job.sub_jobs[self._job.uid], [told.hyper_node]
        if list(map(list, gradients(session, part, told.hyper_node))) != [names]:
            return
        classes = {session.classes.of(one.task): one.task for one in tries}
        if not all(map(session.by_node, classes.values())):
            return
        outcome = told.outcome, told.placed, told.score, bool(told.parts)
        nodes = [one.node for one in tries if one.node]
        now = session.memory.next_node
        self._known[self._key(where, started)] = _Known(self._trials.epoch, outcome, nodes, len(tries), now)

    def _key(self, where: HyperNode, started: int | None = None) -> Hashable:
        """Return by what a try is known: where it may end before all nodes are seen, by the start as well."""
        if not _ends_early(where):
            return where.name
        start = self._session.memory.next_node if started is None else started
        return where.name, start % len(where.rows)


def _ends_early(where: HyperNode) -> bool:
    """Return whether a search among its nodes may end before it has seen all of them."""
    return nodes_to_find(len(where.rows)) < len(where.rows)


def _is_plain(tries: Sequence[Try]) -> bool:
    """Return whether each task got idle room, but for a last one that all nodes may have refused."""
    if not tries:
        return False
    *others, last = tries
    return all(one.outcome == "allocated" for one in others) and (
        last.outcome == "allocated" or (last.outcome, last.why) == ("refused", "nodes")
    )


def _shape(session: Session, job: Job, tasks: Sequence[Task]) -> Hashable | None:
    """Return all that a try reads of a job whose pods all wait, None for another job."""
    part = job.sub_jobs.get(job.uid)
    if part is None or job.has_sub_groups or job.hyper_node or part.hyper_node or part.nominated:
        return None
    if len(tasks) != len(job.tasks) or any(task.gated or task.nominated for task in tasks):
        return None
    classes = [session.classes.of(task) for task in tasks]
    if None in classes:
        return None
    spec = job.group.spec
    roles = tuple(sorted((spec.min_task_member or {}).items()))
    return tuple(classes), tuple(task.role for task in tasks), job.min_available, roles, job.hard_tier
