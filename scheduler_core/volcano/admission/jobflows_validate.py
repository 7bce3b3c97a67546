"""A job flow is let in if its flows wait only for flows that there are, and in no circle.

Source: volcano v1.16 pkg/webhooks/admission/jobflows/validate.
"""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from scheduler_core.objects import types
from scheduler_core.volcano.admission.answers import Denied, Question
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.model.job_objects import JobFlow

_FAULT = "jobflow Flow is not DAG"


def validate_job_flow(question: Question, around: Surroundings) -> None:
    """Raise Denied for a flow that nobody could work off. Of two flows of a name the later one counts."""
    flows = types.convert(question.document, JobFlow).spec.flows or ()
    waits_for = {
        flow.name: (flow.depends_on.targets or []) if flow.depends_on is not None else [] for flow in flows
    }
    for _, targets in sorted(waits_for.items()):
        for target in targets:
            if target not in waits_for:
                raise Denied(f"{_FAULT}: vertex is not defined: {target}".strip(), "spec.flows")
    try:
        TopologicalSorter(waits_for).prepare()
    except CycleError:
        raise Denied(_FAULT, "spec.flows") from None
