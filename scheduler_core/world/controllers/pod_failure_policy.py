"""What a Job's podFailurePolicy says of a pod that has failed: the first rule that matches decides.

A pod that ran into its own end has that end's exit code, in all of its containers; of one that was asked to
go no exit code is known, and rules about exit codes don't match it.

Source: kubernetes v1.36 pkg/controller/job/pod_failure_policy.go matchPodFailurePolicy, matchOnExitCodes,
matchOnPodConditions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from scheduler_core.objects.identity import spec_of

Object = dict[str, Any]
Action = Literal["Count", "Ignore", "FailIndex", "FailJob"]


class Failed(NamedTuple):
    """A failed pod: `namespace/name`, its containers, what they ended with if that is known, and the status
    of each of its conditions."""

    key: str
    containers: Sequence[str]
    exit_code: int | None
    conditions: Mapping[str, str]


class Verdict(NamedTuple):
    """What is to be done about a failure; `message` is why the Job fails, if it does."""

    action: Action
    message: str = ""


def verdict_on(job: Object, pod: Failed) -> Verdict:
    """Return what a Job's rules say of a failed pod; without one that matches it counts."""
    for index, rule in enumerate((spec_of(job).get("podFailurePolicy") or {}).get("rules") or ()):
        found = _match(rule, pod)
        if found:
            action = rule.get("action")
            return Verdict(action, f"{found} matching {action} rule at index {index}")
    return Verdict("Count")


def _match(rule: Object, pod: Failed) -> str:
    """Return in what a pod matches a rule, empty where it doesn't."""
    if (codes := rule.get("onExitCodes")) is not None:
        return _match_exit_code(codes, pod)
    for kind, status in pod.conditions.items():
        for pattern in rule.get("onPodConditions") or ():
            if (kind, status) == (pattern.get("type"), pattern.get("status") or "True"):
                return f"Pod {pod.key} has condition {kind}"
    return ""


def _match_exit_code(codes: Object, pod: Failed) -> str:
    wanted, is_among = codes.get("containerName"), pod.exit_code in (codes.get("values") or ())
    named = [name for name in pod.containers if wanted in (None, name)]
    if not named or not pod.exit_code or is_among != (codes.get("operator") == "In"):
        return ""
    return f"Container {named[0]} for pod {pod.key} failed with exit code {pod.exit_code}"
