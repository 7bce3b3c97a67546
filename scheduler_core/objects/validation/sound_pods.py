"""Pods in which surely nothing is amiss: told in one pass of msgspec and a few rules, most are.

What is told to be sound has no fault for `checks` nor for `api_faults`, but that its name, namespace and uid
have yet to be looked at. Of all other pods nothing is said: they are looked at by these, which say what is
wrong. So nothing here may be laxer than a rule, and all may be stricter.
"""

from functools import cache, lru_cache
from types import GenericAlias
from typing import Annotated, Any, Literal

import msgspec

from scheduler_core.objects.amounts.pod_resources import resource_faults
from scheduler_core.objects.amounts.resource_names import OF_CONTAINERS, name_fault
from scheduler_core.objects.checks.field_rules import MAX_INT32
from scheduler_core.objects.checks.pod_checks import (
    PHASES,
    PREEMPTION_POLICIES,
    PROTOCOLS,
    SPREAD_ACTIONS,
    TAINT_EFFECTS,
)
from scheduler_core.objects.validation.api_faults import all_faults
from scheduler_core.objects.validation.object_rules import RESTART_POLICIES
from scheduler_core.objects.validation.rule_books import TOKEN
from scheduler_core.objects.validation.schema_structs import POD_SPEC, THERE, Structs

Object = dict[str, Any]

_POD, _CONTAINER, _META, _OWNER, _PORT = (
    "core.Pod",
    "core.Container",
    "meta.ObjectMeta",
    "meta.OwnerReference",
    "core.ContainerPort",
)
_AFFINITY, _CONSTRAINT, _TOLERATION = "core.Affinity", "core.TopologySpreadConstraint", "core.Toleration"
_SELECTOR, _TERM = "meta.LabelSelector", "core.PodAffinityTerm"
_PARTS = ("affinity", "topologySpreadConstraints", "volumes")
"""Fields of a spec that are judged by themselves, once for all pods that have the like."""
_ABSENT = (
    *("ephemeralContainers", "os", "overhead", "readinessGates"),
    *("resourceClaims", "resources", "schedulingGates"),
)
"""Fields of a spec that are rare, and have rules of their own."""
_RARE_IN_CONSTRAINTS = ("matchLabelKeys", "minDomains", "nodeAffinityPolicy", "nodeTaintsPolicy")
_KNOWN_PARTS = 16_384
_A_TOKEN = b'"kube-api-access-00000"'


def _text(pattern: str, longest: int) -> Any:
    return Annotated[str, msgspec.Meta(pattern=rf"^{pattern}\Z", max_length=longest)]


def _one_of(choices: tuple[str, ...]) -> Any:
    return Literal[choices] | None


def _whole(low: int, high: int) -> Any:
    return Annotated[int, msgspec.Meta(ge=low, le=high)]


_END = r"[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?"
_DOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"
_LABEL = _text("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", 63)
_NAME = _text(_DOMAIN, 253)
_KEY = _text(f"({_DOMAIN}/)?{_END}", 253)
_VALUE = _text(f"({_END})?", 63)
_LABELS = GenericAlias(dict, (_KEY, _VALUE)) | None
_ANNOTATIONS: Any = GenericAlias(dict, (_KEY, Annotated[str, msgspec.Meta(max_length=3_500)]))
_FILLED = Annotated[str, msgspec.Meta(min_length=1)]

