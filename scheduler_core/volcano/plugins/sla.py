"""sla: a job that has waited for as long as it may is let into its queue, and room is kept for it.

Source: volcano v1.16 pkg/scheduler/plugins/sla/sla.go; api/job_info.go extractWaitingTime.
"""

from __future__ import annotations

from scheduler_core.go.duration import parse_duration
from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import ABSTAIN, PERMIT, compare
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.jobs import Job

WAITING_TIME = "sla-waiting-time"
_ANNOTATIONS = ("volcano.sh/sla-waiting-time", WAITING_TIME)


class Sla(Plugin):
    """`waiting` is how long a job may wait that does not say so itself, in nanoseconds; None: for ever."""

    name = "sla"
    reads_clock = True

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self.waiting = _positive(option.arguments.text(WAITING_TIME))

    def due(self, job: Job) -> int | None:
        """Return when a job has waited for long enough, None if never."""
        texts = (annotation(job.group.metadata, key) for key in _ANNOTATIONS)
        own = next((time for text in texts if text is not None and (time := _positive(text))), None)
        waiting = own or self.waiting
        return None if waiting is None else job.created + waiting

    def job_order(self, left: Job, right: Job) -> int:
        """Put the job first that is due first; those that may wait for ever come last."""
        mine, theirs = self.due(left), self.due(right)
        if mine is None or theirs is None:
            return (mine is None) - (theirs is None)
        return compare(mine, theirs)

    def job_enqueueable(self, job: Job) -> int:
        """Permit a job that is due."""
        due = self.due(job)
        return PERMIT if due is not None and self.session.around.now >= due else ABSTAIN

    def job_pipelined(self, job: Job) -> int:
        """Permit a job that is due."""
        return self.job_enqueueable(job)

    def next_change(self, now: int) -> int | None:
        due = (self.due(job) for job in self.session.jobs.values())
        return min((instant for instant in due if instant is not None and instant > now), default=None)


def _positive(text: str) -> int | None:
    time = parse_duration(text)
    return time if time is not None and time > 0 else None
