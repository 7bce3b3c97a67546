"""What an API server does with a Job that a controller makes: Volcano's webhooks give defaults, and refuse.

Source: volcano v1.16 pkg/webhooks/admission/jobs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import kind_of
from scheduler_core.schedulers.run_parts import NotAdmitted
from scheduler_core.volcano.admission.answers import Denied, Object, Question
from scheduler_core.volcano.admission.json_patch import patched
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.admission.webhooks import Verb, webhook_of
from scheduler_core.volcano.api_kinds import VOLCANO_JOB


def admitted_job(job: Object, queues: Iterable[Object]) -> Object:
    """Return a new Job with its defaults. Raises NotAdmitted where a webhook refuses it."""
    around = Surroundings.of(queues)
    job = _asked("mutate", job, around)
    return _asked("validate", job, around)


def with_defaults(objects: Iterable[Object]) -> Iterator[Object]:
    """Yield objects of a cluster; Jobs that are written by hand have the defaults that webhooks give.

    Such a one was never synced, or names no queue, as no other does. What a webhook refuses is left as it is.
    """
    yield from (_with_defaults(item) if _is_by_hand(item) else item for item in objects)


def _is_by_hand(item: Object) -> bool:
    if kind_of(item) != VOLCANO_JOB:
        return False
    phase = ((item.get("status") or {}).get("state") or {}).get("phase")
    return not phase or not (item.get("spec") or {}).get("queue")


def _with_defaults(job: Object) -> Object:
    try:
        return _asked("mutate", job, Surroundings())
    except NotAdmitted:
        return job


def _asked(verb: Verb, job: Object, around: Surroundings) -> Object:
    question = Question("CREATE", job, {}, name_of(job), namespace_of(job))
    webhook = webhook_of(VOLCANO_JOB, verb)
    assert webhook is not None
    try:
        return patched(job, webhook.run(question, around))
    except Denied as denied:
        whose = f'admission webhook "{verb}job.volcano.sh"'
        raise NotAdmitted(f"{whose} denied the request: {str(denied).strip()}") from None
