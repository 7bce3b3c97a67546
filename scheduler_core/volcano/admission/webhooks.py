"""The webhooks by resource and verb, with the operations that each answers.

Source: volcano v1.16 pkg/webhooks/admission, pkg/webhooks/schema.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

import msgspec

from scheduler_core.objects.amounts.quantity import QuantityError
from scheduler_core.objects.conversion import field_and_reason
from scheduler_core.objects.kinds import POD, Kind
from scheduler_core.volcano.admission.answers import Answer, Denied, Fault, PatchOperation, Question
from scheduler_core.volcano.admission.cronjobs_validate import validate_cron_job
from scheduler_core.volcano.admission.jobflows_validate import validate_job_flow
from scheduler_core.volcano.admission.jobs_mutate import mutate_job
from scheduler_core.volcano.admission.jobs_validate import validate_job
from scheduler_core.volcano.admission.podgroups_mutate import mutate_pod_group
from scheduler_core.volcano.admission.podgroups_validate import validate_pod_group
from scheduler_core.volcano.admission.pods_mutate import mutate_pod
from scheduler_core.volcano.admission.pods_validate import validate_pod
from scheduler_core.volcano.admission.queues_mutate import mutate_queue
from scheduler_core.volcano.admission.queues_validate import validate_queue
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.api_kinds import (
    VOLCANO_CRON_JOB,
    VOLCANO_JOB,
    VOLCANO_JOB_FLOW,
    VOLCANO_POD_GROUP,
    VOLCANO_QUEUE,
)

Verb = Literal["mutate", "validate"]
Rule = Callable[[Question, Surroundings], list[PatchOperation] | None]


class Resource(NamedTuple):
    """A resource as an AdmissionReview names it; as text the way the webhooks' messages write it."""

    group: str
    version: str
    resource: str

    def __str__(self) -> str:
        return f"{{{self.group} {self.version} {self.resource}}}"


JOBS = Resource(VOLCANO_JOB.group, "v1alpha1", "jobs")
QUEUES = Resource(VOLCANO_QUEUE.group, "v1beta1", "queues")
POD_GROUPS = Resource(VOLCANO_POD_GROUP.group, "v1beta1", "podgroups")
PODS = Resource("", "v1", "pods")
JOB_FLOWS = Resource(VOLCANO_JOB_FLOW.group, "v1alpha1", "jobflows")
CRON_JOBS = Resource(VOLCANO_CRON_JOB.group, "v1alpha1", "cronjobs")
RESOURCES = {
    VOLCANO_JOB: JOBS,
    VOLCANO_QUEUE: QUEUES,
    VOLCANO_POD_GROUP: POD_GROUPS,
    POD: PODS,
    VOLCANO_JOB_FLOW: JOB_FLOWS,
    VOLCANO_CRON_JOB: CRON_JOBS,
}
"""What the API server calls the kinds that have webhooks."""


class Webhook(NamedTuple):
    """A rule, the operations that it answers, and what it says to others."""

    rule: Rule
    operations: tuple[str, ...]
    others: str

    def answer(self, question: Question, around: Surroundings) -> Answer:
        """Return whether the object is let in, and the patch that it gets."""
        try:
            return Answer(True, patch=self.run(question, around) or None)
        except Denied as denied:
            return Answer(False, str(denied))

    def run(self, question: Question, around: Surroundings) -> list[PatchOperation]:
        """Return the patch, empty for none. Raises Denied."""
        if question.operation not in self.operations:
            raise Denied(self.others.format(question.operation))
        try:
            return self.rule(question, around) or []
        except msgspec.ValidationError as error:
            field, reason = field_and_reason(str(error), question.document)
            raise Denied(f"{field} {reason}".strip(), faults=[Fault(field, reason)]) from None
        except QuantityError as error:
            raise Denied(str(error)) from None


_CREATE = ("CREATE",)
_CREATE_UPDATE = ("CREATE", "UPDATE")
_ONLY_CREATE = "invalid operation `{}`, expect operation to be `CREATE`"

WEBHOOKS: dict[tuple[Resource, Verb], Webhook] = {
    (JOBS, "mutate"): Webhook(mutate_job, _CREATE, "expect operation to be 'CREATE' "),
    (JOBS, "validate"): Webhook(validate_job, _CREATE_UPDATE, "expect operation to be 'CREATE' or 'UPDATE'"),
    (QUEUES, "mutate"): Webhook(mutate_queue, _CREATE, _ONLY_CREATE),
    (QUEUES, "validate"): Webhook(
        validate_queue,
        ("CREATE", "UPDATE", "DELETE"),
        "invalid operation `{}`, expect operation to be `CREATE`, `UPDATE` or `DELETE`",
    ),
    (POD_GROUPS, "mutate"): Webhook(mutate_pod_group, _CREATE, _ONLY_CREATE),
    (POD_GROUPS, "validate"): Webhook(validate_pod_group, _CREATE, "unsupported operation {}"),
    (PODS, "mutate"): Webhook(mutate_pod, _CREATE, "expect operation to be 'CREATE' "),
    (PODS, "validate"): Webhook(validate_pod, _CREATE, "expect operation to be 'CREATE'"),
    (JOB_FLOWS, "validate"): Webhook(
        validate_job_flow, _CREATE_UPDATE, "expect operation to be 'CREATE' or 'UPDATE'"
    ),
    (CRON_JOBS, "validate"): Webhook(
        validate_cron_job, _CREATE_UPDATE, "expect operation to be 'CREATE' or 'UPDATE'"
    ),
}


def webhook_of(kind: Kind, verb: Verb) -> Webhook | None:
    """Return the webhook of a kind, None where it has none."""
    resource = RESOURCES.get(kind)
    return WEBHOOKS.get((resource, verb)) if resource is not None else None
