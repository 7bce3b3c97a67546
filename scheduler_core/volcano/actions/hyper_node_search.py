"""allocate, hyper node by hyper node: a job is tried in each of a tier, and taken to the best that will do.

Every try is taken back; what was done in the best one is done again.

Source: volcano v1.16 pkg/scheduler/actions/allocate/allocate.go allocateForJob, allocateForSubJob,
allocateFromNomination; recorder.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scheduler_core.volcano.actions.known_trials import JobTrials, KnownTrials, Recalled
from scheduler_core.volcano.actions.worksheets import Worksheet
from scheduler_core.volcano.equivalence.equivalence_cache import Predicate
from scheduler_core.volcano.framework.parts import (
    Ranked,
    gradients,
    hyper_node_scores,
    part_pipelined,
    part_ready,
    ranked,
)
from scheduler_core.volcano.framework.session import Session, Waiting
from scheduler_core.volcano.framework.statement import Saved, Statement
from scheduler_core.volcano.framework.steps import HyperNodeTry, Searched, Step, Try
from scheduler_core.volcano.model.hyper_nodes import HyperNode
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task

TryTasks = Callable[[Job, Queue, SubJob, Waiting, Statement, HyperNode], Iterator[Try]]


class _Found(NamedTuple):
    """A part's tasks in a hyper node: what was done, the tries that it took, and the tasks that are left."""

    saved: list[Saved]
    tries: list[Try]
    left: Waiting


@dataclass
class _Settled:
    """What came of a part's search: where it went, with how many points, and the tries that are told.

    `most` is how many of its tasks found a node, in the hyper node that took the most where none took enough;
    `made` are all tries of the hyper node that was looked at last.
    """

    hyper_node: str
    score: float
    tries: list[Try]
    most: int
    made: list[Try]


@dataclass
class _Trial:
    """A whole job in a hyper node: the tries that are told, and all that were made.

    `recalled`: it was not made, and has neither operations nor tries.
    """

    told: HyperNodeTry
    saved: list[Saved]
    tries: list[Try]
    made: list[Try]
    left: Worksheet
    recalled: Recalled | None = None


