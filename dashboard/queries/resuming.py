"""Where a worker takes a run up: the nearest checkpoint, replayed to the last stored decision.

The replay must repeat the stored log byte for byte. If it doesn't, or the engine has changed since, the
run cannot go on: RecordedByOtherEngine.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from dashboard.engine import engine_version, open_simulation
from dashboard.errors import RecordedByOtherEngine, ReplayTooLong
from dashboard.models import Checkpoint, Chunk, Run
from dashboard.models.packing import unpack
from dashboard.queries.exchanges import exchanges_of
from scheduler_core.events.decisions import Decision, encoder
from scheduler_core.kube.extenders.source import Source
from scheduler_core.objects.problems import BadInput

if TYPE_CHECKING:
    from scheduler_core.world import Simulation
    from scheduler_core.world.trials.kept_ground import Lent

REPLAY_SECONDS = 10.0
"""How long a request may replay; from checkpoint to checkpoint it takes far less."""

logger = logging.getLogger(__name__)


def require_same_engine(run: Run) -> None:
    """Raise RecordedByOtherEngine unless today's engine is the one that recorded the run."""
    if run.engine_version != engine_version():
        raise RecordedByOtherEngine(run.engine_version)


def stored_lines(run_id: int, after: int) -> Iterator[bytes]:
    """Yield the stored decisions after a number, each as the JSON that was recorded."""
    for chunk in Chunk.objects.filter(run_id=run_id, last_seq__gt=after).order_by("number").iterator():
        yield from chunk.lines()[max(0, after + 1 - chunk.first_seq) :]


def simulation_after(
    run: Run,
    seq: int,
    kept: Simulation | None = None,
    source: Source | None = None,
    seconds: float = math.inf,
    lent: Lent | None = None,
) -> Simulation:
    """Return a Simulation that has taken `seq` steps, each as in the log; raises as `restored` and `advance`.

    `source` is whom a worker asks where the log ends; who only reads a run asks nobody. `lent` as for
    `open_simulation`.
    """
    simulation = restored(run, seq, kept, source, lent)
    advance(run, simulation, seq, seconds)
    return simulation


def restored(
    run: Run,
    seq: int,
    kept: Simulation | None = None,
    source: Source | None = None,
    lent: Lent | None = None,
) -> Simulation:
    """Return a Simulation at the nearest checkpoint up to `seq`, at the start if that is of no use.

    `kept` is a Simulation of the run that stands elsewhere: going back in it is quicker than a new one.
    Raises RecordedByOtherEngine.
    """
    require_same_engine(run)

    def opened() -> Simulation:
        return kept or open_simulation(run, exchanges=exchanges_of(run, source), lent=lent)

    found = _from_checkpoint(run, seq, opened)
    if found is None:
        found = opened()
        if found is kept:
            kept.restore(None)
    return found


def _from_checkpoint(run: Run, seq: int, opened: Callable[[], Simulation]) -> Simulation | None:
    """Return a Simulation at the nearest checkpoint; None if there is none that the engine can read.

    A checkpoint saves time and decides nothing, since every replay is held to the log.
    """
    checkpoint = Checkpoint.objects.filter(run=run, seq__lte=seq).order_by("-seq").first()
    if checkpoint is None:
        return None
    try:
        simulation = opened()
        simulation.restore(unpack(checkpoint.data))
    except BadInput:
        raise
    except Exception as error:
        logger.warning("Checkpoint %s of run %s is of no use: %s", checkpoint.seq, run.pk, error)
        return None
    return simulation if simulation.seq == checkpoint.seq else None


def advance(run: Run, simulation: Simulation, seq: int, seconds: float = math.inf) -> None:
    """Take steps up to `seq`, comparing each with the log, for so many seconds of CPU at most.

    Raises RecordedByOtherEngine and ReplayTooLong.
    """
    end = time.thread_time() + seconds
    for line in stored_lines(run.pk, simulation.seq):
        if simulation.seq >= seq:
            return
        if time.thread_time() > end:
            raise ReplayTooLong(simulation.seq, seq)
        require_equal(run, simulation.step(), line)


def require_equal(run: Run, decision: Decision | None, line: bytes) -> None:
    """Raise RecordedByOtherEngine unless the decision is the stored one."""
    if decision is None or encoder.encode(decision) != line:
        raise RecordedByOtherEngine(run.engine_version)
