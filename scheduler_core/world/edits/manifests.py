"""A manifest as somebody is about to apply it: its objects in an order in which all can be made.

Controllers try again to make their pods, so that it doesn't matter to a workload whether its priority class
stands before or behind it. What makes pods therefore comes last here, as installers sort it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.identity import spec_of
from scheduler_core.objects.kinds import DAEMON_SET, NODE, POD, READ_KINDS, WORKLOAD_KINDS, Kind, kind_of
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.privacy import is_private
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.foreign_forms import foreign_object
from scheduler_core.objects.reading.texts import read_text
from scheduler_core.objects.workloads.autoscalers import AUTOSCALER
from scheduler_core.objects.workloads.daemons import runs_on
from scheduler_core.objects.workloads.templates import template_specs
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.schedulers.registry import kinds, pod_makers
from scheduler_core.world.edits.refusals import manifest_faults

Object = dict[str, Any]

_WITHOUT_PODS: dict[str, frozenset[str]] = {
    "argoproj.io": frozenset({"AnalysisTemplate", "AppProject", "ClusterAnalysisTemplate"}),
    "bitnami.com": frozenset({"SealedSecret"}),
    "cert-manager.io": frozenset({"ClusterIssuer", "Issuer"}),
    "cilium.io": frozenset({"CiliumClusterwideNetworkPolicy", "CiliumNetworkPolicy"}),
    "external-secrets.io": frozenset(
        {"ClusterExternalSecret", "ClusterSecretStore", "ExternalSecret", "SecretStore"}
    ),
    "kafka.strimzi.io": frozenset({"KafkaTopic", "KafkaUser"}),
    "keda.sh": frozenset({"ClusterTriggerAuthentication", "TriggerAuthentication"}),
    "kyverno.io": frozenset({"ClusterPolicy", "Policy"}),
    "metallb.io": frozenset({"BGPAdvertisement", "IPAddressPool", "L2Advertisement"}),
    "monitoring.coreos.com": frozenset(
        {"AlertmanagerConfig", "PodMonitor", "Probe", "PrometheusRule", "ScrapeConfig", "ServiceMonitor"}
    ),
    "networking.istio.io": frozenset(
        {
            "DestinationRule",
            "EnvoyFilter",
            "Gateway",
            "ServiceEntry",
            "Sidecar",
            "VirtualService",
            "WorkloadEntry",
        }
    ),
    "traefik.io": frozenset({"IngressRoute", "IngressRouteTCP", "Middleware", "TLSOption", "TLSStore"}),
    "security.istio.io": frozenset({"AuthorizationPolicy", "PeerAuthentication", "RequestAuthentication"}),
}
"""Kinds of other projects of which no controller makes pods, by their group. All others may make some."""


class ToApply(NamedTuple):
    """The objects of a manifest but for its Secrets, which no scheduler reads; and how many these are."""

    objects: list[Object]
    secrets: int


def read_to_apply(text: bytes, namespace: str = "") -> ToApply:
    """Return the objects of a manifest.

    namespace: of objects that name none. Raises BadInput with all that an API server would not take.
    """
    documents = read_text(text, None).objects
    forms = [Problem("", "", f"this is {form}") for one in documents if (form := foreign_object(one))]
    if forms:
        raise BadInput(forms)
    placed = [_in_namespace(document, namespace) for document in documents]
    problems = [
        Problem(object_name(document), fault.field, fault.message)
        for document in placed
        for fault in manifest_faults(document)
    ]
    if problems:
        raise BadInput(problems)
    kept = [one for one in placed if not is_private(one)]
    return ToApply(kept, len(placed) - len(kept))


def in_order(documents: Iterable[Object]) -> list[Object]:
    """Return the objects of a manifest, those that make pods last."""
    return sorted(documents, key=makes_pods)


def makes_pods(document: Object) -> bool:
    """Tell whether an object is a pod, or pods come of it."""
    kind = kind_of(document)
    return kind == POD or kind in WORKLOAD_KINDS or kind in pod_makers()


def specs_of(document: Object) -> list[Object]:
    """Return the spec of a pod, or those of the templates of what makes pods."""
    return [spec_of(document)] if kind_of(document) == POD else list(template_specs(document))


def may_make_pods(document: Object) -> bool:
    """Tell whether pods may come of an object that no run makes: of a kind that others bring, as Rollout.

    Groups without a dot, and those that end in `.k8s.io`, are Kubernetes' own: what makes pods there is read.
    """
    kind = kind_of(document)
    if kind in OWN:
        return OWN[kind].makes_jobs
    return kind not in READ_KINDS and not _is_of_kubernetes(kind) and kind.name not in _without_pods(kind)


def _is_of_kubernetes(kind: Kind) -> bool:
    return "." not in kind.group or kind.group.endswith(".k8s.io")


def _without_pods(kind: Kind) -> frozenset[str]:
    return _WITHOUT_PODS.get(kind.group, frozenset())


def pods_wanted(document: Object, objects: Iterable[Object]) -> int:
    """Return how many pods come of an object in a cluster of these objects, if nothing stands against it."""
    kind = kind_of(document)
    if kind == POD:
        return 1
    if kind == DAEMON_SET:
        return sum(runs_on(document, one) for one in objects if kind_of(one) == NODE)
    if kind in WORKLOAD_KINDS:
        return wanted_replicas(document)
    return sum(one.pods_wanted(document) for one in kinds().values() if kind in one.pod_makers)


def without_pods(document: Object) -> str:
    """Return why an object of which pods come would ask for none, in words."""
    if spec_of(document).get("suspend"):
        return "it is suspended"
    return "it runs on no node" if kind_of(document) == DAEMON_SET else "0 replicas"


def refused(problems: Sequence[Problem]) -> dict[int, list[Problem]]:
    """Return the problems of edits by their index; nothing where one is of no edit."""
    found: dict[int, list[Problem]] = {}
    for problem in problems:
        number = problem.object.removeprefix("edits[").removesuffix("]")
        if not number.isdigit():
            return {}
        found.setdefault(int(number), []).append(problem)
    return found


def _in_namespace(document: Object, namespace: str) -> Object:
    kind = kind_of(document)
    check, own = KIND_CHECKS.get(kind), OWN.get(kind)
    is_namespaced = check.namespaced if check is not None else own is not None and own.namespaced
    is_namespaced = is_namespaced or kind == AUTOSCALER
    metadata = document.get("metadata")
    if not namespace or not is_namespaced or not isinstance(metadata, dict) or metadata.get("namespace"):
        return document
    return {**document, "metadata": {**metadata, "namespace": namespace}}
