"""The objects other than pods and nodes that controllers read, as they are by now."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from scheduler_core.objects.identity import controller_of, name_of, namespace_of, uid_of
from scheduler_core.objects.kinds import NODE, POD, Kind, kind_of
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

Object = dict[str, Any]
_Owned = tuple[Kind, str, str | None]
"""A kind, a namespace, and the uid of a controller there."""


class KnownObjects(Checkpointed):
    """Objects by kind, namespace and name. `changed` has what became of them in the run: None if gone.

    Its keys are what `key_of` returns: `journal.touched(objects.changed)` has those of a decision.
    """

    remembered = {"changed": "changed"}

    def __init__(self, journal: Journal, objects: Iterable[Object] = ()) -> None:
        self._start = {key_of(item): item for item in objects if kind_of(item) not in (POD, NODE)}
        self.changed: Register[str, Object | None] = Register(journal)
        self._keys: dict[Kind, list[str]] = {}
        self._keys_owned: dict[_Owned, list[str]] = {}
        self._places: dict[str, int] = {}
        for place, (key, item) in enumerate(self._start.items()):
            self._places[key] = place
            self._keys.setdefault(kind_of(item), []).append(key)
            self._keys_owned.setdefault(_owned(item), []).append(key)

    def find(self, kind: Kind, namespace: str, name: str) -> Object | None:
        """Return an object, None if there is none."""
        return self.get(_key(kind, namespace, name))

    def get(self, key: str) -> Object | None:
        """Return the object of a key, None if there is none."""
        return self.changed.values[key] if key in self.changed.values else self._start.get(key)

    def at_start(self, item: Object) -> Object | None:
        """Return an object as it was when the run began, None if it wasn't there."""
        return self._start.get(key_of(item))

    def of_kind(self, kind: Kind) -> Iterator[Object]:
        """Yield the objects of a kind: those of the start in their order, then those that came, by name."""
        yield from self._now(self._keys.get(kind, ()), kind)

    def _now(self, keys: Iterable[str], kind: Kind) -> Iterator[Object]:
        """Yield the objects of a kind: of these keys of the start, and all that came."""
        came = sorted(key for key in self.changed.values if key not in self._start)
        for key in [*keys, *came]:
            item = self.get(key)
            if item is not None and kind_of(item) == kind:
                yield item

    def owner_of(self, document: Object) -> Object | None:
        """Return the controller of an object, None where it isn't there."""
        reference = controller_of(document)
        if reference is None:
            return None
        owner = self.find(kind_of(reference), namespace_of(document), str(reference.get("name")))
        is_it = owner is not None and reference.get("uid") in (None, uid_of(owner))
        return owner if is_it else None

    def owned_by(self, owner: Object, kind: Kind) -> Iterator[Object]:
        """Yield the objects of a kind that a workload controls, in the order of `of_kind`."""
        wanted = kind, namespace_of(owner), uid_of(owner)
        changed = {key for key, item in self.changed.values.items() if item and _owned(item) == wanted}
        of_start = {*self._keys_owned.get(wanted, ()), *(key for key in changed if key in self._start)}
        came = sorted(key for key in changed if key not in self._start)
        for key in [*sorted(of_start, key=self._places.__getitem__), *came]:
            item = self.get(key)
            if item is not None and _owned(item) == wanted:
                yield item

    def put(self, item: Object) -> None:
        """Let an object come or change."""
        self.changed.put(key_of(item), item)

    def drop(self, item: Object) -> None:
        """Let an object go."""
        self.changed.put(key_of(item), None)


def _owned(item: Object) -> _Owned:
    """Return under which controller an object is found; no uid where it has none."""
    return kind_of(item), namespace_of(item), (controller_of(item) or {}).get("uid")


def key_of(item: Object) -> str:
    """Return what an object is known by."""
    return _key(kind_of(item), namespace_of(item), name_of(item))


def _key(kind: Kind, namespace: str, name: str) -> str:
    return f"{kind} {namespace}/{name}"
