"""The cluster of a sweep, kept by the worker from one of its runs to the next.

It is the one that was played last, and goes when a run of another cluster or no run of a sweep follows.
"""

from __future__ import annotations

import threading

from django.conf import settings

from dashboard.engine import items_of
from dashboard.models import Run
from dashboard.queries.process_cache import Kept
from dashboard.services.background.memory import give_back
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.imported import Imported

IDLE_SECONDS = 60.0
"""A cluster of which no run follows is kept for so long."""

_imports: Kept[str, Imported] = Kept(1)
_idle: threading.Timer | None = None


def shared_import(run: Run) -> Imported:
    """Return the objects of a run's snapshot, read where this process has them not."""
    global _idle
    if _idle is not None:
        _idle.cancel()
    key = run.snapshot.content_hash
    imported = _imports.take(key, lambda _: True)
    if imported is None:
        forget_imports()
        with collector_at_rest():
            imported = Imported(items_of(run.snapshot))
    if run.snapshot.pods_and_nodes <= settings.TRIAL_KEPT:
        _imports.put(key, 0, imported)
        _idle = threading.Timer(IDLE_SECONDS, forget_imports)
        _idle.daemon = True
        _idle.start()
    return imported


def forget_imports() -> None:
    """Let the cluster go."""
    if _imports.clear():
        give_back()
