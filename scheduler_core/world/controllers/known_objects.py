"""The objects other than pods and nodes that controllers read, as they are by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of
from scheduler_core.objects.kinds import NODE, POD, Kind, kind_of
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

Object = dict[str, Any]


class KnownObjects(Checkpointed):
    """Objects by kind, namespace and name. `changed` has what became of them in the run: None if gone.

    Its keys are what `key_of` returns: `journal.touched(objects.changed)` has those of a decision.
    """

    remembered = {"changed": "changed"}

    def __init__(self, journal: Journal, objects: Iterable[Object] = ()) -> None:
        self._start = {key_of(item): item for item in objects if kind_of(item) not in (POD, NODE)}
        self.changed: Register[str, Object | None] = Register(journal)

    def find(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """Return an object, None if there is none."""
        key = _key(kind, namespace, name)
        return self.changed.values[key] if key in self.changed.values else self._start.get(key)

    def of_kind(self, kind: Kind) -> Iterator[Object]:
        """Yield the objects of a kind: those of the start first, in their order, then those that came."""
        for key in dict.fromkeys([*self._start, *self.changed.values]):
            item = self.changed.values[key] if key in self.changed.values else self._start[key]
            if item is not None and kind_of(item) == kind:
                yield item

    def put(self, item: Object) -> None:
        """Let an object come or change."""
        self.changed.put(key_of(item), item)

    def drop(self, item: Object) -> None:
        """Let an object go."""
        self.changed.put(key_of(item), None)


def key_of(item: Object) -> str:
    """Return what an object is known by."""
    return _key(kind_of(item), namespace_of(item), name_of(item))


def _key(kind: Kind, namespace: str, name: str) -> str:
    return f"{kind} {namespace}/{name}"
