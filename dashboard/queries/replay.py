"""What the log does not hold: explanations and states, computed again from the nearest checkpoint.

A replay must repeat the stored log; if it doesn't, or the engine has changed, the answer is
RecordedByOtherEngine and never a mixture. A simulation for each viewer and a few folds are kept between
requests, so that stepping through neighbouring decisions doesn't begin from the checkpoint each time.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import msgspec

from dashboard.errors import (
    NoSuchDecision,
    NoSuchNode,
    NotInSession,
    NotYet,
    ReplayTooLong,
)
from dashboard.models import Checkpoint, Run
from dashboard.models.packing import unpack
from dashboard.queries.process_cache import Kept
from dashboard.queries.resuming import (
    REPLAY_SECONDS,
    advance,
    require_equal,
    require_same_engine,
    restored,
    stored_lines,
)
from scheduler_core.events.decisions import decision_decoder, encoder
from scheduler_core.events.explanation import AttemptInFull, Chosen, NodeInFull, VisitedNode
from scheduler_core.events.fold import Fold
from scheduler_core.events.session_explanation import Compared, OrderInFull, StepInFull
from scheduler_core.events.sessions import SessionOpened
from scheduler_core.events.state import RunState
from scheduler_core.objects.collector import collector_at_rest

if TYPE_CHECKING:
    from scheduler_core.schedulers.decision_explanation import Explanation
    from scheduler_core.world import Simulation

KEPT_SIMULATIONS = 16
KEPT_BYTES = 512 * 2**20
WEIGHT = 18
"""How many bytes a simulation takes for each byte of its first state as JSON."""
IDLE_SECONDS = 60.0
"""After so long a viewer's simulation is lent to others who look into the run."""
KEPT_FOLDS = 4
KEPT_FOLD_BYTES = 256 * 2**20
FOLD_WEIGHT = 5
"""How many bytes a fold takes for each byte of its first state as JSON."""
FORGOTTEN_SECONDS = 900.0
"""What nobody has looked into for so long goes."""
MOST_UNREADABLE = 3
"""So many checkpoints that can't be read are taken to mean that none can."""
RESTORING_STEPS = 100
"""How many steps of replay restoring a simulation is taken to be worth."""
WAYPOINT_STEPS = 20
"""How far before the decision that is explained a way back is kept."""

RunKey = tuple[int, str]
ViewerKey = tuple[int, str, int]
"""A run, and the user who looks into it."""


@dataclass(frozen=True)
class Waypoint:
    """The engine's state after decision `seq`, kept in memory for who steps back."""

    seq: int
    data: bytes


@dataclass
class Explained:
    """A simulation right after a decision; `explanation` is None unless it took that in full detail.

    waypoint: where the simulation was on its way, if that was long. weight: bytes that it takes, roughly.
    """

    simulation: Simulation
    explanation: Explanation | None = None
    waypoint: Waypoint | None = None
    weight: int = 0


@dataclass(frozen=True)
class Folded:
    """A fold, and how many bytes it takes, roughly."""

    fold: Fold
    weight: int

    @classmethod
    def of(cls, state: bytes) -> Folded:
        """Return the fold that begins with a state, given as JSON."""
        return cls(Fold(msgspec.json.decode(state, type=RunState)), FOLD_WEIGHT * len(state))


_simulations: Kept[ViewerKey, Explained] = Kept(KEPT_SIMULATIONS, KEPT_BYTES, FORGOTTEN_SECONDS)
_folds: Kept[RunKey, Folded] = Kept(KEPT_FOLDS, KEPT_FOLD_BYTES, FORGOTTEN_SECONDS)
_unreadable: defaultdict[RunKey, set[int]] = defaultdict(set)
_simulation_locks: defaultdict[ViewerKey, threading.Lock] = defaultdict(threading.Lock)
_fold_locks: defaultdict[RunKey, threading.Lock] = defaultdict(threading.Lock)
"""Apart, so that nobody who asks for a state waits while a simulation of the same run is built."""


@contextmanager
def explained(run: Run, seq: int, viewer: int = 0) -> Iterator[Explanation]:
    """Give the engine's Explanation of a decision, to be used within the block alone.

    Raises NoSuchDecision, RecordedByOtherEngine and ReplayTooLong. One thread at a time explains a run to a
    viewer, the user of that number.
    """
    require_same_engine(run)
    require_stored(run, seq)
    key = (*run_key(run), viewer)
    with _simulation_locks[key]:
        entry = _simulations.take(key, lambda number: number == seq)
        found = entry.explanation if entry is not None else None
        if entry is not None and found is None:
            _keep(key, entry)
        if entry is None or found is None:
            entry, found = _explain(run, key, seq)
        try:
            yield found
        finally:
            _keep(key, entry)


