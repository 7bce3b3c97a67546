"""What a worker writes of a run: its start, chunks of decisions, checkpoints, pause and end.

Each write is one transaction that begins with a conditional update of the Run row by owner and attempt
(the lease's generation), and for chunks by the last stored number too. So a worker that has lost its lease
stops with LeaseLost, and no decision is stored twice, left out or out of order.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, NamedTuple, Unpack

from django.db import connection, transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Now

from dashboard.errors import LeaseLost
from dashboard.models import Checkpoint, Chunk, DecisionIndex, Run
from dashboard.models.packing import pack
from dashboard.services.background import bell
from dashboard.services.background.leases import FREE
from dashboard.services.background.lost_work import release_runs
from dashboard.shapes.problems import ProblemDocument
from dashboard.shapes.runs import RunProgress, RunStart
from scheduler_core.events.decisions import Attempt, ClusterChange, Completion, Decision, Eviction, encoder
from scheduler_core.events.sessions import Placement

LONGEST_WAIT_SECONDS = 30 * 24 * 3600.0


@dataclass(frozen=True)
class Lease:
    """The right to write one run: good while the row still has this owner and attempt.

    late: seconds for which a paced run that was due has waited for this worker.
    """

    run_id: int
    owner: str
    attempt: int
    late: float = 0.0

    def row(self) -> QuerySet[Run]:
        """Return the run's row as long as the lease is held, else nothing."""
        return Run.objects.filter(pk=self.run_id, owner=self.owner, attempt=self.attempt)


@dataclass(frozen=True)
class Control:
    """What readers ask of the worker: to cancel or pause, at which rate to go on; and if others wait."""

    want: str
    rate: float | None
    others_wait: bool = False


def waiting_runs() -> QuerySet[Run]:
    """Return the runs that a worker may take now: queued, or due after giving their worker back."""
    due = Q(status="running", due_at__lte=Now())
    return Run.objects.filter(Q(status="queued") | due, owner="")


def claim(run_id: int, owner: str) -> Lease | None:
    """Take a run that waits, or whose worker is gone; None if there is nothing to take."""
    release_runs(Run.objects.filter(pk=run_id))
    due = Run.objects.filter(pk=run_id, due_at__isnull=False).values_list("due_at", Now()).first()
    taken = waiting_runs().filter(pk=run_id).update(
        owner=owner,
        heartbeat_at=Now(),
        attempt=F("attempt") + 1,
        status="running",
        due_at=None,
        started_at=Coalesce("started_at", Now()),
    )  # fmt: skip
    if not taken:
        return None
    attempt = Run.objects.filter(pk=run_id, owner=owner).values_list("attempt", flat=True).first()
    late = (due[1] - due[0]).total_seconds() if due else 0.0
    return None if attempt is None else Lease(run_id, owner, attempt, late)


def look(lease: Lease) -> Control:
    """Read what readers ask for; raises LeaseLost."""
    asked = lease.row().values_list("want", "rate").first()
    if asked is None:
        raise LeaseLost(f"run {lease.run_id}")
    return Control(*asked, others_wait=waiting_runs().filter(background=False).exists())


def watch_for_cancel(lease: Lease) -> Callable[[], bool]:
    """Return what tells whether a reader has asked to cancel the run, or has taken the lease away."""
    seen = False

    def is_unwanted() -> bool:
        nonlocal seen
        want = lease.row().values_list("want", flat=True).first()
        seen = seen or want is not None
        return want == "cancel" or (want is None and seen)

    return is_unwanted


def record_start(lease: Lease, progress: RunProgress, **fields: Unpack[RunStart]) -> None:
    """Store what a run starts from and ring."""
    _write(lease, progress=progress, **fields)
    bell.ring(lease.run_id)


def append_chunk(
    lease: Lease, number: int, decisions: list[Decision], progress: RunProgress | None = None
) -> None:
    """Append consecutive decisions as one chunk with their index rows, then ring."""
    first, last = decisions[0].seq, decisions[-1].seq
    data = pack(b"\n".join(encoder.encode(decision) for decision in decisions))
    rows = [_index_row(lease.run_id, decision) for decision in decisions]
    fields: dict[str, Any] = {} if progress is None else {"progress": progress}
    with transaction.atomic():
        _write(lease, stored=first - 1, decisions=last, losses=0, heartbeat_at=Now(), **fields)
        Chunk.objects.create(run_id=lease.run_id, number=number, first_seq=first, last_seq=last, data=data)
        _add_to_index(rows)
    bell.ring(lease.run_id)


