"""What an API server does with a Job that a controller makes: Volcano's webhooks give defaults, and refuse.

Source: volcano v1.16 pkg/webhooks/admission/jobs.
"""

from __future__ import annotations

from collections.abc import Iterable

from scheduler_core.objects.identity import name_of, namespace_of
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


def _asked(verb: Verb, job: Object, around: Surroundings) -> Object:
    question = Question("CREATE", job, {}, name_of(job), namespace_of(job))
    webhook = webhook_of(VOLCANO_JOB, verb)
    assert webhook is not None
    try:
        return patched(job, webhook.run(question, around))
    except Denied as denied:
        whose = f'admission webhook "{verb}job.volcano.sh"'
        raise NotAdmitted(f"{whose} denied the request: {str(denied).strip()}") from None
