"""Cards in annotations: what a node registers, and what a pod was given.

Source: HAMi v2.10.0 pkg/device/devices.go (Un)MarshalNodeDevices, DecodeNodeDevices, EncodePodSingleDevice,
DecodePodDevices; pkg/device/nvidia/mig_allocations.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated, Any

import msgspec

from scheduler_core.go.json_types import field_of
from scheduler_core.go.parse import parse_bool, parse_int
from scheduler_core.hami.rules.cards import (
    Allocated,
    Card,
    Int32,
    Int64,
    MigPlacement,
    MigProfile,
    Taken,
    Uint32,
)
from scheduler_core.hami.rules.json_keys import matching_of
from scheduler_core.schedulers.card_tables import MigSlice

_CARD_END, _CONTAINER_END = ":", ";"
_Whole = Annotated[int, msgspec.Meta(ge=0)]


class Unreadable(ValueError):
    """An annotation isn't in its form."""


class _Registered(msgspec.Struct):
    id: str | None = None
    index: _Whole | None = None
    count: Int32 | None = None
    devmem: Int32 | None = None
    devcore: Int32 | None = None
    type: str | None = None
    numa: int | None = None
    mode: str | None = None
    health: bool | None = None
    migProfiles: tuple[MigProfile, ...] | None = None
    custominfo: dict[str, Any] | None = None


class _PairScore(msgspec.Struct):
    uuid: str = ""
    score: dict[str, int] | None = None


class _MigAllocation(msgspec.Struct, rename="camel"):
    container_index: Int64 = 0
    device_index: Int64 = 0
    gpu_uuid: str = msgspec.field(default="", name="gpuUUID")
    profile: str = ""
    placement: MigPlacement = MigPlacement()
    mig_uuid: str = msgspec.field(default="", name="migUUID")
    gpu_instance: Uint32 | None = msgspec.field(default=None, name="gpuInstanceID")
    compute_instance: Uint32 | None = msgspec.field(default=None, name="computeInstanceID")


def decode_annotation(text: str, kind: Any) -> Any:
    """Return the JSON of an annotation as a value of this type. Raises Unreadable, beyond all depth too.

    Keys are matched as in Go.
    """
    matching = matching_of(kind)
    try:
        if matching is None:
            return msgspec.json.decode(text, type=kind)
        return msgspec.convert(matching(msgspec.json.decode(text)), kind)
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise Unreadable(str(error)) from None


@lru_cache(maxsize=16_384)
def read_cards(text: str) -> tuple[Card, ...]:
    """Return the cards of a registration in JSON. Raises Unreadable."""
    found: list[_Registered] | None = decode_annotation(text, list[_Registered] | None)
    return tuple(
        Card(
            item.id or "",
            item.index or 0,
            item.count or 0,
            item.devmem or 0,
            item.devcore or 0,
            item.type or "",
            item.numa or 0,
            item.mode or "",
            item.health or False,
            item.migProfiles or (),
            item.custominfo or {},
        )
        for item in found or ()
    )


@lru_cache(maxsize=16_384)
def read_pair_scores(text: str) -> dict[str, dict[str, int]]:
    """Return how well cards are connected, by their ids. Raises Unreadable."""
    found: list[_PairScore] | None = decode_annotation(text, list[_PairScore] | None)
    scores: dict[str, dict[str, int]] = {}
    for item in found or ():
        scores.setdefault(item.uuid, item.score or {})
    return scores


@lru_cache(maxsize=16_384)
def read_card_line(text: str) -> tuple[Card, ...]:
    """Return the cards of a registration with commas and colons. Raises Unreadable."""
    if _CARD_END not in text:
        raise Unreadable("node annotation missing device separator")
    return tuple(_line_card(part) for part in text.split(_CARD_END) if part)


def _line_card(part: str) -> Card:
    items = part.split(",")
    if len(items) not in (7, 9):
        raise Unreadable(f"unexpected field count {len(items)} in node annotation")
    count, memory, cores = (parse_int(item, 32) for item in items[1:4])
    numa, health = parse_int(items[5]), parse_bool(items[6])
    index, mode = (parse_int(items[7]), items[8]) if len(items) == 9 else (0, "hami-core")
    if count is None or memory is None or cores is None or numa is None or health is None:
        raise Unreadable(f"malformed node annotation segment: {part}")
    if index is None or index < 0:
        raise Unreadable(f"invalid index field: {items[7]}")
    return Card(items[0], index, count, memory, cores, items[4], numa, mode, health)


