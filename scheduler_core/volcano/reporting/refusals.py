"""Who keeps a job out of its queue at a moment of a session, and what that plugin adds up.

Source: volcano v1.16 pkg/scheduler/framework/session_plugins.go JobEnqueueable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scheduler_core.events.sums import Sum
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.plugin_rules.claims import Claim

Refusal = tuple[str, Claim | None]
"""A plugin, and what it adds up; None where that is no sum of a queue's or of the cluster's."""


def refusals(session: Session, job: Job) -> Iterator[Refusal]:
    """Yield the plugins that reject a job, as they are asked."""
    for tier in session.tiers("job_enqueueable"):
        for name, ask in tier:
            if ask(job) < 0:
                adds_up = getattr(session.plugins[name], "claim_of", None)
                yield name, None if adds_up is None else adds_up(job)


def sums_of(session: Session, job: Job, refusing: Sequence[Refusal]) -> list[Sum]:
    """Return what the first of the plugins that reject a job has added up."""
    if not refusing or not session.queues[job.queue].is_open:
        return []
    _, claim = refusing[0]
    return claim.sums() if claim is not None else []