def explanation(run: Run, seq: int, viewer: int = 0) -> AttemptInFull | StepInFull | None:
    """Return an attempt or a session's step in full, None for another decision. Raises like `explained`."""
    with explained(run, seq, viewer) as found:
        return found.attempt or found.step


def node_explanation(run: Run, seq: int, node: str, viewer: int = 0) -> NodeInFull:
    """Return why a decision took this node or not; also raises NoSuchNode."""
    with explained(run, seq, viewer) as found:
        try:
            return found.node(node)
        except KeyError:
            raise NoSuchNode(f"There is no node {node!r}.") from None


def nodes_explanation(
    run: Run,
    seq: int,
    offset: int = 0,
    limit: int = 1000,
    *,
    sort: str = "name",
    cards: bool = False,
    viewer: int = 0,
    **chosen: Any,
) -> list[VisitedNode]:
    """Return a page of the nodes that a decision visited, with their status and numbers.

    reason, plugin and status choose as in the engine's `Chosen`, sort is `name` or `-total`; `cards` adds
    what HAMi says of each node.
    """
    with explained(run, seq, viewer) as found:
        return found.nodes(offset, limit, Chosen(**chosen), sort=sort, with_cards=cards)


def order_explanation(
    run: Run, seq: int, of: Compared, first: str, second: str, viewer: int = 0
) -> OrderInFull:
    """Return why one of two queues, jobs or pods comes before the other, as the decision finds it.

    A session that the decision opens is asked after it, any other one before. Raises like `explained`, and
    NotInSession.
    """
    require_same_engine(run)
    require_stored(run, seq)
    line = next(stored_lines(run.pk, seq - 1))
    opens = isinstance(decision_decoder.decode(line), SessionOpened)
    with standing_after(run, seq if opens else seq - 1, viewer) as simulation:
        try:
            return simulation.order_of(of, first, second)
        except KeyError as error:
            raise NotInSession(f"There is no {of} {error.args[0]!r} in this session.") from None
        except LookupError:
            raise NotInSession(f"Decision {seq} is no step of a session.") from None


def objects_at(run: Run, at: int, viewer: int = 0) -> list[dict[str, Any]]:
    """Return the cluster's objects after a decision, 0 being before the first.

    After the last one of a finished run they are as it ends. Raises NoSuchDecision, NotYet,
    RecordedByOtherEngine and ReplayTooLong.
    """
    if at:
        require_stored(run, at)
    with standing_after(run, at, viewer) as simulation:
        is_end = run.status == Run.Status.FINISHED and at == run.decisions
        return simulation.objects_at_end() if is_end else simulation.objects()


@contextmanager
def standing_after(run: Run, at: int, viewer: int = 0) -> Iterator[Simulation]:
    """Give a simulation that stands after a decision, to be asked within the block alone.

    Raises RecordedByOtherEngine and ReplayTooLong.
    """
    require_same_engine(run)
    key = (*run_key(run), viewer)
    with _simulation_locks[key], collector_at_rest():
        entry = _standing_after(run, key, at)
        try:
            yield entry.simulation
        finally:
            _keep(key, entry)


def state_at(run: Run, at: int) -> RunState:
    """Return the state after a decision, 0 being before the first; raises NoSuchDecision and NotYet."""
    if at:
        require_stored(run, at)
    key = run_key(run)
    with _fold_locks[key], collector_at_rest():
        folded = _nearest_fold(run, key, at)
        _move(run, folded.fold, at)
        _folds.put(key, at, folded, folded.weight)
        return folded.fold.state()


def _nearest_fold(run: Run, key: RunKey, at: int) -> Folded:
    """Return the fold with the fewest decisions to go: a kept one, that of a checkpoint, or the base."""
    states = Checkpoint.objects.filter(run=run, seq__lte=at, state__isnull=False).order_by("-seq")
    nearest = states.values_list("seq", flat=True).first() or 0
    kept = _folds.take(key, lambda number: abs(at - number) <= at - nearest)
    if kept is not None and kept.fold.first <= at:
        return kept
    if not nearest:
        return Folded.of(base_json(run))
    packed = states.only("state").get(seq=nearest).state
    return Folded.of(unpack(packed or b""))


def state_json(run: Run, at: int) -> bytes:
    """Return the state after a decision as JSON; that before the first lies ready. Raises like `state_at`."""
    return encoder.encode(state_at(run, at)) if at else base_json(run)


def base_state(run: Run) -> RunState:
    """Return the state before the first decision; raises NotYet until a worker has made it."""
    return msgspec.json.decode(base_json(run), type=RunState)


def base_json(run: Run) -> bytes:
    """Return the state before the first decision as JSON; raises NotYet until a worker has made it."""
    stored = Run.objects.only("base", "status", "error").get(pk=run.pk)
    base = stored.base_json()
    if base is None:
        raise NotYet(_why_not_begun(stored))
    return base


