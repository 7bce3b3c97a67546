"""The life of a pod group in a run of sessions: what each decided about it, what it was told at their close.

Decisions about it are found by its name in the recorded text, before anything is decoded.
"""

from collections.abc import Iterator
from typing import Any

from dashboard.models import DecisionIndex, Run
from dashboard.queries.log import decisions_at
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.sessions import Enqueueing, Gang, GroupStatus, Placement, SessionClosed

KINDS = ["enqueue", "placement", "gang", "close"]
LARGEST_GANG_NAMED = 5


def group_history(run: Run, group: str) -> list[dict[str, Any]]:
    """Return what happened to a pod group (`namespace/name`), in order.

    Each entry: {"seq", "session", "what": the decision's kind, "outcome", "action", "pod", "uid", "node",
    "message"}, with null where nothing applies. A close is told only where it leaves another phase, reason or
    message than the one before; its `outcome` is the phase.
    """
    numbers = (
        DecisionIndex.objects.filter(run=run, kind__in=KINDS).order_by("seq").values_list("seq", flat=True)
    )
    mark = f'"{group}"'.encode()
    lines = (line for line in decisions_at(run, list(numbers)) if mark in line)
    return list(_events(map(decision_decoder.decode, lines), group))


def _events(decisions: Iterator[Decision], group: str) -> Iterator[dict[str, Any]]:
    before: GroupStatus | None = None
    open_tries = 0
    for decision in decisions:
        match decision:
            case Enqueueing(job=job) if job == group:
                lacking = ", ".join(decision.lacking)
                yield _event(decision, message=f"rejected by {lacking}" if lacking else None)
            case Placement(job=job) if job == group:
                open_tries += decision.outcome in ("allocated", "pipelined")
                pod = f"{decision.pod.namespace}/{decision.pod.name}"
                yield _event(
                    decision,
                    pod=pod,
                    uid=decision.pod.uid,
                    node=decision.node or None,
                    message=_placed(decision),
                )
            case Gang(job=job) if job == group:
                yield _event(decision, message=_settled(decision, open_tries))
                open_tries = 0
            case SessionClosed():
                now = next((one for one in decision.groups if one.job == group), None)
                if now is not None and now != before:
                    yield {**_event(decision, message=_told(now)), "outcome": now.phase}
                before = now or before


def _placed(decision: Placement) -> str | None:
    if decision.victims:
        names = [f"{one.namespace}/{one.name}" for one in decision.victims[:LARGEST_GANG_NAMED]]
        rest = len(decision.victims) - len(names)
        return f"for the room of {', '.join(names)}{f' and {rest} more' if rest else ''}"
    return decision.message or None


def _settled(decision: Gang, tries: int) -> str:
    """Return how many have a node after it, and what became of the tries, of which so many had found one."""
    back = ""
    if tries and decision.outcome == "discarded":
        back = f"{tries} {'try' if tries == 1 else 'tries'} taken back"
    parts = [
        (len(decision.bound), "bound"),
        (len(decision.evicted), "evicted"),
        (len(decision.pipelined), "pipelined"),
    ]
    told = [f"{number} {word}" for number, word in parts if number]
    ready, needed = decision.ready, decision.min_available
    standing = f"{ready} ready of {needed} needed" if ready <= needed else f"{ready} ready, {needed} needed"
    return ", ".join([back, standing, *told] if back else [standing, *told])


def _told(status: GroupStatus) -> str | None:
    return ": ".join(part for part in (status.reason, status.message) if part) or None


def _event(decision: Any, **known: Any) -> dict[str, Any]:
    blank = {"pod": None, "uid": None, "node": None, "message": None}
    return {
        "seq": decision.seq, "session": decision.session, "what": decision.__struct_config__.tag,
        "outcome": decision.outcome, "action": getattr(decision, "action", None), **blank, **known,
    }  # fmt: skip
