"""overcommit: jobs enter their queues as long as a multiple of the cluster would hold them.

Source: volcano v1.16 pkg/scheduler/plugins/overcommit/overcommit.go.
"""

from __future__ import annotations

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import PERMIT, REJECT
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.plugin_rules.claims import Claim
from scheduler_core.volcano.plugin_rules.inqueue import runs_with_its_minimum, unmet

_FACTOR = 1.2


class Overcommit(Plugin):
    """`idle` is the cluster times the factor without what is used; `inqueue` what jobs in queues claim."""

    name = "overcommit"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        factor = option.arguments.number("overcommit-factor", _FACTOR)
        self.factor = factor if factor >= 1.0 else _FACTOR
        nodes = session.nodes
        cpu, memory, *scalars = nodes.used.sum(axis=0).tolist() or [0.0, 0.0]
        self.used = used = Resource(cpu, memory, dict(zip(nodes.resources[2:], scalars, strict=True)))
        self.idle = session.total.clone().times(self.factor).sub(used)
        self.inqueue = Resource()
        for job in session.jobs.values():
            if job.phase == "Inqueue" and job.group.spec.min_resources is not None:
                self.inqueue.add(job.less_gated(job.min_resources))
            elif runs_with_its_minimum(job):
                self.inqueue.add(job.less_gated(unmet(job)))

    def job_enqueueable(self, job: Job) -> int:
        """Permit what fits, in the dimensions asked for."""
        if job.group.spec.min_resources is None:
            return PERMIT
        asked = job.min_resources
        claimed = Resource().add(self.inqueue).add(asked)
        return REJECT if claimed.lacking_for(self.idle, asked) else PERMIT

    def claim_of(self, job: Job) -> Claim:
        """Return what is added up for a job that asks to enter its queue."""
        allowed = self.session.total.clone().times(self.factor)
        return Claim("", allowed, self.used, job.min_resources, self.inqueue.clone())

    def job_enqueued(self, job: Job) -> None:
        """Count the job's claim."""
        if job.group.spec.min_resources is not None:
            self.inqueue.add(job.less_gated(job.min_resources))
