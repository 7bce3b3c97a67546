"""An API server in memory: versions, statuses, ownership, and pods that take their time to go.

It does what the API server, its garbage collector and a kubelet's absence do to the objects of Volcano's
controllers; admission is somebody else's.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from scheduler_core.objects.identity import ENDED_PHASES, derived_uid
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register
from scheduler_core.volcano.controllers.api_client import AlreadyExists, Conflict, NotFound, WatchEvent
from scheduler_core.volcano.controllers.kinds import (
    COMMAND,
    CRON_JOB,
    JOB,
    JOB_FLOW,
    JOB_TEMPLATE,
    POD,
    QUEUE,
    Kind,
    Object,
    is_leaving,
    key_of,
    kind_of,
    phase_of,
)
from scheduler_core.volcano.controllers.object_store import FOREGROUND, Stored, owners
from scheduler_core.volcano.controllers.untold import Untold

_STATUS_APART = frozenset({JOB, POD, QUEUE, COMMAND, CRON_JOB, JOB_FLOW, JOB_TEMPLATE})
"""Kinds whose status is a subresource; a pod group's isn't."""


class MemoryApi(Checkpointed):
    """Objects by kind and key. `now` is set by who moves the clock, in nanoseconds since the epoch.

    `decision` is the one that is being made, where there are decisions.
    """

    remembered = {"stored": "stored", "untold": "untold", "_version": "_version"}

    def __init__(self, now: int, journal: Journal | None = None) -> None:
        self.now = now
        self.decision: int | None = None
        journal = journal or Journal()
        self.stored = Stored(journal)
        self.untold = Untold(journal)
        self._version: Register[str, int] = Register(journal, {"version": 0}.items())

    def next_event(self) -> WatchEvent | None:
        """Take the oldest event that wasn't taken yet; None where there is none."""
        return self.untold.take()

    def get(self, kind: Kind, key: str) -> Object:
        """Return an object. Raises NotFound."""
        found = self.stored.find(kind, key)
        if found is None:
            raise NotFound(kind, key, plural=True)
        return found

    def list(self, kind: Kind) -> list[Object]:
        """Return all objects of a kind, ordered by key."""
        return [item for _, item in sorted(self.stored.of_kind.get(kind, {}).items())]

    # -- writes --------------------------------------------------------------------------------------

    def create(self, item: Object) -> Object:
        """Store a new object and return it as stored. Raises AlreadyExists."""
        kind, key = kind_of(item), key_of(item)
        if self.stored.find(kind, key) is not None:
            raise AlreadyExists(kind, key)
        new = copy.deepcopy(item)
        metadata = new["metadata"]
        metadata.setdefault("uid", derived_uid(*kind, key, self._version.values["version"]))
        metadata.setdefault("creationTimestamp", format_timestamp(self.now))
        if kind == POD:
            new.setdefault("status", {}).setdefault("phase", "Pending")
        return self._store(kind, key, None, new)

    def update(self, item: Object) -> Object:
        """Replace an object all but a status that is a subresource. Raises NotFound, Conflict."""
        old = self._old(item)
        new = copy.deepcopy(item)
        if kind_of(item) in _STATUS_APART:
            new.pop("status", None)
            if "status" in old:
                new["status"] = old["status"]
        return self._replace(old, new)

    def update_status(self, item: Object) -> Object:
        """Replace an object's status. Raises NotFound, Conflict."""
        old = self._old(item)
        return self._replace(old, old | {"status": copy.deepcopy(item["status"])})

    def patch(self, kind: Kind, key: str, changes: Mapping[str, Any]) -> Object:
        """Merge changes into an object (JSON merge patch). Raises NotFound."""
        old = self.get(kind, key)
        return self._replace(old, _merged(old, copy.deepcopy(dict(changes))))

    def delete(self, kind: Kind, key: str, *, foreground: bool = False, uid: str | None = None) -> None:
        """Delete an object; in the foreground it stays until all it owns is gone. Raises NotFound, Conflict.

        A pod that is on a node and hasn't finished stays until it is `gone`.
        """
        old = self.get(kind, key)
        if uid is not None and old["metadata"].get("uid") != uid:
            raise Conflict(kind, key)
        if foreground:
            self._mark(old, finalizers=[FOREGROUND])
            owner = old["metadata"]["uid"]
            self._delete_owned(owner)
            self._settle(owner)
        elif kind == POD and self._ask_to_go(old):
            self._mark(old)
        else:
            self.gone(kind, key)

    def gone(self, kind: Kind, key: str) -> None:
        """Take an object away at once; what it owns is deleted then. Raises NotFound."""
        old = self.get(kind, key)
        self.stored.put(kind, key, None)
        self._next_version()
        self.untold.add(WatchEvent(kind, key, old, None, self.decision))
        self._delete_owned(old["metadata"]["uid"])
        for owner in owners(old):
            self._settle(owner)

    def tell(self, item: Object, type_: str, reason: str, message: str) -> None:
        """Record an event of an object: nobody reads it here."""

    # -- versions ------------------------------------------------------------------------------------

    def _old(self, item: Object) -> Object:
        kind, key = kind_of(item), key_of(item)
        old, meant = self.get(kind, key), item["metadata"]
        for field in ("resourceVersion", "uid"):
            if meant.get(field) and meant[field] != old["metadata"].get(field):
                raise Conflict(kind, key)
        return old

    def _replace(self, old: Object, new: Object) -> Object:
        metadata = new["metadata"]
        for field in ("resourceVersion", "uid", "creationTimestamp"):
            metadata = metadata | {field: old["metadata"].get(field)}
        new = new | {"metadata": metadata}
        if new == old:
            return old
        return self._store(kind_of(old), key_of(old), old, new)

    def _store(self, kind: Kind, key: str, old: Object | None, new: Object) -> Object:
        new["metadata"] = new["metadata"] | {"resourceVersion": str(self._next_version())}
        self.stored.put(kind, key, new)
        self.untold.add(WatchEvent(kind, key, old, new, self.decision))
        return new

    def _next_version(self) -> int:
        version = self._version.values["version"] + 1
        self._version.put("version", version)
        return version

    # -- going ---------------------------------------------------------------------------------------

    def _ask_to_go(self, pod: Object) -> bool:
        """Ask a pod to go, and return whether it stays for a while."""
        return bool((pod.get("spec") or {}).get("nodeName")) and phase_of(pod) not in ENDED_PHASES

    def _mark(self, old: Object, **more: Any) -> None:
        if not is_leaving(old):
            marks = {"deletionTimestamp": format_timestamp(self.now)} | more
            self._store(kind_of(old), key_of(old), old, old | {"metadata": old["metadata"] | marks})

    def _delete_owned(self, owner: str) -> None:
        """Delete what an owner that goes owns, unless another owner stays."""
        for kind, key in sorted(self.stored.owned.get(owner, ())):
            item = self.stored.find(kind, key)
            if item is not None and not is_leaving(item) and not self.stored.alive.intersection(owners(item)):
                self.delete(kind, key)

    def _settle(self, owner: str) -> None:
        """Take an owner away that waits for what it owns, once nothing of it is left."""
        if owner in self.stored.going and not self.stored.owned.get(owner):
            self.gone(*self.stored.going[owner])


def _merged(old: Any, changes: Mapping[str, Any]) -> Any:
    merged = dict(old) if isinstance(old, dict) else {}
    for field, value in changes.items():
        if value is None:
            merged.pop(field, None)
        elif isinstance(value, dict):
            merged[field] = _merged(merged.get(field), value)
        else:
            merged[field] = value
    return merged
