"""tdm: nodes of a revocable zone are lent to preemptable pods at the zone's times of the day.

How many of a job's pods preempt may take follows from its disruption budget; which ones, Volcano leaves to
chance: here the first.

Source: volcano v1.16 pkg/scheduler/plugins/tdm/tdm.go; api/job_info.go extractPreemptable, extractBudget;
api/pod_info.go GetPodRevocableZone.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scheduler_core.go.clock_time import parse_clock_time
from scheduler_core.go.parse import parse_bool, parse_int
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import PERMIT, REJECT
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.tasks import PREEMPTABLE, Task, TaskStatus

ZONE = "volcano.sh/revocable-zone"
ZONE_ARGUMENT = "tdm.revocable-zone."
_MIN_AVAILABLE, _MAX_UNAVAILABLE = "volcano.sh/jdb-min-available", "volcano.sh/jdb-max-unavailable"
_SECOND, _DAY = 10**9, 24 * 60
_SCORE = 100.0


class _Hours(NamedTuple):
    """When a zone is open, in minutes since midnight; an end after midnight is above a day's minutes."""

    start: int
    end: int


class Tdm(Plugin):
    """Zones are open by UTC."""

    name = "tdm"
    reads_clock = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._hours = {
            str(key).replace(ZONE_ARGUMENT, "", 1): str(value)
            for key, value in option.arguments.values.items()
            if ZONE_ARGUMENT in str(key)
        }
        objects = session.state.nodes.objects
        self._zones = [(node.metadata.labels or {}).get(ZONE, "") for node in objects]

    def by_node(self, task: Task) -> bool:
        return True

    def class_part(self, task: Task) -> object:
        return may_be_revoked(task)

    def predicate(self, task: Task, rows: Rows) -> dict[int, Refusals]:
        """Return why nodes of a zone refuse: the zone is shut, or the pod may not be revoked."""
        refused: dict[int, Refusals] = {}
        for row in rows.tolist():
            if zone := self._zones[row]:
                why = self._shut(zone)
                if not why and not may_be_revoked(task):
                    why = "not allow to dispatch to revocable node"
                if why:
                    refused[row] = (Refusal("UnschedulableAndUnresolvable", why, self.name),)
        return refused

    def node_order(self, task: Task, rows: Rows) -> Floats:
        """Return full points for nodes of a zone, for pods that may be revoked."""
        if not may_be_revoked(task):
            return np.zeros(len(rows))
        return np.array([_SCORE if self._zones[row] else 0.0 for row in rows.tolist()])

    def _shut(self, zone: str) -> str:
        """Return why a zone is shut now, empty if it is open."""
        text = self._hours.get(zone)
        if text is None:
            return f"revocable zone {zone} not support"
        try:
            hours = _hours(text)
        except ValueError as error:
            return str(error)
        second = self.session.around.now // _SECOND % (_DAY * 60)
        if hours.start * 60 <= second <= hours.end * 60:
            return ""
        return f"current time beyond revocable zone {zone}:{text}"

    def next_change(self, now: int) -> int | None:
        """Return when a zone opens or shuts next; it shuts a second after its last minute begins."""
        midnight = now - now % (_DAY * 60 * _SECOND)
        hours = list(_readable(self._hours.values()))
        seconds = {second for one in hours for second in (one.start * 60, one.end * 60 + 1, _DAY * 60)}
        instants = (midnight + second * _SECOND for second in seconds if second <= _DAY * 60)
        return min((instant for instant in instants if instant > now), default=None)

    # -- jobs ----------------------------------------------------------------------------------------

    def job_order(self, left: Job, right: Job) -> int:
        """Put a job first that is not preemptable."""
        return is_preemptable(left) - is_preemptable(right)

    def job_pipelined(self, job: Job) -> int:
        """Permit what holds nodes or waits for some; no task's own minimum counts here."""
        return PERMIT if job.is_pipelined else REJECT

    def job_starving(self, job: Job) -> bool:
        """Return whether a job that is not preemptable has pods without a node."""
        return not is_preemptable(job) and bool(job.of(TaskStatus.PENDING))

    def preemptable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let preemptable pods go that run outside of zones, of each job as many as its budget leaves."""
        if evictor.preemptable or may_be_revoked(evictor):
            return []
        by_job: dict[str, list[Task]] = {}
        for task in candidates:
            if self._may_go(task):
                by_job.setdefault(task.job, []).append(task)
        jobs = self.session.jobs
        known = ((jobs[uid], tasks) for uid, tasks in by_job.items() if uid in jobs)
        return [task for job, tasks in known for task in tasks[: _may_be_evicted(job)]]

    def drawn_from(self, candidate: Task) -> object:
        return candidate.job if self._may_go(candidate) else None

    def _may_go(self, task: Task) -> bool:
        return task.preemptable and task.status is TaskStatus.RUNNING and self._is_outside_zones(task)

    def _is_outside_zones(self, task: Task) -> bool:
        row = self.session.nodes.row.get(task.node)
        return row is not None and not self._zones[row]


def may_be_revoked(task: Task) -> bool:
    """Return whether a pod may be put on nodes of a revocable zone."""
    zone = task.annotation(ZONE)
    return zone == "*" if zone is not None else parse_bool(task.annotation(PREEMPTABLE) or "") is True


def is_preemptable(job: Job) -> bool:
    """Return whether a pod group says that it is preemptable."""
    metadata = job.group.metadata
    for texts in (metadata.annotations, metadata.labels):
        if texts and PREEMPTABLE in texts:
            return parse_bool(texts[PREEMPTABLE]) is True
    return False


def _may_be_evicted(job: Job) -> int:
    """Return how many pods of a job its disruption budget leaves, 1 where there is none."""
    metadata, pods, running = job.group.metadata, len(job.tasks), len(job.of(TaskStatus.RUNNING))
    least, most = annotation(metadata, _MIN_AVAILABLE), annotation(metadata, _MAX_UNAVAILABLE)
    if least:
        return running - number if running >= (number := _number(least, pods)) else 1
    if least is None and most:
        ended = job.count((TaskStatus.SUCCEEDED, TaskStatus.FAILED))
        return max(_number(most, pods) - (pods - ended - running), 0)
    return 1


def _number(text: str, pods: int) -> int:
    """Return a number, or a percentage of the pods, rounded up; 0 for what is neither."""
    number = parse_int(text, 32)
    if number is not None:
        return number
    percent = parse_int(text[:-1]) if text.endswith("%") else None
    return 0 if percent is None else -(-percent * pods // 100)


def _readable(texts: Iterable[str]) -> Iterator[_Hours]:
    for text in texts:
        with contextlib.suppress(ValueError):
            yield _hours(text)


def _hours(text: str) -> _Hours:
    """Read `from-to`; a `to` that is not later is tomorrow's. Raises ValueError in Volcano's words."""
    parts = text.strip().split("-")
    if len(parts) != 2:
        raise ValueError(f"revocable zone {text} format error")
    start, end = map(parse_clock_time, parts)
    return _Hours(start, end if start < end else end + _DAY)
