"""Why the API server has refused pods of a Job, as its controller tells it."""

import re
from collections import Counter

from scheduler_core.events.decisions import Decision
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.volcano.api_kinds import VOLCANO_JOB

_PIECE = re.compile(r"failed to create pod \S+, err: ")
_FORBIDDEN = re.compile(r'pods "[^"]*" is forbidden: ')


def pods_not_made(decision: Decision) -> tuple[str, list[str]] | None:
    """Return the key of the Job, `Kind/namespace/name`, and a sentence for each reason; None for none.

    Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go syncJob (FailedCreate),
    job_controller.go processNextReq (a Job ends when its requests have failed too often).
    """
    if not isinstance(decision, Reconciled) or decision.controller != "job":
        return None
    failed = [one.message for one in decision.told if one.reason == "FailedCreate"]
    if not failed:
        return None
    pieces = [piece for one in failed for piece in _PIECE.split(one.rstrip("]"))[1:]]
    counts = Counter(_FORBIDDEN.sub("", piece).strip() for piece in pieces)
    said = [
        f"{number:,} {'pod is' if number == 1 else 'pods are'} not created: {why}"
        for why, number in counts.items()
    ]
    said += [one.message for one in decision.told if one.reason == "ExecuteAction"]
    return f"{VOLCANO_JOB}/{decision.object.partition(' ')[2]}", said
