"""What an account may do in a cluster: which kinds it may list, and whether it may change anything.

Source: kubernetes v1.36 staging/src/k8s.io/api/authorization/v1 SelfSubjectAccessReview.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import msgspec

from dashboard.live.api_server import ApiServer, Refused
from dashboard.live.resources import Resource

_REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
_CHANGES = (
    ("create", "", "pods", ""),
    ("delete", "", "pods", ""),
    ("create", "", "pods", "eviction"),
    ("patch", "", "nodes", ""),
    ("patch", "apps", "deployments", ""),
    ("get", "", "secrets", ""),
)
"""Verb, group, resource, subresource of what nobody needs who only reads; Secrets are private."""


class Access(NamedTuple):
    """By kubectl's names: what may be listed, what may not, and what the account may do beyond reading."""

    listed: list[str]
    withheld: list[str]
    beyond: list[str]


class _Verdict(msgspec.Struct):
    allowed: bool = False


class _Review(msgspec.Struct):
    status: _Verdict = msgspec.field(default_factory=_Verdict)


def access_to(server: ApiServer, resources: Iterable[Resource]) -> Access | None:
    """Ask what the account may do; None where the API server doesn't say. Raises Unanswered."""
    try:
        known = [(one.name, _may(server, "list", one.kind.group, one.plural, "")) for one in resources]
        beyond = [
            f"{verb} {resource}{'/' if part else ''}{part}"
            for verb, group, resource, part in _CHANGES
            if _may(server, verb, group, resource, part)
        ]
    except Refused:
        return None
    return Access([name for name, may in known if may], [name for name, may in known if not may], beyond)


def _may(server: ApiServer, verb: str, group: str, resource: str, part: str) -> bool:
    asked = {"verb": verb, "group": group, "resource": resource, "subresource": part}
    body = {
        "apiVersion": "authorization.k8s.io/v1",
        "kind": "SelfSubjectAccessReview",
        "spec": {"resourceAttributes": asked},
    }
    with server.understood():
        return msgspec.json.decode(server.post(_REVIEWS, body), type=_Review).status.allowed
