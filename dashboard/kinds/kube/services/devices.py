"""The devices of a snapshot: what drivers offer on each node, and which claims hold or wait for some."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import msgspec

from dashboard.engine import items_of_kinds
from dashboard.models import Pod, Snapshot
from scheduler_core.events.state import ClaimRow, SliceRow
from scheduler_core.objects.kinds import RESOURCE_CLAIM, RESOURCE_SLICE, kind_of
from scheduler_core.state.claim_rows import claim_row, slice_row


class Offer(NamedTuple):
    """What a driver offers on a node (empty: on several): devices by model, and how many claims hold.

    parts: of the devices so many consume counters that others consume too: not all can be held at once.
    """

    node: str
    driver: str
    models: list[tuple[str, int]]
    devices: int
    held: int
    parts: int


class Claim(NamedTuple):
    """A claim, its devices, and the pods (`namespace/name`, where known) that it is reserved for."""

    name: str
    pods: list[str]
    allocated: bool
    devices: list[str]


class Devices(NamedTuple):
    """All of a snapshot: offers by node and driver, claims by name."""

    offers: list[Offer]
    claims: list[Claim]


def devices_of(snapshot: Snapshot) -> Devices:
    """Return the devices of a snapshot, and the claims for some."""
    items = items_of_kinds(snapshot, (RESOURCE_CLAIM, RESOURCE_SLICE))
    rows = [msgspec.convert(claim_row(one), ClaimRow) for one in items if kind_of(one) == RESOURCE_CLAIM]
    slices = [msgspec.convert(slice_row(one), SliceRow) for one in items if kind_of(one) == RESOURCE_SLICE]
    pods = _names_by_uid(snapshot) if any(row.pods for row in rows) else {}
    return Devices(_offers(slices, rows), sorted(_claim(one, pods) for one in rows))


def _names_by_uid(snapshot: Snapshot) -> dict[str, str]:
    pods = Pod.objects.filter(snapshot=snapshot).order_by()
    return {
        uid: f"{namespace}/{name}" for uid, namespace, name in pods.values_list("uid", "namespace", "name")
    }


def _claim(row: ClaimRow, pods: dict[str, str]) -> Claim:
    named = [pods.get(uid, "a pod that the import lacks") for uid in row.pods]
    devices = [f"{one.driver}/{one.pool}/{one.device}" for one in row.devices]
    return Claim(f"{row.namespace}/{row.name}", named, row.allocated, devices)


def _offers(slices: list[SliceRow], claims: list[ClaimRow]) -> list[Offer]:
    """Return what is offered by node and driver; of a pool the newest generation counts."""
    taken = {(one.driver, one.pool, one.device) for row in claims for one in row.devices if not one.admin}
    newest: dict[tuple[str, str], int] = {}
    for one in slices:
        key = one.driver, one.pool
        newest[key] = max(newest.get(key, one.generation), one.generation)
    models: dict[tuple[str, str], Counter[str]] = {}
    held: Counter[tuple[str, str]] = Counter()
    parts: Counter[tuple[str, str]] = Counter()
    for one in slices:
        if one.generation < newest[one.driver, one.pool]:
            continue
        place = one.node, one.driver
        models.setdefault(place, Counter()).update(device.model or "no model" for device in one.devices)
        parts[place] += sum(bool(device.consumes) for device in one.devices)
        held[place] += sum((one.driver, one.pool, device.name) in taken for device in one.devices)
    return [
        Offer(node, driver, counts.most_common(), counts.total(), held[node, driver], parts[node, driver])
        for (node, driver), counts in sorted(models.items())
    ]
