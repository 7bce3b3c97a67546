"""What a run came to: the figures of its outcome page, computed from its log and what its edits asked for.

In go the state before the first decision, the decisions in order and the edits' results; out come `Figures`,
in which every entry that happened at a decision names its `seq`. The same function serves a run that is still
going. Units are those of the events: milli-CPU, bytes, whole units.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.services.results.by_workload import by_namespace
from dashboard.services.results.incomplete import incomplete_edits, incomplete_later
from dashboard.services.results.packing import packing
from dashboard.services.results.requested import Requested
from dashboard.services.results.tally import Tally
from dashboard.shapes.edits import EditResult
from dashboard.shapes.outcome import Figures, LeftAlone
from scheduler_core.events.decisions import Decision
from scheduler_core.events.state import RunState
from scheduler_core.schedulers.actor import EndedBy


def unserved(figures: Figures | None) -> int:
    """Return how many pods wait for a scheduler that is none of the run's; nobody decides about them."""
    return 0 if figures is None else sum_of(figures.get("left_alone", ()))


def sum_of(left_alone: Iterable[LeftAlone]) -> int:
    """Return how many pods these are."""
    return sum(row["pods"] for row in left_alone)


def never_tried(figures: Figures) -> int:
    """Return how many of the pending pods have not failed: the run stopped before it came to them."""
    failed = sum(row["count"] for row in figures["failures"])
    return max(0, figures["pending"] - failed)


def _asked(edit_results: Iterable[EditResult]) -> set[str]:
    """Return the workloads that edits add or apply."""
    return {key for result in edit_results for key in result.get("objects", ())}


class Ending(NamedTuple):
    """How a run ended by itself; `until` is its clock's end in milliseconds, null where none moves."""

    by: EndedBy
    until: int | None


def outcome(
    base: RunState,
    decisions: Iterable[Decision],
    ending: Ending | None = None,
    edit_results: Sequence[EditResult] = (),
    edits: Sequence[Mapping[str, Any]] = (),
) -> Figures:
    """Return the figures of a run; `ending` is null of one that goes on or was cut short."""
    return outcome_document(tally_of(base, decisions), ending, edit_results, edits)


def tally_of(base: RunState, decisions: Iterable[Decision] = ()) -> Tally:
    """Return what a run's decisions come to, with what is asked of nodes at their end."""
    tally = Tally(base, Requested(base))
    for decision in decisions:
        tally.follow(decision)
    return tally


def outcome_document(
    tally: Tally,
    ending: Ending | None,
    edit_results: Sequence[EditResult],
    edits: Sequence[Mapping[str, Any]] = (),
) -> Figures:
    """Return the figures as one document; see the tallies' methods for what each part holds."""
    left_alone, pending = tally.left_alone(), tally.pending_pods()
    workloads = tally.workloads.rows(pending)
    staying = dict.fromkeys(tally.staying())
    return {
        "left_alone": left_alone,
        "unserved": sum_of(left_alone),
        "left_out": tally.left_out(),
        "decisions": tally.last_seq,
        "time": tally.last_time,
        "ended_by": ending.by if ending is not None else None,
        "until": ending.until if ending is not None else None,
        "limit_reached": ending is not None and ending.by == "limit",
        "incomplete": [
            *incomplete_edits(edit_results, tally.evictions.refused_at(), tally.later.edits),
            *incomplete_later(edit_results, edits, tally.later, ending.until if ending is not None else None),
        ],
        "counts": dict(tally.counts),
        "tries": dict(tally.tries),
        "sessions": tally.sessions,
        "placed": tally.workloads.placed,
        "evicted": tally.workloads.evicted,
        "deleted": len(tally.taken_down.pods),
        "pending": len(pending),
        "by_workload": workloads,
        "by_queue": tally.queues.by_queue(pending),
        "by_group": tally.queues.by_group(pending),
        "by_scheduler": tally.schedulers.rows(pending),
        "by_namespace": by_namespace(workloads),
        "below_replicas": tally.below_replicas(),
        "budgets_violated": tally.evictions.violated,
        "evictions_refused": list(tally.evictions.refused.values()),
        "first_eviction": tally.evictions.first,
        "by_chance": tally.by_chance.found,
        "first_unschedulable": tally.failures.first,
        "failures": tally.why_pending(),
        "cascades": tally.evictions.cascades(),
        "utilisation": tally.utilisation.rows(),
        "ends": tally.moves.ends(staying, tally.nodes, pending, _asked(edit_results)),
        "flows": tally.moves.flows(tally.nodes, staying),
        "asked_of_nodes": tally.moves.asked_of_nodes(tally.leaving),
        "causes": tally.causes.rows(pending, tally.gated),
        "new_nodes": tally.new_nodes(edit_results),
        "placement": tally.moves.placement(tally.nodes, staying),
        "packing": packing(tally.requested.rooms()),
    }
