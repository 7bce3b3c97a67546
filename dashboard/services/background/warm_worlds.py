"""The clusters that a worker keeps warm, for questions of all kinds.

A cluster is built once and stays in this process for whoever asks next, as long as it is among those that
were asked about last. Nothing that is tried in it stays. One that was cut off in the middle is let go.
Clusters of one snapshot under several settings share its objects, which are most of what they take.

How much a cluster takes depends on its pods and on what was asked: it is measured after each question, in
`settle`. That gives back what the question left, then lets go of clusters while the process takes too much.
"""

from __future__ import annotations

import gc
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakValueDictionary

import msgspec
from django.conf import settings

from dashboard.engine import engine_version, imported_of, simulation_class
from dashboard.memory import give_back, used_bytes
from dashboard.models import Snapshot
from dashboard.queries.process_cache import Kept
from dashboard.services.background.interrupting import Interrupter
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.imported import Imported
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import WarmWorld

WORLDS_KEPT = 4
IDLE_SECONDS = 900.0
"""A cluster that nobody asks about is kept for so long."""


_worlds: Kept[str, WarmWorld] = Kept(WORLDS_KEPT, settings.TRIAL_KEPT)
_imports: WeakValueDictionary[str, Imported] = WeakValueDictionary()
"""Snapshots' objects by the content's hash, for as long as a world has them: no world writes to them."""
_idle: threading.Timer | None = None
_cut_off = False
"""Whether a cluster was let go since the last collection that would have found it."""


def too_large(snapshot: Snapshot) -> str:
    """Return why a snapshot's cluster is not kept, as a sentence; empty if it may be."""
    size, most = snapshot.pods_and_nodes, settings.TRIAL_KEPT
    if size <= most:
        return ""
    limit = f"at most {most:,} are tried here: a run tells why pods wait."
    return f"The cluster has {size:,} pods and nodes, {limit}"


@contextmanager
def warm_world(snapshot: Snapshot, settled: RunInput, interrupter: Interrupter) -> Iterator[WarmWorld]:
    """Give a snapshot's cluster under these settings, built where this process has it not.

    It stays if all went well. `settled` has neither objects nor edits. Raises BadInput.
    """
    global _idle, _cut_off
    if _idle is not None:
        _idle.cancel()
    key, size = _key(snapshot, settled), snapshot.pods_and_nodes
    world = _worlds.take(key, lambda _: True)
    if world is None:
        if _worlds.make_room(size):
            _collect()
        with interrupter.computing(), collector_at_rest():
            imported = _imported(snapshot)
            whole = msgspec.structs.replace(settled, objects=imported.objects)
            world = WarmWorld(whole, simulation_class(), imported)
        gc.freeze()  # what stays is no matter for collections
    was_cut_off, _cut_off = _cut_off, True
    yield world
    _cut_off = was_cut_off
    _worlds.put(key, 0, world, size)
    _idle = threading.Timer(IDLE_SECONDS, forget_worlds)
    _idle.daemon = True
    _idle.start()


def settle() -> None:
    """Give back what a question left behind, then let clusters go while this process takes too much memory.

    The one that was asked about last stays: the next question is likely of it, and would need as much.
    """
    if _cut_off:
        _collect()
    else:
        gc.collect()  # worlds that a question built refer to themselves; those that stay are frozen
        give_back()
    while used_bytes() > settings.TRIAL_MEMORY_BYTES and _worlds.let_go_oldest():
        _collect()


def _imported(snapshot: Snapshot) -> Imported:
    """Return a snapshot's objects, those of a cluster that is kept where there is one."""
    found = _imports.get(snapshot.content_hash)
    if found is None:
        found = _imports[snapshot.content_hash] = imported_of(snapshot)
    return found


def _key(snapshot: Snapshot, settled: RunInput) -> str:
    decides = [engine_version(), snapshot.content_hash, settled]
    return hashlib.sha256(msgspec.json.encode(decides)).hexdigest()


def forget_worlds() -> None:
    """Let all clusters go."""
    if _worlds.clear():
        _collect()


def _collect() -> None:
    """Give back what clusters took that are let go: of what is frozen, a collection sees nothing."""
    global _cut_off
    _cut_off = False
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()
