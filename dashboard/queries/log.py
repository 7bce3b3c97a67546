"""Reading the log: pages of decisions by filter, one decision, stops, a pod's life, the time line.

Decisions leave as the JSON that was recorded (bytes), so that nothing is decoded on the way to a reader.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from django.db.models import Count, ExpressionWrapper, F, IntegerField, Q, QuerySet

from dashboard.errors import NoSuchDecision
from dashboard.models import Chunk, DecisionIndex, Run
from dashboard.queries.replay import (
    base_json,
    base_state,
    explained,
    explanation,
    node_explanation,
    nodes_explanation,
    order_explanation,
    state_at,
    state_json,
)
from dashboard.shapes.timeline import Timeline

__all__ = [
    "Filters",
    "base_json",
    "base_state",
    "counts_by_outcome",
    "decision",
    "decisions_at",
    "explained",
    "explanation",
    "last_decision",
    "next_stop",
    "node_explanation",
    "nodes_explanation",
    "order_explanation",
    "previous_stop",
    "read_decisions",
    "state_at",
    "state_json",
    "timeline",
]

LIMIT = 5000
TICKS = 2000
CHUNKS_AT_ONCE = 50


@dataclass(frozen=True)
class Filters:
    """What decisions to read. pod: `namespace/name` or a uid; actor: who decided.

    Empty texts and None let everything pass.
    """

    kind: str = ""
    pod: str = ""
    node: str = ""
    outcome: str = ""
    actor: str = ""
    min_priority: int | None = None

    def condition(self) -> Q:
        """Return the filters as a condition on index rows."""
        wanted = Q()
        if self.kind:
            wanted &= Q(kind=self.kind)
        if self.pod:
            namespace, slash, name = self.pod.partition("/")
            named = Q(namespace=namespace, pod_name=name) if slash else Q(pk__in=[])
            wanted &= named | Q(pod_uid=self.pod)
        if self.node:
            wanted &= Q(node=self.node)
        if self.outcome:
            wanted &= Q(outcome__in=self.outcome.split(","))
        if self.actor:
            wanted &= Q(actor=self.actor)
        if self.min_priority is not None:
            wanted &= Q(priority__gte=self.min_priority)
        return wanted

    @property
    def are_empty(self) -> bool:
        """Whether everything passes."""
        return self == Filters()


NO_FILTERS = Filters()
NOBODY_EVICTED = b'"evicted":[]'
"""As the log says it of a gang."""


def read_decisions(
    run: Run, after: int = 0, limit: int = LIMIT, filters: Filters = NO_FILTERS
) -> list[bytes]:
    """Return up to `limit` decisions after a number, in order, each as recorded JSON."""
    limit = max(0, min(limit, LIMIT))
    if filters.are_empty:
        return list(islice(_lines_after(run.pk, after), limit))
    rows = _index(run).filter(filters.condition(), seq__gt=after).order_by("seq")
    return decisions_at(run, list(rows.values_list("seq", flat=True)[:limit]))


def decisions_at(run: Run, numbers: list[int]) -> list[bytes]:
    """Return the decisions of the given ascending numbers, leaving out those that aren't stored."""
    found: list[bytes] = []
    chunks = _chunks_of(run, numbers)
    chunk, lines = next(chunks, (None, []))
    for seq in numbers:
        while chunk is not None and chunk.last_seq < seq:
            chunk, lines = next(chunks, (None, []))
        if chunk is None:
            break
        if chunk.first_seq <= seq:
            found.append(lines[seq - chunk.first_seq])
    return found


def decision(run: Run, seq: int) -> bytes:
    """Return one decision as recorded JSON; raises NoSuchDecision."""
    chunk = Chunk.objects.filter(run=run, first_seq__lte=seq, last_seq__gte=seq).first()
    if chunk is None:
        raise NoSuchDecision(seq, last_decision(run))
    return chunk.lines()[seq - chunk.first_seq]


def last_decision(run: Run) -> int:
    """Return the number of the last stored decision as of now."""
    return Run.objects.values_list("decisions", flat=True).get(pk=run.pk)


