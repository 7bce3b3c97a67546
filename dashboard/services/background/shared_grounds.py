"""The cluster of a sweep, kept by the worker from one of its runs to the next.

It is the one that was played last, and goes when a run of another cluster or no run of a sweep follows.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings

from dashboard.engine import imported_of, run_input_of
from dashboard.memory import give_back
from dashboard.models import Run, Snapshot
from dashboard.queries.process_cache import Kept
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.world.trials.kept_ground import KeptGround, Lent

IDLE_SECONDS = 60.0
"""A cluster of which no run follows is kept for so long."""

_grounds: Kept[str, KeptGround] = Kept(1)
_idle: threading.Timer | None = None


@contextmanager
def lent_ground(run: Run) -> Iterator[Lent]:
    """Give what a run begins with while it is played; raises BadInput."""
    ground = _ground_of(run.snapshot)
    with ground.lent(run_input_of(run, ground.imported.objects)) as lent:
        yield lent


def _ground_of(snapshot: Snapshot) -> KeptGround:
    """Return a snapshot's cluster, read where this process has it not."""
    global _idle
    if _idle is not None:
        _idle.cancel()
    key = snapshot.content_hash
    ground = _grounds.take(key, lambda _: True)
    if ground is None:
        forget_grounds()
        with collector_at_rest():
            ground = KeptGround(imported_of(snapshot))
    if snapshot.pods_and_nodes <= settings.TRIAL_KEPT:
        _grounds.put(key, 0, ground)
        _idle = threading.Timer(IDLE_SECONDS, forget_grounds)
        _idle.daemon = True
        _idle.start()
    return ground


def forget_grounds() -> None:
    """Let the cluster go."""
    if _grounds.clear():
        give_back()