def save_checkpoint(lease: Lease, seq: int, data: bytes, state: bytes | None) -> None:
    """Keep the engine's state and perhaps the log's after decision `seq`, the last one stored."""
    packed = {"data": pack(data), "state": None if state is None else pack(state)}
    with transaction.atomic():
        _write(lease, stored=seq, heartbeat_at=Now())
        Checkpoint.objects.get_or_create(run_id=lease.run_id, seq=seq, defaults=packed)


def pause(lease: Lease) -> bool:
    """Give the lease back and pause; False if a reader has changed their mind meanwhile."""
    row = lease.row().filter(want="pause")
    paused = row.update(status="paused", want="", **FREE) == 1
    if paused:
        bell.ring(lease.run_id)
    return paused


def give_way(lease: Lease, seconds: float) -> bool:
    """Give the worker back to others that wait, until the next decision is due in so many seconds.

    False if a reader has asked for something meanwhile, which is to be done first.
    """
    due_at = Now() + timedelta(seconds=min(seconds, LONGEST_WAIT_SECONDS))
    return lease.row().filter(want="").update(due_at=due_at, **FREE) == 1


def give_up(lease: Lease) -> None:
    """Give the lease back after a fault that passes: the run waits for another try."""
    _write(lease, status="queued", **FREE)
    bell.ring(lease.run_id)


def finish(lease: Lease, status: str, **fields: Any) -> None:
    """End the run as finished, cancelled or failed, give the lease back and ring.

    fields: its `outcome` and `over_time`, or the `error` and `problems` that ended it.
    """
    _write(lease, status=status, want="", finished_at=Now(), **FREE, **fields)
    bell.ring(lease.run_id)


def fail(lease: Lease, error: str, problems: list[ProblemDocument] | None = None) -> None:
    """End the run as failed; as cancelled if a reader has asked for that meanwhile."""
    if look(lease).want == "cancel":
        return finish(lease, "cancelled")
    return finish(lease, "failed", error=error, problems=problems or [])


class _IndexRow(NamedTuple):
    """What search needs to know of a decision, by the columns of `DecisionIndex`."""

    run_id: int
    seq: int
    kind: str
    pod_uid: str
    namespace: str
    pod_name: str
    actor: str
    node: str
    outcome: str
    priority: int


_INSERT_INDEX_ROW = (
    f"INSERT INTO {DecisionIndex._meta.db_table} ({', '.join(_IndexRow._fields)}) "  # noqa: S608  only names of ours
    f"VALUES ({', '.join(['%s'] * len(_IndexRow._fields))})"
)


def _index_row(run_id: int, decision: Decision) -> _IndexRow:
    kind = str(decision.__struct_config__.tag)
    pod = decision.pod
    whom = ("", "", "") if pod is None else (pod.uid, pod.namespace, pod.name)
    priority = 0 if pod is None else pod.priority
    where = decision.actor, _node(decision)
    return _IndexRow(run_id, decision.seq, kind, *whom, *where, decision.outcome, priority)


def _add_to_index(rows: list[_IndexRow]) -> None:
    """Insert index rows; as models they would take longer than the engine takes to decide."""
    with connection.cursor() as cursor:
        cursor.executemany(_INSERT_INDEX_ROW, rows)


def _node(decision: Decision) -> str:
    """Return the node that a decision is about, the empty string where it is about none."""
    if isinstance(decision, Attempt):
        return decision.chosen or decision.nominated_after or ""
    if isinstance(decision, Eviction | Completion | Placement):
        return decision.node
    if isinstance(decision, ClusterChange) and decision.object.startswith("Node "):
        return decision.object.removeprefix("Node ")
    return ""


def _write(lease: Lease, stored: int | None = None, **fields: Any) -> None:
    row = lease.row() if stored is None else lease.row().filter(decisions=stored)
    if row.update(**fields) != 1:
        raise LeaseLost(f"run {lease.run_id}")
