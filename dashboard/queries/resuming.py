"""Where a worker takes a run up: the nearest checkpoint, replayed to the last stored decision.

The replay must repeat the stored log byte for byte. If it doesn't, or the engine has changed since, the
run cannot go on: RecordedByOtherEngine.
"""

from collections.abc import Iterator
from typing import Any

from dashboard.engine import engine_version, open_simulation
from dashboard.errors import RecordedByOtherEngine
from dashboard.models import Checkpoint, Chunk, Run
from dashboard.models.packing import unpack
from scheduler_core.events import encoder


def require_same_engine(run: Run) -> None:
    """Raise RecordedByOtherEngine unless today's engine is the one that recorded the run."""
    if run.engine_version != engine_version():
        raise RecordedByOtherEngine(run.engine_version)


def stored_lines(run_id: int, after: int) -> Iterator[bytes]:
    """Yield the stored decisions after a number, each as the JSON that was recorded."""
    for chunk in Chunk.objects.filter(run_id=run_id, last_seq__gt=after).order_by("number").iterator():
        yield from chunk.lines()[max(0, after + 1 - chunk.first_seq) :]


def simulation_after(run: Run, seq: int) -> Any:
    """Return a Simulation that has taken `seq` steps, each as in the log; raises RecordedByOtherEngine."""
    require_same_engine(run)
    checkpoint = Checkpoint.objects.filter(run=run, seq__lte=seq).order_by("-seq").first()
    simulation = open_simulation(run, None if checkpoint is None else unpack(checkpoint.data))
    if simulation.seq != (0 if checkpoint is None else checkpoint.seq):
        raise RecordedByOtherEngine(run.engine_version)
    advance(run, simulation, seq)
    return simulation


def advance(run: Run, simulation: Any, seq: int) -> None:
    """Take steps up to `seq`, comparing each with the log; raises RecordedByOtherEngine."""
    for line in stored_lines(run.pk, simulation.seq):
        if simulation.seq >= seq:
            return
        require_equal(run, simulation.step(), line)


def require_equal(run: Run, decision: Any, line: bytes) -> None:
    """Raise RecordedByOtherEngine unless the decision is the stored one."""
    if decision is None or encoder.encode(decision) != line:
        raise RecordedByOtherEngine(run.engine_version)