def next_stop(run: Run, after: int, filters: Filters) -> int | None:
    """Return the number of the first decision after a number that passes the filters."""
    rows = _index(run).filter(filters.condition(), seq__gt=after)
    return rows.order_by("seq").values_list("seq", flat=True).first()


def previous_stop(run: Run, before: int, filters: Filters) -> int | None:
    """Return the number of the last decision before a number that passes the filters."""
    rows = _index(run).filter(filters.condition(), seq__lt=before)
    return rows.order_by("-seq").values_list("seq", flat=True).first()


def timeline(run: Run, buckets: int = 400) -> Timeline:
    """Return the log in at most so many buckets of equal length, and up to TICKS decisions that preempt."""
    total = last_decision(run)
    size = max(1, -(-total // max(1, buckets)))
    counts = _counts_by_bucket(run, total, size)
    ticks = _index(run).filter(outcome="nominated", seq__lte=total).order_by("seq")
    preemptions = [*ticks.values_list("seq", flat=True)[: TICKS + 1], *_evicting_gangs(run, total)]
    return {
        "decisions": total,
        "buckets": [
            {"from": first, "to": min(first + size - 1, total), "counts": counts.get((first - 1) // size, {})}
            for first in range(1, total + 1, size)
        ],
        "preemptions": sorted(preemptions)[:TICKS],
        "preemptions_cut": len(preemptions) > TICKS,
    }


def _evicting_gangs(run: Run, total: int) -> list[int]:
    """Return the commits that evict, TICKS of them and one at most."""
    commits = _index(run).filter(kind="gang", outcome="committed", seq__lte=total).order_by("seq")
    numbers = list(commits.values_list("seq", flat=True))
    lines = decisions_at(run, numbers)
    evicting = (seq for seq, line in zip(numbers, lines, strict=True) if NOBODY_EVICTED not in line)
    return list(islice(evicting, TICKS + 1))


def counts_by_outcome(run: Run) -> list[tuple[str, str, int]]:
    """Return how many decisions of a run there are so far by kind and outcome, the most frequent first."""
    rows = _index(run).values_list("kind", "outcome").annotate(found=Count("pk")).order_by()
    return sorted(rows, key=lambda row: (-row[2], row[:2]))


def _counts_by_bucket(run: Run, total: int, size: int) -> dict[int, dict[str, int]]:
    """Return the number of decisions by outcome in each bucket of `size` decisions, counted from 0."""
    bucket = ExpressionWrapper((F("seq") - 1) / size, output_field=IntegerField())
    rows = _index(run).filter(seq__lte=total).annotate(bucket=bucket).order_by()
    counts: dict[int, dict[str, int]] = {}
    for number, outcome, found in rows.values_list("bucket", "outcome").annotate(found=Count("pk")):
        counts.setdefault(number, {})[outcome] = found
    return counts


def _index(run: Run) -> QuerySet[DecisionIndex]:
    return DecisionIndex.objects.filter(run=run)


def _lines_after(run_id: int, after: int) -> Iterator[bytes]:
    """Yield decisions after a number, reading one chunk at a time."""
    rows = Chunk.objects.filter(run_id=run_id, last_seq__gt=after).order_by("number")
    for chunk in rows.iterator(chunk_size=8):
        yield from chunk.lines()[max(0, after + 1 - chunk.first_seq) :]


def _chunks_of(run: Run, numbers: list[int]) -> Iterator[tuple[Chunk, list[bytes]]]:
    """Yield the chunks that hold some of the numbers, in order, with their lines."""
    if not numbers:
        return
    bounds = Chunk.objects.filter(run=run, last_seq__gte=numbers[0], first_seq__lte=numbers[-1])
    wanted, position = [], 0
    for pk, last in bounds.order_by("number").values_list("pk", "last_seq"):
        before = position
        while position < len(numbers) and numbers[position] <= last:
            position += 1
        if position > before:
            wanted.append(pk)
    for start in range(0, len(wanted), CHUNKS_AT_ONCE):
        rows = Chunk.objects.filter(pk__in=wanted[start : start + CHUNKS_AT_ONCE]).order_by("number")
        for chunk in rows:
            yield chunk, chunk.lines()