def _why_not_begun(run: Run) -> str:
    if run.status == Run.Status.FAILED:
        return f"The run failed before its first decision: {run.error}"
    if run.has_ended:
        return f"The run was {run.status} before it began."
    return "No worker has begun this run yet."


def forget_all() -> None:
    """Let go of all kept simulations and folds."""
    _simulations.clear()
    _folds.clear()
    _unreadable.clear()


def _keep(key: ViewerKey, entry: Explained) -> None:
    _simulations.put(key, entry.simulation.seq, entry, entry.weight)


def _explain(run: Run, key: ViewerKey, seq: int) -> tuple[Explained, Explanation]:
    """Take the simulation to the decision before, then take the decision itself in detail."""
    with collector_at_rest():
        entry = _standing_after(run, key, seq - 1)
        entry.explanation = found = entry.simulation.explain()
    require_equal(run, found.decision, next(stored_lines(run.pk, seq - 1)))
    return entry, found


def _standing_after(run: Run, key: ViewerKey, at: int) -> Explained:
    """Return a simulation that has taken `at` steps, from wherever that takes the fewest more.

    Raises ReplayTooLong; who asks again then goes on from where it stopped.
    """
    entry = _nearest(run, key, at)
    entry.explanation = None
    try:
        _advance(run, entry, at)
    except ReplayTooLong:
        _keep(key, entry)
        raise
    return entry


def _nearest(run: Run, key: ViewerKey, at: int) -> Explained:
    """Return the viewer's simulation: where it stands, at its waypoint, or at a readable checkpoint."""
    checkpoint = _readable_checkpoint(run, at)
    kept = _simulations.take(key, lambda number: checkpoint - RESTORING_STEPS <= number <= at)
    if kept is not None:
        return kept
    entry = _simulations.take(key, lambda number: True)
    entry = entry or _simulations.take_idle(lambda owner: owner[:2] == key[:2], IDLE_SECONDS)
    if entry is not None and entry.waypoint is not None and checkpoint < entry.waypoint.seq <= at:
        entry.simulation.restore(entry.waypoint.data)
        return entry
    simulation = restored(run, checkpoint, entry.simulation if entry is not None else None)
    if simulation.seq < checkpoint:
        _unreadable[key[:2]].add(checkpoint)
        _keep(key, Explained(simulation, weight=simulation_weight(run)))
        return _nearest(run, key, at)
    return Explained(simulation, weight=simulation_weight(run) if entry is None else entry.weight)


def _readable_checkpoint(run: Run, at: int) -> int:
    """Return the last checkpoint up to a decision of which it isn't known that it can't be read; or 0."""
    unreadable = _unreadable.get(run_key(run), set())
    if len(unreadable) >= MOST_UNREADABLE:
        return 0
    checkpoints = Checkpoint.objects.filter(run=run, seq__lte=at).order_by("-seq")
    seqs = checkpoints.values_list("seq", flat=True)[: len(unreadable) + 1]
    return next((seq for seq in seqs if seq not in unreadable), 0)


def simulation_weight(run: Run) -> int:
    """Return how many bytes a simulation of a run takes, roughly. Raises NotYet."""
    return WEIGHT * len(base_json(run))


def _advance(run: Run, entry: Explained, at: int) -> None:
    """Take steps up to `at`; whoever goes far keeps a way back to shortly before it."""
    if at - entry.simulation.seq > 2 * WAYPOINT_STEPS:
        advance(run, entry.simulation, at - WAYPOINT_STEPS, REPLAY_SECONDS)
        entry.waypoint = Waypoint(entry.simulation.seq, entry.simulation.checkpoint())
    advance(run, entry.simulation, at, REPLAY_SECONDS)


def _move(run: Run, fold: Fold, at: int) -> None:
    """Move a fold to a number, backwards or forwards."""
    if fold.at > at:
        lines = [line for line, _ in zip(stored_lines(run.pk, at), range(fold.at - at), strict=False)]
        for line in reversed(lines):
            fold.revert(decision_decoder.decode(line))
    elif fold.at < at:
        for line, _ in zip(stored_lines(run.pk, fold.at), range(at - fold.at), strict=False):
            fold.apply(decision_decoder.decode(line))


def require_stored(run: Run, seq: int) -> None:
    """Raise NoSuchDecision unless the log has the decision."""
    last = Run.objects.values_list("decisions", flat=True).get(pk=run.pk)
    if not 1 <= seq <= last:
        raise NoSuchDecision(seq, last)


def run_key(run: Run) -> RunKey:
    """Return what tells a run from all others, also from one that had its number before."""
    return run.pk, run.created_at.isoformat()