# -- one card in another state ------------------------------------------------------------------------


def json_with_card(text: str, card: str, healthy: bool | None, fields: tuple[str, str]) -> str:
    """Return a registration in JSON in which one card is healthy or not, or missing for None.

    fields: those of a card's id and of its health, which Go finds whatever their case.
    """
    items = [item for item in msgspec.json.decode(text) or () if item is not None]
    changed = [_restated(item, card, healthy, fields) for item in items]
    return msgspec.json.encode([item for item in changed if item is not None]).decode()


def _restated(
    item: dict[str, Any], card: str, healthy: bool | None, fields: tuple[str, str]
) -> dict[str, Any] | None:
    of_id, of_health = fields
    named = {field_of(key, fields): value for key, value in item.items() if value is not None}
    if named.get(of_id, "") != card:
        return item
    if healthy is None:
        return None
    return {key: value for key, value in item.items() if field_of(key, fields) != of_health} | {
        of_health: healthy
    }


def line_with_card(text: str, card: str, healthy: bool | None) -> str:
    """Return the same of a registration with commas and colons."""
    parts = [part.split(",") for part in text.split(_CARD_END) if part]
    changed = [
        [*items[:6], str(healthy).lower(), *items[7:]] if items[0] == card else items
        for items in parts
        if items[0] != card or healthy is not None
    ]
    return "".join(",".join(items) + _CARD_END for items in changed)


# -- what a pod was given ----------------------------------------------------------------------------


def device_string(pieces: list[list[Taken]]) -> str:
    """Return the cards of a pod's containers as its annotations have them."""
    return "".join(
        "".join(f"{taken.id},{taken.type},{taken.memory},{taken.cores}{_CARD_END}" for taken in piece)
        + _CONTAINER_END
        for piece in pieces
    )


def read_pod_cards(annotations: Mapping[str, str], keys: Mapping[str, str]) -> Allocated:
    """Return what a pod was given; `keys` is each vendor's annotation. Raises Unreadable."""
    return {
        vendor: [_read_piece(piece) for piece in annotations[key].split(_CONTAINER_END)]
        for vendor, key in keys.items()
        if key in annotations
    }


def _read_piece(piece: str) -> list[Taken]:
    taken = []
    for part in piece.split(_CARD_END):
        if "," not in part:
            continue
        fields = part.split(",")
        if len(fields) < 4:
            raise Unreadable("pod annotation format error, missing fields, do not use nodeName in task spec")
        memory, cores = parse_int(fields[2], 32), parse_int(fields[3], 32)
        if memory is None or cores is None:
            raise Unreadable(f"invalid {'memory' if memory is None else 'core'} field")
        taken.append(Taken(0, fields[0], fields[1], memory, cores))
    return taken


def mig_text(pieces: list[list[Taken]]) -> str | None:
    """Return the slices of cards in MIG mode that a pod was given, as JSON; None where there are none."""
    found = [
        {
            "containerIndex": container,
            "deviceIndex": place,
            "gpuUUID": taken.id,
            "profile": taken.slice.profile,
            "placement": MigPlacement(*taken.slice[1:]),
        }
        for container, piece in enumerate(pieces)
        for place, taken in enumerate(piece)
        if taken.slice is not None and taken.slice.profile and taken.slice.size
    ]
    return msgspec.json.encode(found).decode() if found else None


def read_mig(text: str | None) -> list[tuple[str, MigSlice]]:
    """Return the cards and slices of a pod in MIG mode; none where the text can't be used."""
    if not text:
        return []
    try:
        found: list[_MigAllocation] = decode_annotation(text, list[_MigAllocation] | None) or []
    except Unreadable:
        return []
    places = {(item.container_index, item.device_index) for item in found}
    if len(places) < len(found) or not all(map(_is_whole, found)):
        return []
    return [
        (item.gpu_uuid, MigSlice(item.profile, item.placement.start, item.placement.size)) for item in found
    ]


def _is_whole(item: _MigAllocation) -> bool:
    known = (bool(item.mig_uuid), item.gpu_instance is not None, item.compute_instance is not None)
    if min(item.container_index, item.device_index) < 0 or any(known) != all(known):
        return False
    return bool(item.gpu_uuid and item.profile and item.placement.size)
