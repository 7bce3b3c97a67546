"""A pod of Volcano's scheduler may say in one way how much disruption its job bears.

Source: volcano v1.16 pkg/webhooks/admission/pods/validate; k8s.io/apimachinery v0.36 intstr Parse.
"""

from __future__ import annotations

from scheduler_core.go.parse import atoi, parse_int
from scheduler_core.go.quote import quote
from scheduler_core.objects import types
from scheduler_core.objects.types import Pod
from scheduler_core.volcano.admission.answers import Denied, Question
from scheduler_core.volcano.admission.webhook_lookups import Surroundings

_MIN_AVAILABLE = "volcano.sh/jdb-min-available"
_MAX_UNAVAILABLE = "volcano.sh/jdb-max-unavailable"
BUDGETS = (_MIN_AVAILABLE, _MAX_UNAVAILABLE)


def validate_pod(question: Question, around: Surroundings) -> None:
    """Raise Denied for a budget that is no number and no percentage, or for two."""
    pod = types.convert(question.document, Pod)
    if (pod.spec.scheduler_name or "") not in around.scheduler_names:
        return
    annotations = pod.metadata.annotations or {}
    given = [key for key in BUDGETS if key in annotations]
    for key in given:
        _check_budget(key, annotations[key])
    if len(given) > 1:
        raise Denied(
            f"not allow configure multiple annotations <[{' '.join(BUDGETS)}]> at same time",
            "metadata.annotations",
        )


def _check_budget(key: str, text: str) -> None:
    """Raise Denied unless the text is a positive number of 32 bits, or a percentage from 1 to 99."""
    place, number = f"metadata.annotations.{key}", parse_int(text, 32)
    if number is not None:
        if number <= 0:
            raise Denied(f"invalid value <{quote(text)}> for {key}, it must be a positive integer", place)
        return
    try:
        share = atoi(text.replace("%", ""))
    except ValueError as error:
        raise Denied(f"invalid value {error} for {key}", place) from None
    if not 0 < share < 100:
        raise Denied(
            f"invalid value <{quote(text)}> for {key}, it must be a valid percentage which between 1% ~ 99%",
            place,
        )
