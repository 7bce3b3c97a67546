"""What claims ask for, in words: `2 devices of class l40s`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from scheduler_core.objects.dynamic_resources import DeviceRequest, Document, ExactRequest, ResourceClaimSpec
from scheduler_core.objects.types import convert

Find = Callable[[str, bool], Document | None]
"""Returns the spec of a claim, or of a template's claims (True), by its name; None where it is missing."""


def pod_asks(
    entries: Iterable[Mapping[str, Any]], statuses: Iterable[Mapping[str, Any]], find: Find
) -> list[str]:
    """Return what the claims ask for that a pod's entries name, one text for each request.

    statuses: the pod's `resourceClaimStatuses`. A claim that is not there is named as such.
    """
    made = {one.get("name"): one.get("resourceClaimName") for one in statuses}
    asked: list[str] = []
    for entry in entries:
        template = entry.get("resourceClaimTemplateName")
        name = entry.get("resourceClaimName") or made.get(entry.get("name"))
        spec = find(str(name), False) if name else None
        if spec is None and template:
            spec = find(str(template), True)
        asked += [f"claim {name or template} (missing)"] if spec is None else claim_asks(spec)
    return asked


def claim_asks(spec: Document) -> list[str]:
    """Return what a claim asks for, one text for each request; nothing for a spec that can't be read."""
    claim = convert(spec, ResourceClaimSpec)
    return [_asked(request) for request in claim.devices.requests or ()]


def _asked(request: DeviceRequest) -> str:
    alternatives = request.first_available or [request.exactly or ExactRequest()]
    return ", else ".join(map(_exactly, alternatives))


def _exactly(asked: ExactRequest) -> str:
    if asked.allocation_mode == "All":
        number = "all devices"
    else:
        number = "1 device" if asked.count == 1 else f"{asked.count:,} devices"
    met = "meets" if number == "1 device" else "meet"
    some = len(asked.selectors or ())
    selected = f" that {met} {'a selector' if some == 1 else f'{some} selectors'}" if some else ""
    amounts = (asked.capacity.requests or {}) if asked.capacity is not None else {}
    parts = "".join(f" with {amount} {name}" for name, amount in sorted(amounts.items()))
    for_whom = " for administration" if asked.admin_access else ""
    return f"{number} of class {asked.device_class_name}{parts}{for_whom}{selected}"
