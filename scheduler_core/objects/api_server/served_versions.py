"""Which versions of Kubernetes' kinds an API server of a release serves.

Left out are alpha and beta versions that a cluster has to be asked for: whether it serves them is not known.

Source: the APILifecycleIntroduced and APILifecycleRemoved of k8s.io/api v0.36; for what is no longer there,
and for apiextensions.k8s.io and apiregistration.k8s.io, the deprecated API migration guide of
kubernetes.io/docs/reference/using-api/deprecation-guide.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

Object = Mapping[str, Any]
Release = tuple[int, int]


class _Gone(NamedTuple):
    """The minor release of 1 that no longer serves it, and which version to write instead; empty for none."""

    minor: int
    instead: str


def _gone(minor: int, version: str, instead: str, *kinds: str) -> Iterable[tuple[tuple[str, str], _Gone]]:
    return (((version, kind), _Gone(minor, instead)) for kind in kinds)


_ROLES = ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding")
_WEBHOOKS = ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")
_POLICIES = ("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyBinding")
_FLOWS = ("FlowSchema", "PriorityLevelConfiguration")
_RBAC, _FLOW = "rbac.authorization.k8s.io", "flowcontrol.apiserver.k8s.io"
_ADMISSION, _STORAGE, _NET = "admissionregistration.k8s.io", "storage.k8s.io", "networking.k8s.io"

_REMOVED: dict[tuple[str, str], _Gone] = {
    key: gone
    for several in (
        _gone(16, "extensions/v1beta1", "apps/v1", "DaemonSet", "Deployment", "ReplicaSet"),
        _gone(16, "extensions/v1beta1", f"{_NET}/v1", "NetworkPolicy"),
        _gone(16, "extensions/v1beta1", "", "PodSecurityPolicy"),
        _gone(16, "apps/v1beta1", "apps/v1", "ControllerRevision", "Deployment", "StatefulSet"),
        _gone(16, "apps/v1beta2", "apps/v1", "ControllerRevision", "DaemonSet", "Deployment"),
        _gone(16, "apps/v1beta2", "apps/v1", "ReplicaSet", "StatefulSet"),
        _gone(22, "extensions/v1beta1", f"{_NET}/v1", "Ingress"),
        _gone(22, f"{_NET}/v1beta1", f"{_NET}/v1", "Ingress", "IngressClass"),
        _gone(22, f"{_ADMISSION}/v1beta1", f"{_ADMISSION}/v1", *_WEBHOOKS),
        _gone(22, "apiextensions.k8s.io/v1beta1", "apiextensions.k8s.io/v1", "CustomResourceDefinition"),
        _gone(22, "apiregistration.k8s.io/v1beta1", "apiregistration.k8s.io/v1", "APIService"),
        _gone(22, "certificates.k8s.io/v1beta1", "certificates.k8s.io/v1", "CertificateSigningRequest"),
        _gone(22, "coordination.k8s.io/v1beta1", "coordination.k8s.io/v1", "Lease"),
        _gone(22, f"{_RBAC}/v1beta1", f"{_RBAC}/v1", *_ROLES),
        _gone(22, "scheduling.k8s.io/v1beta1", "scheduling.k8s.io/v1", "PriorityClass"),
        _gone(22, f"{_STORAGE}/v1beta1", f"{_STORAGE}/v1", "CSIDriver", "CSINode", "StorageClass"),
        _gone(22, f"{_STORAGE}/v1beta1", f"{_STORAGE}/v1", "VolumeAttachment"),
        _gone(25, "batch/v1beta1", "batch/v1", "CronJob"),
        _gone(25, "discovery.k8s.io/v1beta1", "discovery.k8s.io/v1", "EndpointSlice"),
        _gone(25, "events.k8s.io/v1beta1", "events.k8s.io/v1", "Event"),
        _gone(25, "autoscaling/v2beta1", "autoscaling/v2", "HorizontalPodAutoscaler"),
        _gone(25, "policy/v1beta1", "policy/v1", "PodDisruptionBudget"),
        _gone(25, "policy/v1beta1", "", "PodSecurityPolicy"),
        _gone(25, "node.k8s.io/v1beta1", "node.k8s.io/v1", "RuntimeClass"),
        _gone(26, "autoscaling/v2beta2", "autoscaling/v2", "HorizontalPodAutoscaler"),
        _gone(26, f"{_FLOW}/v1beta1", f"{_FLOW}/v1", *_FLOWS),
        _gone(27, f"{_STORAGE}/v1beta1", f"{_STORAGE}/v1", "CSIStorageCapacity"),
        _gone(29, f"{_FLOW}/v1beta2", f"{_FLOW}/v1", *_FLOWS),
        _gone(32, f"{_FLOW}/v1beta3", f"{_FLOW}/v1", *_FLOWS),
        _gone(34, f"{_ADMISSION}/v1beta1", f"{_ADMISSION}/v1", *_POLICIES),
    )
    for key, gone in several
}

_INTRODUCED: dict[tuple[str, str], int] = {
    (version, kind): minor
    for minor, version, kinds in (
        (9, "apps/v1", ("ControllerRevision", "DaemonSet", "Deployment", "ReplicaSet", "StatefulSet")),
        (14, "scheduling.k8s.io/v1", ("PriorityClass",)),
        (14, "coordination.k8s.io/v1", ("Lease",)),
        (16, f"{_ADMISSION}/v1", _WEBHOOKS),
        (16, "apiextensions.k8s.io/v1", ("CustomResourceDefinition",)),
        (17, f"{_STORAGE}/v1", ("CSINode",)),
        (18, f"{_STORAGE}/v1", ("CSIDriver",)),
        (19, f"{_NET}/v1", ("Ingress", "IngressClass")),
        (19, "certificates.k8s.io/v1", ("CertificateSigningRequest",)),
        (19, "events.k8s.io/v1", ("Event",)),
        (20, "node.k8s.io/v1", ("RuntimeClass",)),
        (21, "batch/v1", ("CronJob",)),
        (21, "discovery.k8s.io/v1", ("EndpointSlice",)),
        (21, "policy/v1", ("PodDisruptionBudget",)),
        (23, "autoscaling/v2", ("HorizontalPodAutoscaler",)),
        (24, f"{_STORAGE}/v1", ("CSIStorageCapacity",)),
        (29, f"{_FLOW}/v1", _FLOWS),
        (30, f"{_ADMISSION}/v1", _POLICIES),
        (33, f"{_NET}/v1", ("IPAddress", "ServiceCIDR")),
        (
            34, "resource.k8s.io/v1",
            ("DeviceClass", "ResourceClaim", "ResourceClaimTemplate", "ResourceSlice"),
        ),
        (34, f"{_STORAGE}/v1", ("VolumeAttributesClass",)),
        (36, f"{_ADMISSION}/v1", ("MutatingAdmissionPolicy", "MutatingAdmissionPolicyBinding")),
    )
    for kind in kinds
}  # fmt: skip


def not_served(document: Object, release: Release, *, at_least: bool = False) -> str:
    """Return why an API server of a release knows no such object; empty where it does, or may.

    at_least: the API server may be of a newer release than this one.
    """
    version, kind = document.get("apiVersion"), document.get("kind")
    if not isinstance(version, str) or not isinstance(kind, str):
        return ""
    why = _why(version, kind, release, at_least=at_least)
    return f'no matches for kind "{kind}" in version "{version}": {why}' if why else ""


def _why(version: str, kind: str, release: Release, *, at_least: bool) -> str:
    gone = _REMOVED.get((version, kind))
    if gone is not None and release >= (1, gone.minor):
        instead = f", and {gone.instead} takes its place" if gone.instead else ""
        return f"it was removed in 1.{gone.minor}{instead}"
    came = _INTRODUCED.get((version, kind))
    if came is not None and release < (1, came) and not at_least:
        return f"it came in 1.{came}"
    return ""
