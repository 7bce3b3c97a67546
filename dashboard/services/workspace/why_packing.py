"""How answers about waiting pods are stored: causes for all who read, and apart from them each node's part.

MessagePack, compressed. Of the marks of several pods, arrays and names that are the same are kept once, and
each array in the smallest integers that hold it; what comes out has the types that the engine gave.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from dashboard.models.packing import pack, unpack
from dashboard.queries.waiting_pods import Alike
from scheduler_core.kube.cluster_said import Agreement
from scheduler_core.predicates.resource_figures import Wanted
from scheduler_core.schedulers.cause import Against, Cause, Marks
from scheduler_core.state.nodes import BoolArray, IntArray

FORM = 6
"""Of what is stored; what was stored in another is asked anew."""
Row = TypeVar("Row", bound=msgspec.Struct)
_INTEGERS = (np.int8, np.int16, np.int32, np.int64)


class StoredWhy(msgspec.Struct, frozen=True, array_like=True):
    """Why pods of the kind at a `place` wait.

    has_nodes: whether there are marks of every node; null where these are not kept.
    """

    place: int
    cause: Cause
    agrees: dict[Agreement, int]
    has_nodes: bool | None


class _Array(msgspec.Struct, frozen=True, array_like=True):
    """Integers, or eight truths a byte: `size` of them."""

    kind: str
    data: bytes
    size: int


class _Wanted(msgspec.Struct, frozen=True, array_like=True):
    reason: str
    what: str
    asked: int
    free: int
    size: int


class _Against(msgspec.Struct, frozen=True, array_like=True):
    place: int
    mask: int
    wanted: _Wanted | None


class _Marks(msgspec.Struct, frozen=True, array_like=True):
    """Marks of the kind at a `place`; numbers stand for arrays and for lists of names."""

    place: int
    names: int
    first: int
    number: int
    short: int
    rank: int
    against: list[_Against]


class _Part(msgspec.Struct, frozen=True):
    names: list[list[str]]
    arrays: list[_Array]
    marks: list[_Marks]


def pack_kinds(kinds: Sequence[Alike]) -> bytes:
    """Return the pods that wait, for storage."""
    return pack(msgspec.msgpack.encode(kinds))


def unpack_kinds(data: bytes | memoryview) -> list[Alike]:
    """Return what `pack_kinds` was given."""
    return msgspec.msgpack.decode(unpack(data), type=list[Alike])


def pack_queues(rows: Mapping[str, msgspec.Struct]) -> bytes:
    """Return the rows of queues by name, each as its scheduler has it, for storage."""
    return pack(msgspec.msgpack.encode(rows))


def unpack_queues(data: bytes | memoryview, row: type[Row]) -> dict[str, Row]:
    """Return what `pack_queues` was given, of rows of one scheduler."""
    return msgspec.msgpack.decode(unpack(data), type=dict[str, row])  # type: ignore[valid-type]


def pack_answers(answers: Sequence[StoredWhy]) -> bytes:
    """Return answers without marks, for storage."""
    return pack(msgspec.msgpack.encode(answers))


def unpack_answers(data: bytes | memoryview) -> list[StoredWhy]:
    """Return what `pack_answers` was given."""
    return msgspec.msgpack.decode(unpack(data), type=list[StoredWhy])


def pack_marks(marked: Iterable[tuple[int, Marks]]) -> bytes:
    """Return the marks of kinds, each with its place, for storage."""
    packing = _Packing()
    marks = [packing.marks(place, one) for place, one in marked]
    return pack(msgspec.msgpack.encode(_Part(packing.names, packing.arrays, marks)))


def unpack_marks(data: bytes | memoryview, place: int) -> Marks:
    """Return the marks of the kind at a place; none where the part has none of it."""
    part = msgspec.msgpack.decode(unpack(data), type=_Part)
    found = next((one for one in part.marks if one.place == place), None)
    if found is None:
        return Marks()
    arrays = part.arrays
    against = [
        Against(
            one.place,
            _truths(arrays[one.mask]),
            None
            if (of := one.wanted) is None
            else Wanted(of.reason, of.what, of.asked, _integers(arrays[of.free]), _integers(arrays[of.size])),
        )
        for one in found.against
    ]
    first, number, short, rank = (
        _integers(arrays[one]) for one in (found.first, found.number, found.short, found.rank)
    )
    return Marks(part.names[found.names], first, number, short, rank, against)


class _Packing:
    """What several marks have in common, each once."""

    def __init__(self) -> None:
        self.names: list[list[str]] = []
        self.arrays: list[_Array] = []
        self._numbers: dict[_Array, int] = {}

    def marks(self, place: int, marks: Marks) -> _Marks:
        if marks.names not in self.names:
            self.names.append(marks.names)
        first, number, short, rank = map(self._integers, (marks.first, marks.number, marks.short, marks.rank))
        against = [
            _Against(
                one.place,
                self._once(_Array("?", np.packbits(one.mask).tobytes(), len(one.mask))),
                None if one.wanted is None else self._wanted(one.wanted),
            )
            for one in marks.against
        ]
        return _Marks(place, self.names.index(marks.names), first, number, short, rank, against)

    def _wanted(self, one: Wanted) -> _Wanted:
        return _Wanted(one.reason, one.what, one.asked, self._integers(one.free), self._integers(one.size))

    def _integers(self, array: IntArray) -> int:
        least, most = (int(array.min()), int(array.max())) if len(array) else (0, 0)
        kind = next(one for one in _INTEGERS if np.iinfo(one).min <= least and most <= np.iinfo(one).max)
        return self._once(_Array(np.dtype(kind).str, array.astype(kind).tobytes(), len(array)))

    def _once(self, array: _Array) -> int:
        if array not in self._numbers:
            self._numbers[array] = len(self.arrays)
            self.arrays.append(array)
        return self._numbers[array]


def _integers(array: _Array) -> IntArray:
    stored: NDArray[np.integer] = np.frombuffer(array.data, dtype=array.kind)
    return stored.astype(np.int64)


def _truths(array: _Array) -> BoolArray:
    return np.unpackbits(np.frombuffer(array.data, dtype=np.uint8), count=array.size).astype(np.bool_)
