"""Which pods a controller deletes first when it has too many.

In come a controller's pods, out goes the same list, first to go first: unassigned before assigned, pending
before running, not ready before ready, lower deletion cost, more company of its own kind on the node, younger
(by powers of two of their age), more restarts. Where the controllers look at the clock, the newest timestamp
among the pods stands for now.

Source: kubernetes v1.36 pkg/controller ActivePodsWithRanks.Less, logarithmicRankDiff;
pkg/controller/statefulset (highest ordinal first); pkg/controller/job (highest index first).
"""

import math
import re
from collections import Counter
from functools import cmp_to_key
from typing import Any

from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import STATEFUL_SET, kind_of
from scheduler_core.objects.timestamps import parse_timestamp

Object = dict[str, Any]

DELETION_COST = "controller.kubernetes.io/pod-deletion-cost"
_PHASES = {"Pending": 0, "Unknown": 1, "Running": 2}
_ORDINAL = re.compile(r"-(\d{1,9})$", re.ASCII)
_ABSENT = -1


def first_to_go(controller: Object, pods: list[Object], related: list[Object] | None = None) -> list[Object]:
    """Return the pods in the order in which their controller would delete them.

    related: all pods that count as company on a node, those of a Deployment's other ReplicaSets too; the pods
    themselves if not given.
    """
    indexed = spec_of(controller).get("completionMode") == "Indexed"
    if kind_of(controller) == STATEFUL_SET or indexed:
        return sorted(pods, key=ordinal, reverse=True)
    company = Counter(spec_of(pod).get("nodeName") or "" for pod in (pods if related is None else related))
    now = max((time for pod in pods for time in (_created(pod), _ready_since(pod))), default=_ABSENT)
    ranked = [_Ranked(pod, company[spec_of(pod).get("nodeName") or ""], now) for pod in pods]
    return [entry.pod for entry in sorted(ranked, key=cmp_to_key(_compare))]


def ordinal(pod: Object) -> int:
    """Return the number at the end of a pod's name, -1 without one."""
    match = _ORDINAL.search(name_of(pod))
    return int(match[1]) if match else -1


class _Ranked:
    """A pod with everything that its place depends on; `order` is compared before the times."""

    def __init__(self, pod: Object, company: int, now: int) -> None:
        status = pod.get("status") or {}
        annotations = (pod.get("metadata") or {}).get("annotations") or {}
        self.pod = pod
        self.now = now
        self.uid = str((pod.get("metadata") or {}).get("uid"))
        self.ready = _is_ready(pod)
        self.ready_since = _ready_since(pod)
        self.created = _created(pod)
        self.restarts = max(
            (int(entry.get("restartCount") or 0) for entry in status.get("containerStatuses") or ()),
            default=0,
        )
        self.order = (
            bool(spec_of(pod).get("nodeName")),
            _PHASES.get(status.get("phase") or "Pending", 0),
            self.ready,
            _cost(annotations.get(DELETION_COST)),
            -company,
        )


def _compare(first: _Ranked, second: _Ranked) -> int:
    if first.order != second.order:
        return -1 if first.order < second.order else 1
    if first.ready and second.ready and first.ready_since != second.ready_since:
        return _compare_times(first, second, first.ready_since, second.ready_since)
    if first.restarts != second.restarts:
        return -1 if first.restarts > second.restarts else 1
    if first.created != second.created:
        return _compare_times(first, second, first.created, second.created)
    return 0


def _compare_times(first: _Ranked, second: _Ranked, time: int, other: int) -> int:
    """An absent time goes first, then the younger; ages of the same power of two count as equal."""
    if _ABSENT in (time, other):
        return -1 if time == _ABSENT else 1
    difference = _power(first.now - time) - _power(second.now - other)
    if difference:
        return difference
    return -1 if first.uid < second.uid else 1


def _power(age: int) -> int:
    return int(math.log2(age)) if age > 0 else -1


def _cost(text: str | None) -> int:
    try:
        return int(text or 0)
    except ValueError:
        return 0


def _ready_condition(pod: Object) -> Object | None:
    for condition in (pod.get("status") or {}).get("conditions") or ():
        if condition.get("type") == "Ready" and condition.get("status") == "True":
            found: Object = condition
            return found
    return None


def _is_ready(pod: Object) -> bool:
    return _ready_condition(pod) is not None


def _ready_since(pod: Object) -> int:
    return parse_timestamp((_ready_condition(pod) or {}).get("lastTransitionTime"), _ABSENT)


def _created(pod: Object) -> int:
    return parse_timestamp((pod.get("metadata") or {}).get("creationTimestamp"), _ABSENT)
