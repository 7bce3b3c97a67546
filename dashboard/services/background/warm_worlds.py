"""The clusters that a worker keeps warm, for questions of all kinds.

A cluster is built once and stays in this process for whoever asks next, as long as it is among those that
were asked about last. Nothing that is tried in it stays. One that was cut off in the middle is let go.
"""

from __future__ import annotations

import gc
import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from django.conf import settings

from dashboard.engine import engine_version, items_of, simulation_class
from dashboard.models import Snapshot
from dashboard.queries.process_cache import Kept
from dashboard.services.background.interrupting import Interrupter
from dashboard.services.background.memory import give_back
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.trials.warm_world import WarmWorld

WORLDS_KEPT = 4
IDLE_SECONDS = 900.0
"""A cluster that nobody asks about is kept for so long."""

_worlds: Kept[str, WarmWorld] = Kept(WORLDS_KEPT, settings.TRIAL_KEPT)
_idle: threading.Timer | None = None


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
    global _idle
    if _idle is not None:
        _idle.cancel()
    key, size = _key(snapshot, settled), snapshot.pods_and_nodes
    world = _worlds.take(key, lambda _: True)
    if world is None:
        if _worlds.make_room(size):
            _collect()
        with interrupter.computing(), collector_at_rest():
            whole = msgspec.structs.replace(settled, objects=items_of(snapshot))
            world = WarmWorld(whole, simulation_class())
        gc.freeze()  # what stays is no matter for collections
    yield world
    _worlds.put(key, 0, world, size)
    _idle = threading.Timer(IDLE_SECONDS, forget_worlds)
    _idle.daemon = True
    _idle.start()


def _key(snapshot: Snapshot, settled: RunInput) -> str:
    decides = [engine_version(), snapshot.content_hash, settled]
    return hashlib.sha256(msgspec.json.encode(decides)).hexdigest()


def forget_worlds() -> None:
    """Let all clusters go."""
    if _worlds.clear():
        _collect()


def _collect() -> None:
    """Give back what clusters took that are let go: of what is frozen, a collection sees nothing."""
    gc.unfreeze()
    gc.collect()
    gc.freeze()
    give_back()