_NARROWED: dict[tuple[str, str], Any] = {
    (_POD, "apiVersion"): Literal["v1"],
    (_POD, "kind"): Literal["Pod"],
    (_POD, "metadata"): THERE,
    (_POD, "spec"): THERE,
    (_META, "generateName"): _text("[a-z0-9][-a-z0-9]*", 200) | None,
    (_META, "labels"): _LABELS,
    # Even if each character has four bytes, they have less than 256 KiB together.
    (_META, "annotations"): Annotated[_ANNOTATIONS, msgspec.Meta(max_length=16)] | None,
    (_META, "finalizers"): GenericAlias(list, (_text("[!-~]*/[!-~]*", 253),)) | None,
    (_OWNER, "apiVersion"): _text(f"({_DOMAIN}/)?v[a-z0-9]+", 253),
    (_OWNER, "kind"): _text("(?!Event)[A-Za-z]+", 63),
    (_OWNER, "name"): _FILLED,
    (_OWNER, "uid"): _FILLED,
    (POD_SPEC, "activeDeadlineSeconds"): _whole(1, MAX_INT32) | None,
    (POD_SPEC, "dnsPolicy"): _one_of(("ClusterFirst", "ClusterFirstWithHostNet", "Default")),
    **{(POD_SPEC, field): _LABEL | None for field in ("hostname", "subdomain")},
    **{
        (POD_SPEC, field): _NAME | None
        for field in ("nodeName", "priorityClassName", "runtimeClassName", "serviceAccountName")
    },
    (POD_SPEC, "nodeSelector"): _LABELS,
    (POD_SPEC, "restartPolicy"): _one_of(RESTART_POLICIES),
    (POD_SPEC, "priority"): _whole(-MAX_INT32 - 1, MAX_INT32) | None,
    (POD_SPEC, "preemptionPolicy"): _one_of(PREEMPTION_POLICIES),
    **{(POD_SPEC, field): Any for field in _PARTS},
    **{(POD_SPEC, field): None for field in _ABSENT},
    ("core.PodStatus", "phase"): _one_of(PHASES),
    (_CONTAINER, "name"): _LABEL,
    (_CONTAINER, "image"): _text("[!-~]+", 500),
    (_CONTAINER, "imagePullPolicy"): _one_of(("Always", "IfNotPresent", "Never")),
    ("core.ResourceRequirements", "claims"): None,
    (_PORT, "containerPort"): _whole(1, 65_535),
    (_PORT, "hostPort"): Literal[0] | None,
    (_PORT, "protocol"): _one_of(PROTOCOLS),
    (_PORT, "name"): _text("[a-z]+(-[a-z0-9]+)*", 15) | None,
    ("core.EnvVar", "name"): _FILLED,
    ("core.VolumeMount", "mountPath"): _FILLED,
    (_AFFINITY, "nodeAffinity"): None,
    (_SELECTOR, "matchLabels"): _LABELS,
    (_SELECTOR, "matchExpressions"): None,
    (_TERM, "topologyKey"): _KEY,
    **{(_TERM, field): None for field in ("matchLabelKeys", "mismatchLabelKeys", "namespaces")},
    ("core.WeightedPodAffinityTerm", "weight"): _whole(1, 100),
    ("core.WeightedPodAffinityTerm", "podAffinityTerm"): THERE,
    (_CONSTRAINT, "maxSkew"): _whole(1, MAX_INT32),
    (_CONSTRAINT, "topologyKey"): _KEY,
    (_CONSTRAINT, "whenUnsatisfiable"): Literal[SPREAD_ACTIONS],
    **{(_CONSTRAINT, field): None for field in _RARE_IN_CONSTRAINTS},
    (_TOLERATION, "key"): _KEY | None,
    (_TOLERATION, "operator"): _one_of(("Equal", "Exists")),
    (_TOLERATION, "value"): _VALUE | None,
    (_TOLERATION, "effect"): _one_of(TAINT_EFFECTS),
}


@cache
def _narrow() -> Structs:
    return Structs(_NARROWED)


def is_sound(pod: Object) -> bool:
    """Tell whether a pod is surely one in which neither checks nor an API server find anything amiss.

    Its name, namespace and uid are not looked at, nor whether a text has U+0000.
    """
    if not _narrow().fits(_POD, pod):
        return False
    spec = pod["spec"]
    return (
        len(pod["metadata"].get("ownerReferences") or ()) <= 1
        and all(_is_sound_part(field, value) for field in _PARTS if (value := spec.get(field)) is not None)
        and _are_sound_together(spec)
    )


def _are_sound_together(spec: Object) -> bool:
    """Tell whether the parts of a spec, each of which is sound, go together."""
    containers = [*(spec.get("containers") or ()), *(spec.get("initContainers") or ())]
    constraints = spec.get("topologySpreadConstraints")
    volumes = {volume.get("name") for volume in spec.get("volumes") or ()}
    return (
        bool(spec.get("containers"))
        and len({container["name"] for container in containers}) == len(containers)
        and not (constraints and _have_repeated(constraints))
        and all(_is_sound_toleration(item) for item in spec.get("tolerations") or ())
        and all(_is_sound_container(container, volumes) for container in containers)
    )


def _have_repeated(constraints: list[Object]) -> bool:
    pairs = {(one.get("topologyKey"), one.get("whenUnsatisfiable")) for one in constraints}
    return len(pairs) < len(constraints)


def _is_sound_toleration(toleration: Object) -> bool:
    if toleration.get("tolerationSeconds") is not None and toleration.get("effect") != "NoExecute":
        return False
    return (
        not toleration.get("value") if toleration.get("operator") == "Exists" else bool(toleration.get("key"))
    )


def _is_sound_container(container: Object, volumes: set[Any]) -> bool:
    ports, resources = container.get("ports"), container.get("resources")
    names = [name for port in ports if (name := port.get("name"))] if ports else ()
    return (
        len(set(names)) == len(names)
        and all(mount.get("name") in volumes for mount in container.get("volumeMounts") or ())
        and (not resources or (_are_sound_names(resources) and not resource_faults(resources)))
    )


def _are_sound_names(resources: Object) -> bool:
    names = {*(resources.get("requests") or ()), *(resources.get("limits") or ())}
    return not any(name_fault(name, OF_CONTAINERS) for name in names)


def _is_sound_part(field: str, value: Any) -> bool:
    fits = _narrow().fits
    if field == "affinity":
        is_usual = fits(_AFFINITY, value)
    else:
        is_usual = (
            field == "topologySpreadConstraints"
            and isinstance(value, list)
            and all(fits(_CONSTRAINT, item) for item in value)
        )
    return is_usual or _is_sound_text(field, TOKEN.sub(_A_TOKEN, msgspec.json.encode(value)))


@lru_cache(_KNOWN_PARTS)
def _is_sound_text(field: str, text: bytes) -> bool:
    """Tell whether there are no faults in a pod that has nothing but a container and this field."""
    spec = {"containers": [{"name": "main", "image": "image"}], field: msgspec.json.decode(text)}
    return not all_faults({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod"}, "spec": spec})