class HyperNodeSearch:
    """`try_tasks` tries tasks of a part on a hyper node's nodes."""

    def __init__(self, session: Session, try_tasks: TryTasks, predicate: Predicate) -> None:
        self._session = session
        self._try_tasks = try_tasks
        self._predicate = predicate
        self._known = KnownTrials(session)
        self._of_jobs: dict[str, str] = {}
        self._of_parts: dict[tuple[str, str], dict[str, str]] = {}
        """Where the parts of a job went when it was tried in a hyper node: by both, then by part."""

    # -- a job ---------------------------------------------------------------------------------------

    def job(self, job: Job, queue: Queue, sheet: Worksheet, statement: Statement) -> Iterator[Step]:
        """Take a job to the best hyper node of the lowest tier that will do; the statement has it then."""
        session, last = self._session, list[Try]()
        tiers = gradients(session, job, session.hyper_nodes.top.name)
        if not tiers:
            yield Searched(job, [], [], "")
        known = self._known.of(job, sheet.in_order(job.uid))
        for names in tiers:
            trials = self._trials(job, queue, sheet, names, known)
            enough = {one.told.hyper_node: one for one in trials if one.told.outcome != "short"}
            last = trials[-1].tries if trials else last
            told = [one.told for one in trials]
            if not enough:
                yield Searched(job, told, [], "")
                continue
            choice = self._choose(job, {name: one.told.score or 0.0 for name, one in enough.items()})
            yield Searched(job, told, choice.best, choice.chosen)
            trial = self._made(job, queue, sheet, enough[choice.chosen], known)
            self._known.given_back()
            yield from self._again(trial, statement)
            sheet.take_from(trial.left)
            self._of_jobs[job.uid] = choice.chosen
            return
        self._known.given_back()
        yield from (one for one in last if not one.node)

    def _trials(
        self, job: Job, queue: Queue, sheet: Worksheet, names: Sequence[str], known: JobTrials | None
    ) -> list[_Trial]:
        """Try a job in hyper nodes; of the last one all is needed, as nodes refuse it there in the end."""
        trials = []
        for name in names:
            recalled = known.recall(name) if known is not None and name != names[-1] else None
            if recalled is None:
                started = self._session.memory.next_node
                trials.append(self._trial(job, queue, sheet, name))
                if known is not None:
                    known.note(trials[-1].told, trials[-1].made, started)
            else:
                trials.append(_Trial(recalled.told, [], [], [], sheet, recalled))
                if known is not None and known.is_to_be_checked():
                    self._made(job, queue, sheet, trials[-1], known)
        return trials

    def _made(
        self, job: Job, queue: Queue, sheet: Worksheet, trial: _Trial, known: JobTrials | None
    ) -> _Trial:
        """Return a trial that was made: one that was recalled is made now, and leaves nothing else behind."""
        if known is None or trial.recalled is None:
            return trial
        session, tasks = self._session, job.tasks.values()
        errors, next_node = dict(job.fit_errors), session.memory.next_node
        taken_back = [task.taken_back for task in tasks]
        known.make_up(trial.recalled)
        made = self._trial(job, queue, sheet, trial.told.hyper_node)
        known.require(trial.recalled, made.told)
        job.fit_errors.clear()
        job.fit_errors |= errors
        session.memory.next_node = next_node
        for task, before in zip(tasks, taken_back, strict=True):
            task.taken_back = before
        return made

    def _choose(self, of: Job | SubJob, scores: dict[str, float]) -> Ranked:
        choice = ranked(scores)
        if len(scores) > 1:
            self._session.witness.chose_hyper_node(of, scores, choice.best)
        return choice

    def _trial(self, job: Job, queue: Queue, sheet: Worksheet, name: str) -> _Trial:
        """Try a job's parts in a hyper node until the job is ready, and take all of it back."""
        session, before = self._session, {part.uid: part.hyper_node for part in job.sub_jobs.values()}
        job.fit_errors.clear()
        sheet, done, tries, made = sheet.copy(), list[Statement](), list[Try](), list[Try]()
        told = HyperNodeTry(name, "short", 0, None, {})
        score = 0.0
        while sheet.parts:
            part = sheet.parts.pop()
            statement = Statement(session)
            settled = self._part(job, queue, part, sheet, session.hyper_nodes.by_name[name], statement)
            tries += settled.tries
            made += settled.made
            told.placed += settled.most
            if statement.operations:
                done.append(statement)
                score += settled.score
                told.parts[part.uid] = settled.hyper_node
                if sheet.tasks[part.uid]:
                    sheet.parts.push(part)
                if session.job_ready(job):
                    break
        for part in job.sub_jobs.values():
            if part.uid in sheet.tasks:
                part.hyper_node = before[part.uid]
        saved = [one for statement in done for one in statement.save()]
        if saved and (session.job_ready(job) or session.job_pipelined(job)):
            told.outcome, told.score = "ready" if session.job_ready(job) else "pipelined", score
        for statement in done:
            statement.discard()
        return _Trial(told, saved, tries, made, sheet)

    def _again(self, trial: _Trial, statement: Statement) -> Iterator[Try]:
        """Do again what was tried, try by try; a plugin that fails ends it."""
        waiting = iter(trial.saved)
        for tried in trial.tries:
            if tried.node:
                saved = next(waiting)
                tried.task.near = saved.near
                if self._session.listener is not None and tried.choice is not None:
                    self._session.listener(tried.task, tried.choice.nodes, tried.choice.scores)
                if not statement.redo(saved):
                    return
            yield tried

    # -- a part --------------------------------------------------------------------------------------

    def _part(
        self, job: Job, queue: Queue, part: SubJob, sheet: Worksheet, root: HyperNode, statement: Statement
    ) -> _Settled:
        """Take a part to the best hyper node of the lowest tier below the root that will do."""
        session, tries, most = self._session, list[Try](), 0
        if part.nominated:
            found = self.nominated(job, queue, part, sheet.tasks[part.uid], statement, root)
            if found is not None:
                return _Settled(part.hyper_node, 0.0, found, len(found), found)
        for names in gradients(session, part, root.name):
            enough: dict[str, _Found] = {}
            # Where there is no choice, what was tried need not be taken back and done again.
            straight = statement if len(names) == 1 and session.gives_back else None
            scores = hyper_node_scores(session, part, names) if straight else {}
            for name in names:
                tries, one = self._part_in(job, queue, part, sheet.tasks[part.uid], name, straight)
                most = max(most, sum(bool(tried.node) for tried in tries))
                if one is not None:
                    enough[name] = one
            if not enough:
                continue
            scores = scores or hyper_node_scores(session, part, list(enough))
            best = self._choose(part, scores).chosen
            if not straight and not all(map(statement.redo, enough[best].saved)):
                return _Settled("", 0.0, [], 0, [])
            self._note(job, part, best, root)
            sheet.tasks[part.uid] = enough[best].left
            chosen = enough[best]
            return _Settled(part.hyper_node, scores[best], chosen.tries, len(chosen.saved), chosen.tries)
        return _Settled("", 0.0, [one for one in tries if not one.node], most, tries)

    def _part_in(
        self,
        job: Job,
        queue: Queue,
        part: SubJob,
        tasks: Waiting,
        name: str,
        straight: Statement | None,
    ) -> tuple[list[Try], _Found | None]:
        """Try a part's tasks in a hyper node, and take that back; None if too few of them find nodes.

        straight: the statement that keeps them, if enough do.
        """
        session, statement = self._session, Statement(self._session)
        for uid in [uid for uid in job.fit_errors if uid in part.tasks]:
            del job.fit_errors[uid]
        where, left = session.hyper_nodes.by_name[name], tasks.copy()
        if not len(where.rows):
            return [], None
        tries = list(self._try_tasks(job, queue, part, left, statement, where))
        will_do = part_ready(session, job, part) or part_pipelined(session, job, part)
        saved = statement.save()
        found = _Found(saved, tries, left) if will_do and saved else None
        if straight is not None and found is not None:
            straight.take_from(statement)
        statement.discard()
        return tries, found

    def _note(self, job: Job, part: SubJob, name: str, root: HyperNode) -> None:
        part.hyper_node = self._session.hyper_nodes.common(part.hyper_node, name)
        self._of_parts.setdefault((job.uid, root.name), {})[part.uid] = part.hyper_node

    # -- what gangpreempt and gangreclaim have chosen ------------------------------------------------

    def nominated(
        self,
        job: Job,
        queue: Queue,
        part: SubJob,
        tasks: Waiting,
        statement: Statement,
        root: HyperNode | None = None,
    ) -> list[Try] | None:
        """Give a part's tasks the nodes that they were promised, all or none.

        Returns None, and forgets the promises, where one of them can't be kept.
        """
        session = self._session
        waiting = tasks.copy()
        promised = [waiting.pop() for _ in range(len(waiting))]
        where = session.hyper_nodes.by_name.get(part.nominated)
        tries: list[Try] = []
        if where is not None and all(self._may_keep(queue, task, where) for task in promised):
            for task in promised:
                if part.topology is not None:
                    task.near = where.name
                node = session.nodes.row[task.nominated]
                idle = session.nodes.fits(task.request, session.nodes.all[node : node + 1], future=False)[0]
                placed = (
                    statement.allocate(task, node) if idle else statement.pipeline(task, node, evicting=False)
                )
                if not placed:
                    break
                tries.append(Try(task, "allocated" if idle else "pipelined", task.node))
            else:
                while tasks:
                    tasks.pop()
                self._note(job, part, where.name, root or session.hyper_nodes.top)
                return tries
            statement.discard()
        part.nominated = ""
        for task in promised:
            task.nominated = ""
        return None

    def _may_keep(self, queue: Queue, task: Task, where: HyperNode) -> bool:
        """Return whether a task may still go to the node that it was promised."""
        session, row = self._session, self._session.nodes.row.get(task.nominated)
        return (
            session.allocatable(queue, task)
            and row is not None
            and where.holds(row)
            and session.pre_predicate(task) is None
            and not self._predicate(task, session.nodes.all[row : row + 1])
        )

    def redeem(self, job: Job) -> None:
        """Note where a job whose statement was committed has gone; what was promised to it is kept."""
        session, tree = self._session, self._session.hyper_nodes
        chosen = self._of_jobs.get(job.uid)
        if chosen is None:
            job.sub_jobs[job.uid].nominated = ""
            return
        session.relocated.add(job.uid)
        job.hyper_node = tree.common(job.hyper_node, chosen)
        for uid, name in self._of_parts.get((job.uid, chosen), {}).items():
            part = job.sub_jobs[uid]
            part.hyper_node = tree.common(part.hyper_node, name)
            part.nominated = ""
