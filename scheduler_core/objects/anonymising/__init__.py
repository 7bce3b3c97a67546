"""A cluster's objects with other names: all that decisions depend on stays, and nobody can tell whose it is.

In come the objects of a snapshot, out go copies in which names of objects, labels, images and all references
between them are words of a key's choice, the same everywhere. The order of names stays, since of equals the
first by name is taken: a run of the copies comes to the same decisions under other names. Amounts, numbers,
times and the shape of the cluster stay too. What might hold a name and cannot be read is dropped, and told.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from scheduler_core.objects.anonymising.names import Collected
from scheduler_core.objects.anonymising.texts import Texts
from scheduler_core.objects.anonymising.walk import Walk
from scheduler_core.objects.data_modules import data_modules
from scheduler_core.objects.kinds import NODE, POD, WORKLOAD_KINDS, kind_of
from scheduler_core.objects.own_kinds import OWN
from scheduler_core.objects.privacy.dropped import Dropped
from scheduler_core.objects.privacy.kept_by_kind import kept_kinds

__all__ = ["Anonymised", "Anonymiser"]

Object = dict[str, Any]
Told = Callable[[int, int], None]
"""Told how many steps of how many are done: each object is read once, and changed once."""
_NUMBERED = re.compile("(.+)-[0-9]+")
_NUMERIC = ("Gt", "Lt")


class Anonymised(NamedTuple):
    """Objects with other names, and phrases for what was dropped, as `Dropped` words them."""

    objects: list[Object]
    dropped: list[str]


def _untold(done: int, of: int) -> None:
    """Nobody asks."""


class Anonymiser:
    """Changes the names of one cluster. `key` is a secret of any length, from which the names are drawn.

    `told` hears how far it is; what it raises ends the work.
    """

    def __init__(self, objects: Iterable[Object], key: bytes, told: Told = _untold) -> None:
        """Take note of all names in the objects."""
        self._objects, self._unread, self._told = [], 0, told
        for item in _resolved(list(objects)):
            if kind_of(item) in kept_kinds():
                self._objects.append(item)
            else:
                self._unread += 1
        collected, numeric = Collected(), set[str]()
        for item in self._objects:
            _note_numeric(item, numeric)
            _note_workloads(item, collected.workloads)
        finding = Walk(Texts(collected.names(), numeric), Dropped())
        for item in self._in_turn(0):
            finding.whole(item)
        self.texts = Texts(collected.under(key), numeric)

    def anonymised(self) -> Anonymised:
        """Return the objects with other names."""
        dropped = Dropped()
        walk = Walk(self.texts, dropped)
        changed = [walk.whole(item) for item in self._in_turn(len(self._objects))]
        unread = f"{self._unread:,} object{'s' if self._unread != 1 else ''} of kinds that nothing reads"
        return Anonymised(changed, [*([unread] if self._unread else []), *dropped.phrases()])

    def _in_turn(self, before: int) -> Iterator[Object]:
        for done, item in enumerate(self._objects, before + 1):
            yield item
            self._told(done, 2 * len(self._objects))


def _resolved(objects: list[Object]) -> list[Object]:
    """Return the objects with names in the place of what would find nothing once names are changed."""
    for module in data_modules("anonymised"):
        resolved = getattr(module, "resolved", None)
        objects = objects if resolved is None else resolved(objects)
    return objects


def _note_numeric(value: Any, keys: set[str]) -> None:
    """Take note of the keys of labels whose values somebody compares as numbers."""
    if isinstance(value, dict):
        if value.get("operator") in _NUMERIC and isinstance(value.get("key"), str):
            keys.add(value["key"])
        for inner in value.values():
            _note_numeric(inner, keys)
    elif isinstance(value, list):
        for inner in value:
            _note_numeric(inner, keys)


def _note_workloads(item: Object, names: set[str]) -> None:
    """Take note of the names behind which pods are numbered or get a word of their own."""
    metadata = item.get("metadata") or {}
    kind, name = kind_of(item), str(metadata.get("name") or "")
    owners = [owner for owner in metadata.get("ownerReferences") or () if isinstance(owner, dict)]
    found = [owner.get("name") for owner in owners if owner.get("kind") != NODE.name]
    if isinstance(begins := metadata.get("generateName"), str):
        found.append(begins.rstrip("-"))
    if kind == POD and (numbered := _NUMBERED.fullmatch(name)) and len(found) == len(owners):
        found.append(numbered[1])
    if kind in WORKLOAD_KINDS or (kind in OWN and OWN[kind].owns_pods):
        tasks = (item.get("spec") or {}).get("tasks") or ()
        found += [name, *(f"{name}-{task.get('name')}" for task in tasks if isinstance(task, dict))]
    names.update(one for one in found if isinstance(one, str) and one)
