"""What objects are that don't say it: items of lists whose writers left `kind` and `apiVersion` out.

API servers leave them out of the items of typed lists, and so do tools that store such items as an array or
one by one: `kubectl get --raw … | jq .items`, sonobuoy up to 0.10, OpenShift Insights, support bundles. What
tells an item's kind then, the first that does: the list, the `selfLink` of old API servers, the fields of
pods and nodes, which nothing else has, the names of file and folders (`resources/ns/shop/Pods.json`).

Sources: k8s.io/apimachinery v0.19 metav1.ListMeta (selfLink); sonobuoy v0.10 pkg/client/results; troubleshoot
v0.9 pkg/collect/cluster_resources.go; insights-operator v4.6 pkg/gather/clusterconfig.
"""

import re
from typing import Any, NamedTuple

from scheduler_core.objects.kinds import NODE, POD, READ_KINDS, Kind
from scheduler_core.objects.own_kinds import OWN, OWN_KINDS

Object = dict[str, Any]


class Type(NamedTuple):
    """How an object would say what it is."""

    apiVersion: str
    kind: str


_UNREAD = {
    "v1": (
        "Binding", "ComponentStatus", "ConfigMap", "Endpoints", "Event", "PodTemplate", "ServiceAccount",
    ),
    "apps/v1": ("ControllerRevision",),
    "apiextensions.k8s.io/v1": ("CustomResourceDefinition",),
    "apiregistration.k8s.io/v1": ("APIService",),
    "admissionregistration.k8s.io/v1": ("MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"),
    "autoscaling/v2": ("HorizontalPodAutoscaler",),
    "certificates.k8s.io/v1": ("CertificateSigningRequest",),
    "coordination.k8s.io/v1": ("Lease",),
    "discovery.k8s.io/v1": ("EndpointSlice",),
    "extensions/v1beta1": ("PodSecurityPolicy",),
    "networking.k8s.io/v1": ("Ingress", "IngressClass", "NetworkPolicy"),
    "rbac.authorization.k8s.io/v1": ("ClusterRole", "ClusterRoleBinding", "Role", "RoleBinding"),
}  # fmt: skip
_LINK = re.compile(r"/(?:api/(v1)|apis/([^/]+/[^/]+))/(?:namespaces/[^/]+/)?([a-z]+)(?:/[^/]+)?")
_SPACES = ("namespace", "namespaces")
"""Folders that hold one for each namespace."""
_NO_LETTERS = re.compile(r"[^a-z0-9]")


def _plural(kind: str) -> str:
    """Return how addresses call objects of a kind. Source: k8s.io/apimachinery UnsafeGuessKindToResource."""
    name = kind.lower()
    if name == "endpoints":
        return name
    if name.endswith("s"):
        return name + "es"
    return name[:-1] + "ies" if name.endswith("y") else name + "s"


def _type_of_kind(kind: Kind) -> Type:
    version = OWN[kind].version if kind in OWN else "v1"
    return Type(f"{kind.group}/{version}" if kind.group else version, kind.name)


_READ = [
    _type_of_kind(kind)
    for kind in sorted(OWN_KINDS) + sorted(READ_KINDS)  # of two of one name the latter counts
    if kind.name != "KubeSchedulerConfiguration"
]
_PRIVATE = Type("v1", "Secret")
_KNOWN = [*(Type(version, kind) for version, kinds in _UNREAD.items() for kind in kinds), _PRIVATE, *_READ]
_BY_KIND = {known.kind: known for known in _KNOWN}
_BY_PLURAL = {_plural(known.kind): known for known in _KNOWN}
_BY_NAME = {**{known.kind.lower(): known for known in _KNOWN}, **_BY_PLURAL}
_POD, _NODE = _type_of_kind(POD), _type_of_kind(NODE)


def is_read(found: Type) -> bool:
    """Tell whether anything reads objects of a kind; Secrets count, since their number is told."""
    return found == _PRIVATE or found.kind in {read.kind for read in _READ}


def type_of_list(document: Object) -> Type | None:
    """Return what the items of a list are by its kind, with or without a version, or by its `selfLink`."""
    kind, version = document.get("kind"), document.get("apiVersion")
    if isinstance(kind, str) and (name := kind.removesuffix("List")):
        return Type(version, name) if isinstance(version, str) and version else _BY_KIND.get(name)
    return _type_by_link(document.get("metadata"))


def type_of_object(document: Object, name: str) -> Type | None:
    """Return what an object is that doesn't say it; None if nothing tells.

    name: of its file, with the folders that it lies in.
    """
    metadata = document.get("metadata")
    if not isinstance(metadata, dict) or not isinstance(metadata.get("name"), str):
        return None
    return _type_by_link(metadata) or type_by_fields(document) or type_by_name(name)


def type_by_fields(document: Object) -> Type | None:
    """Return Pod or Node for objects that have the fields of these."""
    spec, status = document.get("spec"), document.get("status")
    if isinstance(spec, dict) and isinstance(spec.get("containers"), list):
        return _POD
    if isinstance(status, dict) and isinstance(status.get("nodeInfo"), dict):
        return _NODE
    return None


def type_by_name(name: str) -> Type | None:
    """Return what the objects of a file are by its name or the folder nearest to it that tells it."""
    *folders, file = name.lower().split("/")
    stem = file.partition(".")[0]
    nearest, *others = [folder.partition(".")[0] for folder in reversed(folders)] or [""]
    for word in (stem, stem.rpartition("_")[2], nearest, *(word for word in others if word not in _SPACES)):
        if known := _BY_NAME.get(_NO_LETTERS.sub("", word)):
            return known
    return None


def _type_by_link(metadata: Any) -> Type | None:
    link = metadata.get("selfLink") if isinstance(metadata, dict) else None
    match = _LINK.fullmatch(link) if isinstance(link, str) else None
    known = _BY_PLURAL.get(match[3]) if match else None
    return Type(match[1] or match[2], known.kind) if match and known else None
