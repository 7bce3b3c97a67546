"""Feature gates of kube-scheduler: what a configuration sets, and what of it is played.

In a cluster they are set by the flag `--feature-gates`. Here a KubeSchedulerConfiguration has them in the
field `featureGates`, since there is no flag.

Source: kubernetes v1.36 pkg/features/kube_features.go; component-base/featuregate feature_gate.go.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scheduler_core.kube.known_gates import READ, UNREAD
from scheduler_core.objects.problems import BadInput, Problem

FIELD = "featureGates"
PLAYED_RELEASE = "1.36"
"""The release in which gates are played in both positions."""
OBJECT = "KubeSchedulerConfiguration"
_ALL = ("AllAlpha", "AllBeta")


@dataclass(frozen=True)
class GroupGates:
    """What of pod groups is on; by default nothing.

    Source: GenericWorkload, GangScheduling, TopologyAwareWorkloadScheduling, WorkloadAwarePreemption.
    """

    groups: bool = False
    gangs: bool = False
    placements: bool = False
    preempts_for_groups: bool = False


@dataclass(frozen=True)
class Gates:
    """By default as kube-scheduler starts.

    compares_taints: tolerations may say Gt and Lt. scores_storage_capacity: VolumeBinding takes a shape.
    pops_early: who backs off may be tried before the end, None as the release has it.
    """

    compares_taints: bool = False
    scores_storage_capacity: bool = False
    pops_early: bool | None = None
    pod_groups: GroupGates = field(default_factory=GroupGates)


DEFAULT_GATES = Gates()

_PLAYED: dict[str, Callable[[Gates, bool], Gates]] = {
    "TaintTolerationComparisonOperators": lambda gates, on: replace(gates, compares_taints=on),
    "SchedulerPopFromBackoffQ": lambda gates, on: replace(gates, pops_early=on),
    "GenericWorkload": lambda gates, on: _with_groups(gates, groups=on),
    "GangScheduling": lambda gates, on: _with_groups(gates, gangs=on),
    "TopologyAwareWorkloadScheduling": lambda gates, on: _with_groups(gates, placements=on),
    "WorkloadAwarePreemption": lambda gates, on: _with_groups(gates, preempts_for_groups=on),
}
"""The gates that are read, in 1.36."""


GROUP_GATES = frozenset(
    {"GenericWorkload", "GangScheduling", "TopologyAwareWorkloadScheduling", "WorkloadAwarePreemption"}
)


def _with_groups(gates: Gates, **changed: bool) -> Gates:
    return replace(gates, pod_groups=replace(gates.pod_groups, **changed))


def read_gates(
    named: Mapping[str, Any] | None, minor: str = PLAYED_RELEASE, gates: Gates = DEFAULT_GATES
) -> Gates:
    """Return what gates by name make of those of a release.

    Raises BadInput where that kube-scheduler would not start: for a gate that it does not know, that is
    neither on nor off, that is locked, or that is on without those that it needs.
    """
    named = named or {}
    if named and _number(minor) > _number(PLAYED_RELEASE):
        raise BadInput([Problem(OBJECT, FIELD, f"can't be set in {minor} yet: choose {PLAYED_RELEASE}")])
    faults = ((name, _fault(name, value, named, minor)) for name, value in named.items())
    problems = [Problem(OBJECT, f"{FIELD}.{name}", fault) for name, fault in faults if fault]
    if problems:
        raise BadInput(problems)
    for name, value in named.items():
        if name in _PLAYED and minor == PLAYED_RELEASE:
            gates = _PLAYED[name](gates, value)
    return gates


def _fault(name: str, value: Any, named: Mapping[str, Any], minor: str) -> str:
    """Return why a gate can't be set so, empty where it can."""
    if not isinstance(value, bool):
        return f"must be true or false, not {value!r}"
    if name in _ALL:
        return "stands for many gates: name each that is to be on or off"
    if name in UNREAD:
        return ""
    known = READ.get(name)
    if known is None:
        return f"is no feature gate of Kubernetes {PLAYED_RELEASE}"
    if _number(minor) < known.on[0][0]:
        return f"is no feature gate of {minor}: it came with 1.{known.on[0][0]}"
    default = default_of(name, minor)
    if known.locked is not None and known.locked <= _number(minor) and value != default:
        return f"is locked to {_word(default)} since 1.{known.locked}"
    lacking = [need for need in known.needs if not named.get(need, default_of(need, minor))]
    return f"can't be on without {' and '.join(lacking)}" if value and lacking else ""


def default_of(name: str, minor: str) -> bool:
    """Return whether a gate that kube-scheduler reads is on by default in a minor release."""
    on = False
    for since, default in READ[name].on:
        if since <= _number(minor):
            on = default
    return on


def defaults_of(minor: str) -> dict[str, bool]:
    """Return the gates that a configuration of a minor release can set, with their defaults, by name."""
    if _number(minor) > _number(PLAYED_RELEASE):
        return {}
    return {
        name: default_of(name, minor)
        for name, known in READ.items()
        if known.on[0][0] <= _number(minor) and (known.locked is None or known.locked > _number(minor))
    }


def is_played(name: str, minor: str, *, groups: bool) -> bool:
    """Return whether a gate is played on and off in a minor release, where `groups` says so of pod groups."""
    return minor == PLAYED_RELEASE and name in _PLAYED and (groups or name not in GROUP_GATES)


def _number(minor: str) -> int:
    return int(minor.partition(".")[2])


def _word(on: bool) -> str:
    return "true" if on else "false"
