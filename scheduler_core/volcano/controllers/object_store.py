"""The objects of an API server: by kind and key, with who owns what. Changes go through the journal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from scheduler_core.state.journal import Journal, Set, Table
from scheduler_core.volcano.controllers.kinds import Kind, Object, is_leaving

FOREGROUND = "foregroundDeletion"
"""The finalizer of what goes only after all that it owns."""
Place = tuple[Kind, str]
"""Where an object is stored: kind and key."""


class Stored(Table):
    """Objects. What has been stored is never changed in place.

    Uids say who is owned: `owned` what by whom, `alive` who keeps what it owns, `going` who waits until that
    is gone.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._at_start: dict[Place, Object] = {}
        self._clear()

    def _clear(self) -> None:
        self.of_kind: dict[Kind, dict[str, Object]] = {}
        self.owned: dict[str, set[Place]] = {}
        self.alive: set[str] = set()
        self.going: dict[str, Place] = {}

    def find(self, kind: Kind, key: str) -> Object | None:
        """Return an object, None where there is none."""
        return self.of_kind.get(kind, {}).get(key)

    def put(self, kind: Kind, key: str, item: Object | None) -> None:
        """Store an object, or take it away."""
        self._journal.do(Set(self, (kind, key), "", self.find(kind, key), item))

    def write(self, key: Any, field: str, value: Any) -> None:
        kind, name = key
        items = self.of_kind.setdefault(kind, {})
        before, after = set(owners(items.get(name))), set(owners(value))
        for owner in before - after:
            self.owned[owner].discard(key)
        for owner in after - before:
            self.owned.setdefault(owner, set()).add(key)
        self._forget(items.pop(name, None))
        if value is not None:
            items[name] = value
            self._note(key, value)

    def _forget(self, item: Object | None) -> None:
        if item is not None:
            self.alive.discard(_uid(item))
            self.going.pop(_uid(item), None)

    def _note(self, place: Place, item: Object) -> None:
        if is_leaving(item) and FOREGROUND in (item["metadata"].get("finalizers") or ()):
            self.going[_uid(item)] = place
        else:
            self.alive.add(_uid(item))

    # -- checkpoints ---------------------------------------------------------------------------------

    def begin(self) -> None:
        """Let what is stored now be the start, which checkpoints leave out."""
        self._at_start = self._places()

    def _places(self) -> dict[Place, Object]:
        return {(kind, key): item for kind, items in self.of_kind.items() for key, item in items.items()}

    def dump(self) -> dict[str, Any]:
        """Return as plain data what has changed since the start."""
        now = self._places()
        changed = [place for place, item in now.items() if self._at_start.get(place) is not item]
        return {
            "put": [[*kind, key, now[kind, key]] for kind, key in sorted(changed)],
            "gone": [[*kind, key] for kind, key in sorted(self._at_start.keys() - now.keys())],
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        gone = {(Kind(group, name), key) for group, name, key in data["gone"]}
        put = {(Kind(group, name), key): item for group, name, key, item in data["put"]}
        self._clear()
        for place, item in (self._at_start | put).items():
            if place not in gone:
                self.write(place, "", item)


def owners(item: Object | None) -> list[str]:
    """Return the uids of who owns an object."""
    references = item["metadata"].get("ownerReferences") or () if item is not None else ()
    return [str(reference["uid"]) for reference in references if reference.get("uid")]


def _uid(item: Object) -> str:
    return str(item["metadata"].get("uid"))
