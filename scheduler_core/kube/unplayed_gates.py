"""Feature gates that are set otherwise than by default and are not played: told, or refused.

A gate is refused only where something in the cluster depends on it; else it changes no answer.

Source: kubernetes v1.36 pkg/scheduler/framework/plugins/feature, and where the plugins read it.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from scheduler_core.kube.gates import FIELD, GROUP_GATES, OBJECT, default_of, is_played
from scheduler_core.kube.known_gates import UNREAD
from scheduler_core.objects.imports.pods_with_devices import concerns_devices
from scheduler_core.objects.kinds import (
    CSI_NODE,
    NODE,
    PERSISTENT_VOLUME_CLAIM,
    kind_of,
)
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.workloads.templates import pod_specs

Object = dict[str, Any]


class Unplayed(NamedTuple):
    """Gates that are set and not played: `told` as whole phrases.

    without_effect: nothing of this cluster would come out otherwise. refused: it would, so that no answer is
    given; by the gate's name, why.
    """

    told: list[str]
    without_effect: list[str]
    refused: dict[str, str]


def unplayed(
    named: Mapping[str, bool] | None,
    minor: str,
    objects: Iterable[Object],
    *,
    clocked: bool,
    groups: bool = False,
) -> Unplayed:
    """Return what of gates that passed `read_gates` is not played over these objects.

    `groups`: the scheduler plays pod groups.
    """
    found = Unplayed([], [], {})
    there = list(objects) if named else ()
    for name, on in (named or {}).items():
        said = f"the feature gate {name}, which is {'on' if on else 'off'}"
        if name in UNREAD:
            found.without_effect.append(f"{said}: kube-scheduler doesn't read it")
        elif on == default_of(name, minor) or is_played(name, minor, groups=groups):
            continue
        elif name in _OF_CALLS:
            if clocked:
                found.told.append(f"{said}: calls to the API server take no time here")
            else:
                found.without_effect.append(f"{said}: without a clock it decides nothing")
        elif touched := _touched(name, there, clocked=clocked):
            how = _how(name, minor)
            found.refused[name] = f"is not played {how}, and would change answers: there are {touched}"
        else:
            found.without_effect.append(f"{said}: nothing in this cluster depends on it")
    return found


def _how(name: str, minor: str) -> str:
    if name not in GROUP_GATES or not is_played(name, minor, groups=True):
        return f"in {minor}"
    return "beside an extender in process"


def require_played(
    named: Mapping[str, bool] | None,
    minor: str,
    objects: Iterable[Object],
    *,
    clocked: bool,
    groups: bool = False,
) -> None:
    """Raise BadInput where a gate is set that is not played and that would change a cluster's answers."""
    refused = unplayed(named, minor, objects, clocked=clocked, groups=groups).refused
    if refused:
        raise BadInput([Problem(OBJECT, f"{FIELD}.{name}", why) for name, why in refused.items()])


_OF_CALLS = frozenset(
    {
        "NominatedNodeNameForExpectation",
        "OpportunisticBatching",
        "SchedulerAsyncAPICalls",
        "SchedulerAsyncPreemption",
    }
)
"""Gates that move calls to the API server, or shorten the way to the same decision."""


# -- what depends on a gate --------------------------------------------------------------------------------


def _in_pods(has: Callable[[Object], bool]) -> Callable[[Object], bool]:
    return lambda item: any(map(has, pod_specs(item)))


def names_a_group(spec: Object) -> bool:
    """Return whether a pod's spec names a pod group of kube-scheduler's."""
    return bool((spec.get("schedulingGroup") or {}).get("podGroupName"))


def _compares(spec: Object) -> bool:
    return any(one.get("operator") in ("Gt", "Lt") for one in spec.get("tolerations") or ())


def _has_sidecars(spec: Object) -> bool:
    return any(one.get("restartPolicy") for one in spec.get("initContainers") or ())


def _declares_features(item: Object) -> bool:
    return kind_of(item) == NODE and bool((item.get("status") or {}).get("declaredFeatures"))


_Touched = tuple[Callable[[Object], bool], str]
_DEVICES: _Touched = (concerns_devices, "objects of device claims")
_GROUPS: _Touched = (_in_pods(names_a_group), "pods of pod groups")
_OWN_RESOURCES: _Touched = (_in_pods(lambda spec: "resources" in spec), "pods with resources of their own")
_SPREAD: _Touched = (_in_pods(lambda spec: "topologySpreadConstraints" in spec), "spread constraints")
_VOLUMES: _Touched = (
    lambda item: kind_of(item) in (PERSISTENT_VOLUME_CLAIM, CSI_NODE),
    "volume claims or CSI nodes",
)
_TOUCHED: dict[str, _Touched] = {
    **dict.fromkeys(GROUP_GATES, _GROUPS),
    "DynamicResourceAllocation": _DEVICES,
    "InPlacePodLevelResourcesVerticalScaling": _OWN_RESOURCES,
    "MatchLabelKeysInPodTopologySpread": _SPREAD,
    "NodeDeclaredFeatures": (_declares_features, "nodes that declare features"),
    "NodeInclusionPolicyInPodTopologySpread": _SPREAD,
    "PodLevelResources": _OWN_RESOURCES,
    "SidecarContainers": (_in_pods(_has_sidecars), "pods with sidecar containers"),
    "StorageCapacityScoring": _VOLUMES,
    "TaintTolerationComparisonOperators": (_in_pods(_compares), "tolerations with Gt or Lt"),
    "VolumeAttributesClass": _VOLUMES,
    "VolumeLimitScaling": _VOLUMES,
}
"""What depends on a gate; on those of devices all that has to do with devices does."""
_OF_THE_QUEUE = frozenset({"SchedulerPopFromBackoffQ", "SchedulerQueueingHints"})


def _touched(name: str, objects: Iterable[Object], *, clocked: bool) -> str:
    """Return in words what depends on a gate, empty where nothing does; of an unknown one all does."""
    if name in _OF_THE_QUEUE:
        return "attempts that follow the clock" if clocked else ""
    found = _DEVICES if name.startswith("DRA") else _TOUCHED.get(name)
    if found is None:
        return "pods"
    touches, words = found
    return words if any(map(touches, objects)) else ""
