"""Why a pod waits at a decision: what the log doesn't hold, heard by replaying from its last attempt on."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from dashboard.errors import NoSuchPod, NotPossibleNow
from dashboard.models import DecisionIndex, Run
from dashboard.queries.process_cache import Kept
from dashboard.queries.replay import FORGOTTEN_SECONDS, RunKey, run_key, simulation_weight, state_at
from dashboard.queries.resuming import REPLAY_SECONDS, advance, require_same_engine, simulation_after
from dashboard.queries.why_at import find_pod
from dashboard.shapes.waiting import Answer, Place
from scheduler_core.events.state import PODS, PodRow, WaitingRow
from scheduler_core.schedulers.unasked import why_unasked
from scheduler_core.world.reporting.waiting import Heard
from scheduler_core.world.reporting.waiting import Place as PlaceInQueue

if TYPE_CHECKING:
    from scheduler_core.world import Simulation

LONGEST_LOOK = 5_000
"""At most so many decisions are replayed to count events; of a pod that waits for longer, the last ones."""
KEPT_SIMULATIONS = 2
KEPT_BYTES = 256 * 2**20

_simulations: Kept[RunKey, tuple[Simulation, int]] = Kept(KEPT_SIMULATIONS, KEPT_BYTES, FORGOTTEN_SECONDS)
"""With the bytes that each takes."""
_locks: defaultdict[RunKey, threading.Lock] = defaultdict(threading.Lock)


def why_waiting(run: Run, named: str, at: int) -> Answer:
    """Return where a pod (`namespace/name` or uid) waits after a decision, and the events that it heard.

    `place` is null if it is in no queue; `heard`
    counts from its last `attempt` on, or from decision `since` if that was too long ago. Raises
    NoSuchDecision, NoSuchPod, NotPossibleNow without a clock, NotYet, and RecordedByOtherEngine.
    """
    require_same_engine(run)
    state = state_at(run, at)
    if state.time is None:
        raise NotPossibleNow("No clock moves in this run, so no pod waits for an event.")
    uid = find_pod(state, named)
    if uid is None:
        raise NoSuchPod(f"There is no pod {named!r} after decision {at}.")
    attempt = _last_attempt(run, uid, at)
    since = max(attempt or 0, at - LONGEST_LOOK)
    unasked = why_unasked(msgspec.convert(state.tables[PODS][uid], PodRow), state.tables)
    place, heard = _replayed(run, uid, since, at)
    return Answer(
        at=at,
        time=state.time,
        pod=uid,
        attempt=attempt,
        since=since,
        unasked=unasked,
        place=place,
        heard=heard,
    )


def forget_all() -> None:
    """Let go of all kept simulations."""
    _simulations.clear()


def _replayed(run: Run, uid: str, since: int, at: int) -> tuple[Place | None, Heard]:
    """Return where the pod waits after decision `at`, and what it heard after decision `since`."""
    key = run_key(run)
    with _locks[key]:
        kept, weight = _simulations.take(key, lambda number: True) or (None, simulation_weight(run))
        simulation = simulation_after(run, since, kept, seconds=REPLAY_SECONDS)
        with simulation.listening_for(uid) as listening:
            advance(run, simulation, at, REPLAY_SECONDS)
        _simulations.put(key, at, (simulation, weight), weight)
        place = simulation.place_in_queue(uid)
        return None if place is None else _with_row(place), listening.heard()


def _with_row(place: PlaceInQueue) -> Place:
    row = msgspec.convert(place.waiting, WaitingRow)
    return Place(place.actor, place.part, row, place.would_wake)


def _last_attempt(run: Run, uid: str, at: int) -> int | None:
    rows = DecisionIndex.objects.filter(run=run, pod_uid=uid, kind="attempt", seq__lte=at)
    return rows.order_by("-seq").values_list("seq", flat=True).first()
