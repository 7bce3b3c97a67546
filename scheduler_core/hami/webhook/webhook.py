"""The mutating webhook: completes what pods ask for, and gives those that ask for cards to HAMi's scheduler.

Source: HAMi v2.10.0 pkg/scheduler/webhook.go.
"""

from __future__ import annotations

import base64
from collections.abc import Iterable
from typing import Any

import msgspec

from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.devices.vendor import Refused, Vendor
from scheduler_core.hami.rules.pod_request import (
    Object,
    all_containers,
    containers_of,
    init_containers_of,
    namespace_of,
)
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.webhook.json_patch import Operation, make_patch
from scheduler_core.objects.amounts.go_quantity import canonical

_DEFAULT_SCHEDULER = "default-scheduler"
_OK, _FORBIDDEN, _FAILED = 200, 403, 500


class Answer(msgspec.Struct, frozen=True):
    """`pod` is the pod as it is let in; `reason` stands in refusals, not where a vendor finds a fault."""

    allowed: bool
    code: int
    pod: Object
    message: str = ""
    reason: str = ""
    patch: list[Operation] = []


def answer(pod: Object, vendors: Iterable[Vendor], quotas: Quotas, configuration: Configuration) -> Answer:
    """Return what the webhook answers to a pod that is created."""
    old = as_sent(pod)
    new: Object = msgspec.to_builtins(old)  # a copy of all its parts
    spec, name = new["spec"], configuration.scheduler_name
    if not containers_of(new):
        return _denied(old, "pod has no containers")
    if _is_anothers(spec.get("schedulerName") or "", configuration):
        return Answer(True, _OK, old, "pod already has different scheduler assigned")
    privileged = next((item.get("name", "") for item in all_containers(new) if _is_privileged(item)), None)
    known = list(vendors)
    try:
        found = [vendor.mutate(container, new) for container in all_containers(new) for vendor in known]
    except Refused as error:
        return Answer(False, _FAILED, old, str(error))
    asks = any(found)
    if asks and privileged is not None:
        return _denied(old, f"container {privileged} is privileged")
    if asks and name:
        spec["schedulerName"] = name
        if spec.get("nodeName"):
            return _denied(old, "pod has node assigned")
    if not _within_quotas(new, known, quotas):
        return _denied(old, "exceeding resource quota")
    return Answer(True, _OK, new, patch=make_patch(old, new))


def review_request(uid: str, pod: Object) -> Object:
    """Return the AdmissionReview with which an API server asks about a pod that is created."""
    metadata = pod["metadata"]
    request: Object = {
        "uid": uid,
        "kind": {"group": "", "version": "v1", "kind": "Pod"},
        "resource": {"group": "", "version": "v1", "resource": "pods"},
        "name": metadata.get("name", ""),
        "namespace": namespace_of(pod),
        "operation": "CREATE",
        "object": pod,
    }
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "request": request}


def review_answer(uid: str, given: Answer) -> Object:
    """Return the AdmissionReview of the answer to a request, as it goes over the wire."""
    status: Object = {"metadata": {}, "code": given.code}
    if given.message:
        status["message"] = given.message
    if given.reason:
        status["reason"] = given.reason
    response: Object = {"uid": uid, "allowed": given.allowed, "status": status}
    if given.patch:
        response["patch"] = base64.b64encode(msgspec.json.encode(given.patch)).decode()
        response["patchType"] = "JSONPatch"
    return {"kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1", "response": response}


def as_sent(pod: Object) -> Object:
    """Return a pod as an API server sends it: quantities in canonical text, empty parts left out."""
    spec = {**(pod.get("spec") or {})}
    for part in ("initContainers", "containers"):
        if part in spec:
            spec[part] = [_as_sent(container) for container in spec[part] or ()]
    metadata = {key: value for key, value in pod["metadata"].items() if value is not None}
    return {**pod, "metadata": metadata, "spec": spec}


def _as_sent(container: Object) -> Object:
    resources = container.get("resources") or {}
    sent: dict[str, Any] = {
        key: value for key, value in resources.items() if key not in ("limits", "requests")
    }
    for part in ("limits", "requests"):
        amounts = {name: canonical(text) for name, text in (resources.get(part) or {}).items()}
        if amounts:
            sent[part] = amounts
    given = {key: value for key, value in container.items() if value is not None}
    return {**given, "resources": sent}


def _is_anothers(name: str, configuration: Configuration) -> bool:
    if not name or (configuration.scheduler_name and name == configuration.scheduler_name):
        return False
    return name != _DEFAULT_SCHEDULER or not configuration.force_overwrite_default_scheduler


def _is_privileged(container: Object) -> bool:
    return (container.get("securityContext") or {}).get("privileged") is True


def _denied(pod: Object, message: str) -> Answer:
    return Answer(False, _FORBIDDEN, pod, message, "Forbidden")


def _within_quotas(pod: Object, vendors: Iterable[Vendor], quotas: Quotas) -> bool:
    """Tell whether quotas leave room: containers together, or the greatest init container."""
    namespace = namespace_of(pod)
    for vendor in vendors:
        if not quotas.limits(namespace, vendor.key):
            continue
        others = [_asked(vendor, container) for container in containers_of(pod)]
        init = [_asked(vendor, container) for container in init_containers_of(pod)]
        memory = max(sum(one[0] for one in others), max((one[0] for one in init), default=0))
        cores = max(sum(one[1] for one in others), max((one[1] for one in init), default=0))
        if (memory or cores) and not quotas.fits(namespace, vendor.key, memory, cores):
            return False
    return True


def _asked(vendor: Vendor, container: Object) -> tuple[int, int]:
    """Return the MiB and the cores that a container asks of a vendor."""
    request = vendor.request(container)
    return (0, 0) if request is None else (request.memory * request.nums, request.cores * request.nums)
