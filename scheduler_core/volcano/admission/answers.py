"""What a webhook is asked and what it answers, as far as an AdmissionReview says it.

Source: k8s.io/api v0.36 admission/v1 types.go.
"""

from __future__ import annotations

from typing import Any, NamedTuple

Object = dict[str, Any]
PatchOperation = dict[str, Any]
"""An operation of a JSON patch (RFC 6902): `op`, `path`, `value`."""


class Question(NamedTuple):
    """`name` and `namespace` are those of the request, which an object on its way need not repeat.

    A DELETE has no object; only an UPDATE and a DELETE have an old one.
    """

    operation: str
    document: Object
    old: Object = {}
    name: str = ""
    namespace: str = ""


class Answer(NamedTuple):
    """`message` says why an object is not let in; `patch` is None where nothing is to be changed."""

    allowed: bool
    message: str = ""
    patch: list[PatchOperation] | None = None


class Fault(NamedTuple):
    """A part of the message, and the field that it is about (empty for the object)."""

    field: str
    message: str


class Denied(Exception):
    """The webhook's own words for not letting an object in, and which fields they are about."""

    def __init__(self, message: str, field: str = "", faults: list[Fault] | None = None) -> None:
        super().__init__(message)
        self.faults = faults or [Fault(field, message)]


def add(path: str, value: Any) -> PatchOperation:
    """Return the operation that sets a field of an object."""
    return {"op": "add", "path": path, "value": value}


def replace(path: str, value: Any) -> PatchOperation:
    """Return the operation that sets a field that is there."""
    return {"op": "replace", "path": path, "value": value}
