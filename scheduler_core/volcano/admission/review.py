"""An AdmissionReview (admission.k8s.io/v1) and the answer to it, as they go over the wire.

Source: k8s.io/api v0.36 admission/v1 types.go; volcano v1.16 pkg/webhooks/router/server.go.
"""

from __future__ import annotations

import base64
from typing import Any, Literal

import msgspec

from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.volcano.admission.answers import Answer, Object, Question
from scheduler_core.volcano.admission.webhook_lookups import Surroundings
from scheduler_core.volcano.admission.webhooks import WEBHOOKS, Resource, Verb

_API_VERSION = "admission.k8s.io/v1"
_KIND = "AdmissionReview"


class GroupVersionResource(msgspec.Struct, frozen=True):
    group: str = ""
    version: str = ""
    resource: str = ""


class Request(msgspec.Struct, frozen=True, rename="camel"):
    """What the webhooks read of a request."""

    uid: str = ""
    operation: str = ""
    resource: GroupVersionResource = GroupVersionResource()
    name: str = ""
    namespace: str = ""
    object: dict[str, Any] | None = None
    old_object: dict[str, Any] | None = None


class Review(msgspec.Struct, frozen=True, rename="camel"):
    api_version: Literal["admission.k8s.io/v1"]
    kind: Literal["AdmissionReview"]
    request: Request


def answer_review(document: Any, resource: Resource, verb: Verb, around: Surroundings) -> Object:
    """Return the AdmissionReview that answers one. Raises BadInput for what is none."""
    request = _read(document).request
    return {
        "apiVersion": _API_VERSION,
        "kind": _KIND,
        "response": _response(request.uid, _answer(request, resource, verb, around)),
    }


def _read(document: Any) -> Review:
    if not isinstance(document, dict):
        raise BadInput([Problem(_KIND, "", "must be an object")])
    try:
        review = msgspec.convert(document, Review)
    except msgspec.ValidationError as error:
        field, reason = field_and_reason(plain_message(str(error)), document)
        raise BadInput([Problem(_KIND, field, reason)]) from None
    if not review.request.uid:
        raise BadInput([Problem(_KIND, "request.uid", "is required")])
    return review


def _answer(request: Request, resource: Resource, verb: Verb, around: Surroundings) -> Answer:
    if Resource(*msgspec.structs.astuple(request.resource)) != resource:
        return Answer(False, f"expect resource to be {resource}")
    if request.object is None and request.operation in ("CREATE", "UPDATE"):
        return Answer(False, "the request has no object")
    if request.old_object is None and request.operation == "UPDATE":
        return Answer(False, "the request has no old object")
    question = Question(
        request.operation,
        request.object or {},
        request.old_object or {},
        request.name,
        request.namespace,
    )
    return WEBHOOKS[resource, verb].answer(question, around)


def _response(uid: str, answer: Answer) -> Object:
    response: Object = {"uid": uid, "allowed": answer.allowed}
    if not answer.allowed:
        response["status"] = {"metadata": {}, "message": answer.message}
    if answer.patch:
        response["patchType"] = "JSONPatch"
        response["patch"] = base64.b64encode(msgspec.json.encode(answer.patch)).decode()
    return response
