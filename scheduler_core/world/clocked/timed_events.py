"""From what happened in virtual time to the decision that the log holds."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import (
    ClusterChange,
    Completion,
    Decision,
    Eviction,
    Flush,
)
from scheduler_core.events.sessions import SessionsIdle
from scheduler_core.kube import attempt_event
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.timeline_entry import ONLY_KNOWN
from scheduler_core.world.wakes import heard_of, wakes_of

SCENARIO, KUBELET, EVICTION_API, QUEUE = ACTORS = "scenario", "kubelet", "eviction API", "queue"
"""Who acts besides schedulers."""
_VERBS: dict[str, Literal["added", "updated", "deleted", "finished", "asked", "stopped", "started"]] = {
    "put": "added",
    "update": "updated",
    "delete": "deleted",
    "remove": "deleted",
    "shrink": "updated",
    "finish": "finished",
    "evict": "asked",
    "drain": "asked",
    "stop": "stopped",
    "start": "started",
    "uncordon": "updated",
}


def tell(happening: Happening, state: ClusterState, stamp: Stamp, changes: list[Change]) -> Decision:
    """Return the decision; `changes` are those that it made."""
    match happening.kind:
        case "begin":
            assert happening.looked is not None and happening.scheduler is not None
            return happening.scheduler.tell(happening.looked, stamp, changes)
        case "end":
            return _completion(happening, state, stamp, changes)
        case "entry":
            return _entry(happening, state, stamp, changes)
        case "eviction":
            return _eviction(happening, state, stamp, changes)
        case "left":
            assert happening.pod is not None
            reference = attempt_event.pod_ref(state, happening.pod)
            return ClusterChange(
                *_common(KUBELET, stamp, changes),
                pod=reference,
                outcome="failed" if happening.why == "failed" else "gone",
                object=f"Pod {reference.namespace}/{reference.name}",
                edit=None,
                wakes=wakes_of(happening.report),
                heard=heard_of(happening.report),
            )
        case "reconcile":
            assert happening.work is not None
            return happening.work.controllers.tell(happening.work.plan, stamp, changes)
        case "controller":
            assert happening.acted is not None and happening.report is not None
            return happening.acted.tell(stamp, changes, happening.report)
        case "session":
            assert happening.holder is not None
            return happening.holder.tell_step(stamp, changes)
        case "idle":
            assert happening.holder is not None and happening.idle is not None
            first, last = happening.idle
            return SessionsIdle(*_common(happening.holder.name, stamp, changes), session=first, last=last)
        case _:
            return Flush(*_common(QUEUE, stamp, changes), None, "woken", wakes_of(happening.report))


def _common(
    actor: str, stamp: Stamp, changes: list[Change]
) -> tuple[int, int | None, str, int | None, list[Change]]:
    return stamp.seq, stamp.time, actor, stamp.cause, changes


def _completion(happening: Happening, state: ClusterState, stamp: Stamp, changes: list[Change]) -> Completion:
    begun, scheduler = happening.begun, happening.scheduler
    assert begun is not None and scheduler is not None
    pod = begun.pod
    outcome: Literal["bound", "returned", "forgotten"]
    outcome = "bound" if begun.outcome == "scheduled" else "returned"
    if pod in state.gone.values:
        outcome = "forgotten"
    return Completion(
        *_common(scheduler.name, stamp, changes),
        pod=attempt_event.pod_ref(state, pod),
        outcome=outcome,
        attempt=begun.attempt,
        node=state.node_of(pod) if outcome == "bound" else "",
        wakes=wakes_of(happening.report),
        heard=heard_of(happening.report),
        exchanges=happening.exchanges or UNSET,
    )


def _entry(happening: Happening, state: ClusterState, stamp: Stamp, changes: list[Change]) -> ClusterChange:
    entry, report, pod = happening.entry, happening.report, happening.pod
    assert entry is not None
    there = report is not None or entry.kind in ONLY_KNOWN
    return ClusterChange(
        *_common(SCENARIO, stamp, changes),
        pod=attempt_event.pod_ref(state, pod) if there and pod is not None else None,
        outcome="refused" if happening.why else _VERBS[entry.verb] if there else "nothing",
        object=f"{entry.kind} {entry.key}",
        edit=entry.edit,
        wakes=wakes_of(report),
        heard=heard_of(report),
        message=happening.why or UNSET,
    )


def _eviction(happening: Happening, state: ClusterState, stamp: Stamp, changes: list[Change]) -> Eviction:
    assert happening.pod is not None
    return Eviction(
        *_common(EVICTION_API, stamp, changes),
        attempt_event.pod_ref(state, happening.pod),
        "evicted" if happening.stay is None else happening.stay.outcome,
        state.node_of(happening.pod),
        None if happening.stay is None else happening.stay.message,
        wakes=wakes_of(happening.report),
        heard=heard_of(happening.report),
    )
