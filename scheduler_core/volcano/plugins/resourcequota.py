"""resourcequota: a job enters its queue only while the quotas of its namespace have room for it.

Names count as they are spelled: `cpu` is not `requests.cpu`. Scopes are not looked at.

Source: volcano v1.16 pkg/scheduler/plugins/resourcequota/resourcequota.go.
"""

from __future__ import annotations

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.framework.functions import PERMIT, REJECT
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.around import in_nanos
from scheduler_core.volcano.model.jobs import Job


class Resourcequota(Plugin):
    """`_entered` is what this session has let in, by namespace and name, in billionths."""

    name = "resourcequota"

    def __init__(self, session: Session, option: PluginOption) -> None:
        super().__init__(session, option)
        self._entered: dict[str, dict[str, int]] = {}

    def job_enqueueable(self, job: Job) -> int:
        """Reject a job that a quota has no room for."""
        quotas = self.session.around.quotas.get(job.namespace, ())
        asked = in_nanos(job.group.spec.min_resources)
        entered = self._entered.get(job.namespace, {})
        for quota in quotas:
            limits, used = quota.limits(), quota.uses()
            for name in asked.keys() & limits.keys():
                if used.get(name, 0) + entered.get(name, 0) + asked[name] > limits[name]:
                    return REJECT
        return PERMIT

    def job_enqueued(self, job: Job) -> None:
        """Count what a job needs that has entered."""
        if job.namespace in self.session.around.quotas:
            entered = self._entered.setdefault(job.namespace, {})
            for name, amount in in_nanos(job.group.spec.min_resources).items():
                entered[name] = entered.get(name, 0) + amount
