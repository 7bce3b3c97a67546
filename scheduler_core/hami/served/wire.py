"""What comes over the wire: the questions of a kube-scheduler (extender v1) and an AdmissionReview of a pod.

All readers raise BadInput, whose problems name the field as it stands in the body.

Source: k8s.io/kube-scheduler v0.36 extender/v1 types.go; k8s.io/api v0.36 admission/v1 types.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

import msgspec

from scheduler_core.hami.rules.pod_request import Object, all_containers
from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.problems import BadInput, Problem

T = TypeVar("T")

_UNNAMED = "unnamed"
_CHANGED_BY_WEBHOOK = ("env", "envFrom")


class NodeList(msgspec.Struct, frozen=True):
    items: list[Object] | None = None


class ExtenderArgs(msgspec.Struct, frozen=True, rename="pascal"):
    """What filter and prioritize are asked: node names, or nodes."""

    pod: Object | None = None
    nodes: NodeList | None = None
    node_names: list[str] | None = None


class BindingArgs(msgspec.Struct, frozen=True):
    """What bind is asked."""

    pod_name: str = msgspec.field(name="PodName")
    pod_namespace: str = msgspec.field(name="PodNamespace")
    node: str = msgspec.field(name="Node")
    pod_uid: str = msgspec.field(name="PodUID", default="")


class _Victims(msgspec.Struct, frozen=True):
    pods: list[Object | None] | None = msgspec.field(name="Pods", default=None)
    violations: int = msgspec.field(name="NumPDBViolations", default=0)


class PreemptionArgs(msgspec.Struct, frozen=True, rename="pascal"):
    """What preempt is asked: victims as pods, or by UID."""

    pod: Object | None = None
    node_name_to_victims: dict[str, _Victims] | None = None
    node_name_to_meta_victims: dict[str, _Victims] | None = None

    def meta_victims(self) -> dict[str, Object]:
        """Return the MetaVictims by node."""
        return {
            node: {"Pods": [{"UID": _uid(pod) or ""} for pod in one.pods or ()],
                   "NumPDBViolations": one.violations}
            for node, one in (self.node_name_to_meta_victims or self.node_name_to_victims or {}).items()
        }  # fmt: skip


class Request(msgspec.Struct, frozen=True, rename="camel"):
    """What is read of an admission request."""

    uid: str
    operation: str = ""
    name: str = ""
    namespace: str = ""
    object: dict[str, Any] | None = None
    old_object: dict[str, Any] | None = None
    dry_run: bool | None = None


class _Review(msgspec.Struct, frozen=True, rename="camel"):
    api_version: Literal["admission.k8s.io/v1"]
    kind: Literal["AdmissionReview"]
    request: Request


def read(document: Any, kind: type[T]) -> T:
    """Return a body as one of the types of this file."""
    if not isinstance(document, Mapping):
        raise BadInput([Problem("request", "", "must be an object")])
    try:
        return msgspec.convert(document, kind)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(plain_message(str(error)), dict(document))
        raise BadInput([Problem("request", field, reason)]) from None


def read_review(document: Any) -> Request:
    """Return the request of an AdmissionReview."""
    request = read(document, _Review).request
    if not request.uid:
        raise BadInput([Problem("request", "request.uid", "is required")])
    return request


def pod_to_place(pod: Object | None) -> Object:
    """Return a pod that was sent, checked, without anything private."""
    if pod is None:
        raise BadInput([Problem("request", "Pod", "is required")])
    whole = {**pod, "apiVersion": "v1", "kind": "Pod"}
    _check(whole)
    kept: Object = withhold_private([_without_nulls(whole)])[0][0]
    return kept


def nodes_to_try(given: NodeList) -> list[Object]:
    """Return the nodes that were sent, checked."""
    nodes = [{**node, "apiVersion": "v1", "kind": "Node"} for node in given.items or ()]
    _refuse(check_objects(nodes))
    return [_without_nulls(node) for node in nodes]


def pod_to_admit(request: Request) -> Object:
    """Return the pod of an admission request, checked and else as it was sent. It may have no name yet."""
    pod = request.object
    if pod is None:
        raise BadInput([Problem("request", "request.object", "is required")])
    metadata = pod.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise BadInput([Problem("Pod", "metadata", "must be an object")])
    named = {"namespace": request.namespace or "default", **metadata}
    _check({**pod, "apiVersion": "v1", "kind": "Pod", "metadata": {"name": _UNNAMED, **named}})
    return _without_nulls({**pod, "metadata": named})


def _check(pod: Object) -> None:
    _refuse(check_objects([pod]))
    for container in all_containers(pod):
        for field in _CHANGED_BY_WEBHOOK:
            entries = container.get(field) or []
            if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
                where = f"spec.containers[{container.get('name', '')}].{field}"
                raise BadInput([Problem("Pod", where, "must be a list of objects")])


def _without_nulls(item: Object) -> Object:
    """Return an object that was checked, with its annotations as Go reads them: null is empty."""
    annotations = item["metadata"].get("annotations") or {}
    if None not in annotations.values():
        return item
    texts = {key: "" if value is None else value for key, value in annotations.items()}
    return {**item, "metadata": {**item["metadata"], "annotations": texts}}


def _refuse(problems: list[Problem]) -> None:
    if problems:
        raise BadInput(problems)


def _uid(pod: Object | None) -> Any:
    """Return the UID of a victim, which is a pod or a MetaPod."""
    if pod is None:
        return None
    if isinstance(pod.get("UID"), str):
        return pod["UID"]
    metadata = pod.get("metadata")
    return metadata.get("uid") if isinstance(metadata, dict) else None
