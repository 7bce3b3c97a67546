"""What the live stream reads: a run's present status, and the next batch of its log as text to send.

Batches are spliced from the recorded JSON without decoding it.
"""

from dataclasses import dataclass
from typing import Any

from dashboard.models import Chunk, Run

BATCH_BYTES = 1024 * 1024


@dataclass(frozen=True)
class Head:
    """A run as it stands: what a `status` message says."""

    status: str
    decisions: int
    want: str
    rate: float | None
    error: str
    progress: dict[str, Any]
    has_ended: bool


def head_of(run_id: int) -> Head | None:
    """Return how the run stands, or None if it is gone."""
    fields = ("status", "decisions", "want", "rate", "error", "progress", "finished_at")
    row = Run.objects.filter(pk=run_id).values_list(*fields).first()
    if row is None:
        return None
    status, decisions, want, rate, error, progress, finished_at = row
    return Head(status, decisions, want, rate, error, progress, has_ended=finished_at is not None)


@dataclass(frozen=True)
class Batch:
    """Consecutive decisions as one message; `last` is the number of the last of them."""

    text: str
    last: int


def next_batch(run_id: int, after: int, limit: int) -> Batch | None:
    """Return the decisions after a number, bounded twice; None at the head of the log.

    A worker that is slow or watched stores small chunks: a batch joins as many as it may.
    """
    lines: list[bytes] = []
    wanted = Chunk.objects.filter(run_id=run_id, last_seq__gt=after, first_seq__lte=after + limit)
    for chunk in wanted.order_by("number"):
        lines += chunk.lines()[max(0, after + 1 - chunk.first_seq) :]
    lines = lines[: max(0, limit)]
    size, kept = 0, 0
    while kept < len(lines) and (kept == 0 or size + len(lines[kept]) <= BATCH_BYTES):
        size += len(lines[kept])
        kept += 1
    if not kept:
        return None
    text = b'{"type":"decisions","from":%d,"items":[%s]}' % (after + 1, b",".join(lines[:kept]))
    return Batch(text.decode(), after + kept)
