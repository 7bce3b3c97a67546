"""A session: jobs, queues and nodes of one moment, and the questions that actions ask the plugins.

Source: volcano v1.16 pkg/scheduler/framework/session.go, session_plugins.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from scheduler_core.go.heap import InOrder, PriorityQueue
from scheduler_core.kube.framework import Cycle
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.configuration.scheduler_conf import FLAGS, Configuration, PluginOption
from scheduler_core.volcano.equivalence.equivalence_cache import Kept, left_by
from scheduler_core.volcano.equivalence.task_classes import TaskClasses
from scheduler_core.volcano.framework.around_session import SessionPlugin, Witness
from scheduler_core.volcano.framework.functions import PERMIT, REJECT, functions_of
from scheduler_core.volcano.model.around import Around
from scheduler_core.volcano.model.fit_errors import Refusals
from scheduler_core.volcano.model.hyper_nodes import HyperNodes
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Nodes, Rows
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.resource import Resource, total
from scheduler_core.volcano.model.tasks import Task, TaskStatus, age_of, before

_ABOUT_NODES = ("predicate", "node_order", "batch_node_order")

Waiting = PriorityQueue[Task] | InOrder[Task]
Builder = Callable[["Session", PluginOption], SessionPlugin]


class Session:
    """`memory` outlives sessions: where the next search for nodes starts.

    `relocated` are the uids of jobs whose hyper nodes it has found or changed.
    """

    def __init__(
        self,
        state: ClusterState,
        nodes: Nodes,
        hyper_nodes: HyperNodes,
        jobs: dict[str, Job],
        queues: dict[str, Queue],
        configuration: Configuration,
        plugins: Callable[[str], Builder],
        witness: Witness,
        memory: Memory,
        around: Around | None = None,
    ) -> None:
        self.state = state
        self.around = around or Around()
        self.nodes = nodes
        self.hyper_nodes = hyper_nodes
        self.relocated: set[str] = set()
        self.jobs = jobs
        self.queues = queues
        self.configuration = configuration
        self.witness = witness
        self.memory = memory
        self.listener: Callable[[Task, Rows, Floats], None] | None = None
        """Hears of every node's points, if somebody wants to know more than what comes of them."""
        self.tells_trials = False
        """Whether the witness is to hear of every choice, also of those that are taken back."""
        self.total: Resource = total(nodes.sizes)
        self.classes = TaskClasses(state)
        self.kept = Kept(self)
        self.cycles: dict[str, Cycle] = {}
        """What kube-scheduler's plugins have found out about a task: every `predicates` reads the same."""
        self.plugins: dict[str, SessionPlugin] = {}
        self._heard: list[SessionPlugin] = []
        for tier in configuration.tiers:
            for option in tier:
                plugin = plugins(option.name)(self, option)
                # The last of a name answers for all; each of them hears of allocations.
                self.plugins[option.name] = plugin
                if plugin.hears:
                    self._heard.append(plugin)
        self.classes.tell_apart_by([plugin.class_part for plugin in self.plugins.values()])
        self._tiers = {function: self._asked(function) for function in FLAGS}
        self._flat = {name: [ask for tier in tiers for _, ask in tier] for name, tiers in self._tiers.items()}
        self._about_nodes = [self.plugins[name] for name in self._having(*_ABOUT_NODES)]
        self._scoring_together = [self.plugins[name] for name in self._named("batch_node_order")]
        """A plugin that is named twice scores twice."""

    def _asked(self, function: str) -> list[list[tuple[str, Callable[..., Any]]]]:
        """Return by tier who is asked for a function, and what."""
        asked = []
        for tier in self.configuration.tiers:
            names = [option.name for option in tier if option.enabled(FLAGS[function])]
            having = [
                name
                for name in names
                if function in functions_of(type(self.plugins[name]))
                and function not in self.plugins[name].switched_off
            ]
            asked.append([(name, getattr(self.plugins[name], function)) for name in having])
        return asked

    def has_hierarchy(self, plugin: str) -> bool:
        """Return whether a plugin sees queues as a tree: where it is named first decides."""
        options = (option for tier in self.configuration.tiers for option in tier if option.name == plugin)
        first = next(options, None)
        return first is not None and first.enabled("enableHierarchy")

    def _named(self, function: str) -> list[str]:
        """Return who has a function, one that is named twice twice."""
        return [name for tier in self._tiers[function] for name, _ in tier]

    def _having(self, *functions: str) -> list[str]:
        return list(dict.fromkeys(name for function in functions for name in self._named(function)))

    def tiers(self, function: str) -> Sequence[Sequence[tuple[str, Callable[..., Any]]]]:
        """Return by tier the plugins that have a function and may use it, with the function."""
        return self._tiers[function]

    def _all(self, function: str) -> list[Callable[..., Any]]:
        return self._flat[function]

    # -- orders --------------------------------------------------------------------------------------

    def compare_jobs(self, left: Job, right: Job) -> int:
        """Return what the first plugin says that tells them apart, 0 if none does."""
        return self._compare("job_order", left, right)

    def _compare(self, function: str, left: object, right: object) -> int:
        for ask in self._all(function):
            if (said := ask(left, right)) != 0:
                return int(said)
        return 0

    def job_decider(self, left: Job, right: Job) -> str:
        """Return the plugin that tells two jobs apart, empty where their age or name decides."""
        asked = (plugin for tier in self._tiers["job_order"] for plugin in tier)
        return next((name for name, ask in asked if ask(left, right) != 0), "")

    def job_before(self, left: Job, right: Job) -> bool:
        """Return whether a job comes before another."""
        said = self.compare_jobs(left, right)
        return said < 0 if said else (left.created, left.uid) < (right.created, right.uid)

    def queue_before(self, left: Queue, right: Queue) -> bool:
        """Return whether a queue comes before another."""
        said = self._compare("queue_order", left, right)
        return said < 0 if said else (left.created, left.name) < (right.created, right.name)

    def task_before(self, left: Task, right: Task) -> bool:
        """Return whether a task comes before another."""
        said = self._compare("task_order", left, right)
        return said < 0 if said else before(left, right)

    def tasks_in_order(self, tasks: Iterable[Task]) -> Waiting:
        """Return tasks of a job, who comes first before all.

        Where their order is that of a key, which no heap can change, they are sorted.
        """
        waiting = list(tasks)
        keys = [getattr(self.plugins[name], "task_key", None) for name in self._named("task_order")]
        numbered = {task.index is not None for task in waiting}
        if None in keys or len(numbered) > 1:
            return PriorityQueue(self.task_before, waiting)
        return InOrder(waiting, lambda task: (*[key(task) for key in keys if key], *age_of(task)))

    def victim_queue_before(self, left: Queue, right: Queue, of: Queue) -> bool:
        """Return whether a queue's pods go before another's if a third one reclaims."""
        for ask in self._all("victim_queue_order"):
            if (said := ask(left, right, of)) != 0:
                return bool(said < 0)
        return not self.queue_before(left, right)

    def victims_in_order(self, victims: Sequence[Task], preemptor: Task) -> PriorityQueue[Task]:
        """Return the victims, who goes first before all: the last queue, the last job, the last task."""

        def first_to_go(left: Task, right: Task) -> bool:
            if left.job == right.job:
                return not self.task_before(left, right)
            mine, theirs = self.jobs.get(left.job), self.jobs.get(right.job)
            if mine is None or theirs is None:
                return mine is None if mine is not theirs else not self.task_before(left, right)
            preempting = self.jobs.get(preemptor.job)
            if preempting is not None and mine.queue != theirs.queue:
                queues = self.queues
                return self.victim_queue_before(
                    queues[mine.queue], queues[theirs.queue], queues[preempting.queue]
                )
            said = self.compare_jobs(mine, theirs)
            return said > 0 if said else not self.task_before(left, right)

        return PriorityQueue(first_to_go, victims)

    # -- questions about jobs and queues -------------------------------------------------------------

    def job_valid(self, job: Job) -> tuple[str, str] | None:
        """Return (reason, message) why a job can't take part, None if it can."""
        for ask in self._all("job_valid"):
            if (said := ask(job)) is not None:
                reason, message = said
                return str(reason), str(message)
        return None

    def job_ready(self, job: Job) -> bool:
        """Return whether a job may be bound."""
        return all(ask(job) for ask in self._all("job_ready"))

    def job_pipelined(self, job: Job) -> bool:
        """Return whether a job may wait for what is on its way out."""
        return self._vote("job_pipelined", job)

    def job_enqueueable(self, job: Job) -> bool:
        """Return whether a job may enter its queue."""
        return self._vote("job_enqueueable", job)

    def _vote(self, function: str, *about: object) -> bool:
        """One reject is enough; a permit in a tier ends the vote there."""
        for tier in self._tiers[function]:
            said = PERMIT - 1
            for _, ask in tier:
                vote = ask(*about)
                if vote == REJECT:
                    return False
                said = max(said, vote)
            if said == PERMIT:
                return True
        return True

    def job_starving(self, job: Job) -> bool:
        """Return whether a job may take from others: all of the first tier with an opinion say so."""
        for tier in self._tiers["job_starving"]:
            if tier:
                return all(ask(job) for _, ask in tier)
        return False

    def job_enqueued(self, job: Job) -> None:
        """Tell the plugins that a job has entered its queue."""
        for ask in self._all("job_enqueued"):
            ask(job)

    def overused(self, queue: Queue) -> bool:
        """Return whether some plugin says that a queue has its share."""
        return any(ask(queue) for ask in self._all("overused"))

    def allocatable(self, queue: Queue, task: Task) -> bool:
        """Return whether a queue may take a task in."""
        return all(ask(queue, task) for ask in self._all("allocatable"))

    def preemptive(self, queue: Queue, tasks: Sequence[Task]) -> bool:
        """Return whether a queue may reclaim for tasks, all of them together."""
        asked = total(task.request for task in tasks)
        return all(ask(queue, asked) for ask in self._all("preemptive"))

    # -- questions about nodes -----------------------------------------------------------------------

    def pre_predicate(self, task: Task) -> str | None:
        """Let the plugins look at a task before its nodes; return an error if there is one."""
        for ask in self._all("pre_predicate"):
            if (error := ask(task)) is not None:
                return str(error)
        return None

    def predicate(self, task: Task, nodes: Rows) -> dict[int, Refusals]:
        """Return by node why it refuses the task: what the first plugin says that does."""
        refused: dict[int, Refusals] = {}
        for ask in self._all("predicate"):
            left = nodes if not refused else nodes[left_by(refused, nodes)]
            refused |= ask(task, left)
        return refused

    def scores(self, task: Task, nodes: Rows) -> Floats | None:
        """Return the sum of all plugins' scores, shape (nodes,); None if one of them fails."""
        each, batch = self._each_scores(task, nodes), np.zeros(len(nodes))
        for ask in self._all("batch_node_order"):
            more = ask(task, nodes)
            if more is None:
                return None
            batch = batch + more
        return each + batch

    def _each_scores(self, task: Task, nodes: Rows) -> Floats:
        """Return the part of the scores that plugins give to each node by itself."""
        scores = np.zeros(len(nodes))
        for ask in self._all("node_order"):
            scores = scores + ask(task, nodes)
        return scores

    # Where plugins answer by node, a batch's scores are the sum of `own_scores` and `compared_scores`.

    def by_node(self, task: Task) -> bool:
        """Return whether all plugins' answers about a node depend on that node alone, for the whole session.

        Scores that compare nodes are left out of that. The task must have been looked at.
        """
        return all(plugin.by_node(task) for plugin in self._about_nodes)

    def predicate_of(self, task: Task) -> Callable[[int], bool]:
        """Return how one node is asked whether it fits."""
        tests = [self.plugins[name].predicate_of(task) for name in self._named("predicate")]
        if len(tests) == 1:
            return tests[0]
        return lambda node: all(fits(node) for fits in tests)

    def scores_by_node(self, task: Task, nodes: Rows) -> tuple[Floats, Floats]:
        """Return what plugins give to each node by itself, and a batch's scores without those that compare.

        NaN where a plugin fails.
        """
        batch = np.zeros(len(nodes))
        for plugin in self._scoring_together:
            batch += plugin.own_scores(task, nodes)
        return self._each_scores(task, nodes), batch

    def scores_of_one(self, task: Task) -> Callable[[int], tuple[float, float]]:
        """Return how one node is asked for the same."""
        single = [self.plugins[name].node_order_of(task) for name in self._named("node_order")]
        together = [plugin.own_score_of(task) for plugin in self._scoring_together]

        def scores_of(node: int) -> tuple[float, float]:
            each = batch = 0.0
            for score in single:
                each += score(node)
            for score in together:
                batch += score(node)
            return each, batch

        return scores_of

    def compared_scores(self, task: Task, nodes: Rows) -> Floats | None:
        """Return the part that compares the nodes with each other, None if there is none."""
        scores = None
        for plugin in self._scoring_together:
            more = plugin.compared_scores(task, nodes)
            if more is not None:
                scores = more if scores is None else scores + more
        return scores

    # -- what happens --------------------------------------------------------------------------------

    def heard_allocated(self, task: Task) -> list[str]:
        """Tell all plugins that a task has a node, and return their errors."""
        errors = []
        for plugin in self._heard:
            if (error := plugin.allocated(task)) is not None:
                errors.append(error)
        return errors

    def heard_deallocated(self, task: Task) -> None:
        """Tell all plugins that a task has its node no more."""
        for plugin in self._heard:
            plugin.deallocated(task)

    @cached_property
    def gives_back(self) -> bool:
        """Whether a placement that is taken back leaves nothing behind: devices keep what they gave."""
        return not self.nodes.devices and all(plugin.gives_back for plugin in self._heard)

    def set_status(self, task: Task, status: TaskStatus) -> None:
        """Give a task another status."""
        self.jobs[task.job].set_status(task, status)

    def bind(self, task: Task) -> str | None:
        """Send out the bind of an allocated task; return why it is not sent, if it isn't."""
        error = self.nodes.refusal_to_bind(task, self.nodes.row[task.node])
        if error is None:
            self.witness.bound(task)
            self.set_status(task, TaskStatus.BINDING)
        return error

    def close_plugins(self) -> None:
        """Tell all plugins that the session ends."""
        for plugin in self.plugins.values():
            plugin.close()


class Memory:
    """What the scheduler's process remembers between sessions."""

    def __init__(self, next_node: int = 0) -> None:
        self.next_node = next_node
