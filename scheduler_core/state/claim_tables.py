"""Tables of claims, templates, slices and classes: by key, with what follows from a whole table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any

from scheduler_core.objects.dynamic_resources import DeviceClass, Document, ResourceSlice
from scheduler_core.objects.types import convert
from scheduler_core.state.claim_documents import ClaimKey, owners_of, reservations_of
from scheduler_core.state.device_classes import classes_by_resource
from scheduler_core.state.devices_in_use import DevicesInUse
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import K, Register, V

_Numbered = tuple[int, Document]
"""An object's number among those of its kind, and the object."""


class Imported(Register[K, V]):
    """Objects by key; a checkpoint has those that a run has changed alone."""

    def __init__(
        self, journal: Journal, values: Iterable[tuple[K, V]], read: Callable[[Any], V] = lambda value: value
    ) -> None:
        super().__init__(journal, values, read)
        self._start = dict(self.values)

    def dump(self) -> list[list[Any]]:
        now, start = self.values, self._start
        changed = [key for key in {**start, **now} if now.get(key) is not start.get(key)]
        return [[key, now.get(key)] for key in sorted(changed, key=str)]

    def load(self, values: Iterable[Any]) -> None:
        restored: dict[Any, V] = dict(self._start)
        for key, value in values:
            key = tuple(key) if isinstance(key, list) else key
            if value is None:
                restored.pop(key, None)
            else:
                restored[key] = self._read(value)
        self.values = restored


class ClaimTable(Imported[ClaimKey, Document]):
    """Claims, with what follows from all of them together."""

    def __init__(self, journal: Journal, values: Iterable[tuple[ClaimKey, Document]]) -> None:
        super().__init__(journal, values)
        self._count_all()

    def of_pod(self, uid: str) -> list[ClaimKey]:
        """Return the claims that a pod owns or that are reserved for it, in the order of their keys."""
        return sorted(self._of_pod.get(uid, ()))

    def write(self, key: Any, field: str, value: Any) -> None:
        self._count(key, -1)
        super().write(key, field, value)
        self._count(key, 1)

    def load(self, values: Iterable[Any]) -> None:
        super().load(values)
        self._count_all()

    def _count_all(self) -> None:
        self.in_use = DevicesInUse()
        self._of_pod: dict[str, set[ClaimKey]] = {}
        for key in self.values:
            self._count(key, 1)

    def _count(self, key: ClaimKey, sign: int) -> None:
        document = self.values.get(key)
        if document is None:
            return
        self.in_use.count((document.get("status") or {}).get("allocation"), sign)
        for one in (*owners_of(document), *reservations_of(document)):
            uid = one.get("uid")
            if not isinstance(uid, str):
                continue
            keys = self._of_pod.setdefault(uid, set())
            if sign > 0:
                keys.add(key)
            else:
                keys.discard(key)
            if not keys:
                del self._of_pod[uid]


class NumberedTable(Imported[str, _Numbered]):
    """Slices or classes, by name; what is derived of them is kept until one changes."""

    def __init__(self, journal: Journal, items: Iterable[Document]) -> None:
        numbered = ((item["metadata"]["name"], (place, item)) for place, item in enumerate(items))
        super().__init__(journal, numbered, read=tuple)

    def place(self, item: Document) -> Document | None:
        """Put an object behind all others, or in the place of its older self; return that."""
        name = item["metadata"]["name"]
        before = self.get(name)
        number = max((place for place, _ in self.values.values()), default=-1) + 1
        self.put(name, (number if before is None else before[0], item))
        return None if before is None else before[1]

    def take(self, name: str) -> Document | None:
        """Take an object out and return it, None where there is none."""
        before = self.get(name)
        if before is None:
            return None
        self.drop(name)
        return before[1]

    def write(self, key: Any, field: str, value: Any) -> None:
        super().write(key, field, value)
        self._forget()

    def load(self, values: Iterable[Any]) -> None:
        super().load(values)
        self._forget()

    def _forget(self) -> None:
        for name in ("slices", "classes", "by_resource"):
            self.__dict__.pop(name, None)

    def _in_order(self) -> list[Document]:
        return [item for _, item in sorted(self.values.values(), key=lambda one: one[0])]

    @cached_property
    def slices(self) -> list[ResourceSlice]:
        """All as slices, in order."""
        return [convert(item, ResourceSlice) for item in self._in_order()]

    @cached_property
    def classes(self) -> dict[str, DeviceClass]:
        """All as classes, by name, in order."""
        found = [convert(item, DeviceClass) for item in self._in_order()]
        return {one.metadata.name: one for one in found}

    @cached_property
    def by_resource(self) -> dict[str, str]:
        """The class behind each extended resource."""
        return classes_by_resource(self.classes.values())
