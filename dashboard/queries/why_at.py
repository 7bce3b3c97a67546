"""Why a pod has no node at a decision of a run: its own schedulers are asked, at that moment of a replay."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

from dashboard.errors import NoSuchPod, NotPossibleNow
from dashboard.models import Run
from dashboard.queries.process_cache import Kept
from dashboard.queries.replay import RunKey, run_key
from dashboard.queries.resuming import REPLAY_SECONDS, require_same_engine, simulation_after
from dashboard.queries.waiting import find_pod
from scheduler_core.schedulers.cause import Cause

if TYPE_CHECKING:
    from scheduler_core.world import Simulation

KEPT_SIMULATIONS = 2

_simulations: Kept[RunKey, Simulation] = Kept(KEPT_SIMULATIONS)
_locks: defaultdict[RunKey, threading.Lock] = defaultdict(threading.Lock)


def why_at(run: Run, named: str, at: int) -> Cause:
    """Return why a pod (`namespace/name` or uid) has no node after a decision.

    Raises NoSuchPod, NotPossibleNow for a pod with a node and while a session is open, and what reading a
    state and replaying raise: NoSuchDecision, NotYet, RecordedByOtherEngine, ReplayTooLong.
    """
    require_same_engine(run)
    pod = find_pod(run, named, at)
    if pod is None:
        raise NoSuchPod(f"There is no pod {named!r} after decision {at}.")
    if pod.node:
        raise NotPossibleNow(f"{pod.namespace}/{pod.name} is on {pod.node} after decision {at}.")
    key = run_key(run)
    with _locks[key]:
        kept = _simulations.take(key, lambda number: True)
        simulation = simulation_after(run, at, kept, seconds=REPLAY_SECONDS)
        try:
            return simulation.why(pod.uid).cause
        except LookupError as error:
            raise NotPossibleNow("A session is open at that decision: ask at its end.") from error
        finally:
            _simulations.put(key, at, simulation)


def forget_all() -> None:
    """Let go of all kept simulations."""
    _simulations.clear()
