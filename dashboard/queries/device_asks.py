"""What claims of a snapshot's pods ask for, in words."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from dashboard.engine import items_of_kinds
from dashboard.models import Snapshot
from scheduler_core.objects.device_asks import pod_asks
from scheduler_core.objects.dynamic_resources import Document
from scheduler_core.objects.kinds import RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE, kind_of

_KEPT = 4
"""Of so many snapshots the claims are kept: a snapshot never changes."""
_Specs = dict[tuple[str, str, bool], Document]
"""By namespace, name, and whether it is a template."""


def devices_asked(snapshot: Snapshot, pod: Mapping[str, Any]) -> list[str]:
    """Return what a pod's claims ask for, one text for each request; nothing for a pod without any."""
    entries = (pod.get("spec") or {}).get("resourceClaims") or ()
    if not entries:
        return []
    namespace = (pod.get("metadata") or {}).get("namespace") or "default"
    specs = _specs(snapshot.pk, snapshot.content_hash)
    statuses = (pod.get("status") or {}).get("resourceClaimStatuses") or ()
    return pod_asks(entries, statuses, lambda name, of_template: specs.get((namespace, name, of_template)))


@lru_cache(maxsize=_KEPT)
def _specs(snapshot: int, content: str) -> _Specs:
    found: _Specs = {}
    kinds = (RESOURCE_CLAIM, RESOURCE_CLAIM_TEMPLATE)
    for one in items_of_kinds(Snapshot.objects.get(pk=snapshot), kinds):
        metadata, spec = one.get("metadata") or {}, one.get("spec") or {}
        of_template = kind_of(one) == RESOURCE_CLAIM_TEMPLATE
        key = metadata.get("namespace") or "default", str(metadata.get("name")), of_template
        found[key] = (spec.get("spec") or {}) if of_template else spec
    return found
