"""The life of a pod group in a run of sessions: what each decided about it, what it was told at their close.

Decisions about it are found by its name in the recorded text, before anything is decoded.
"""

from collections.abc import Iterator

from dashboard.kinds.volcano.shapes import GroupEvent
from dashboard.models import DecisionIndex, Run
from dashboard.pod_names import pod_name
from dashboard.queries.log import decisions_at
from scheduler_core.events.decisions import Decision, decision_decoder
from scheduler_core.events.sessions import Enqueueing, Gang, GroupStatus, Placement, SessionClosed

KINDS = ["enqueue", "placement", "gang", "close"]
LARGEST_GANG_NAMED = 5


def group_history(run: Run, group: str) -> list[GroupEvent]:
    """Return what happened to a pod group (`namespace/name`), in order."""
    numbers = (
        DecisionIndex.objects.filter(run=run, kind__in=KINDS).order_by("seq").values_list("seq", flat=True)
    )
    mark = f'"{group}"'.encode()
    lines = (line for line in decisions_at(run, list(numbers)) if mark in line)
    return list(_events(map(decision_decoder.decode, lines), group))


def _events(decisions: Iterator[Decision], group: str) -> Iterator[GroupEvent]:
    before: GroupStatus | None = None
    open_tries = 0
    for decision in decisions:
        match decision:
            case Enqueueing(job=job) if job == group:
                lacking = ", ".join(decision.lacking)
                yield _event(decision, f"rejected by {lacking}" if lacking else None)
            case Placement(job=job) if job == group:
                open_tries += decision.outcome in ("allocated", "pipelined")
                yield {
                    **_event(decision, _placed(decision)),
                    "pod": pod_name(decision.pod),
                    "uid": decision.pod.uid,
                    "node": decision.node or None,
                }
            case Gang(job=job) if job == group:
                yield _event(decision, _settled(decision, open_tries))
                open_tries = 0
            case SessionClosed():
                now = next((one for one in decision.groups if one.job == group), None)
                if now is not None and now != before:
                    yield {**_event(decision, _told(now)), "outcome": now.phase}
                before = now or before


def _placed(decision: Placement) -> str | None:
    if decision.victims:
        names = [pod_name(one) for one in decision.victims[:LARGEST_GANG_NAMED]]
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


def _event(decision: Enqueueing | Placement | Gang | SessionClosed, message: str | None) -> GroupEvent:
    return {
        "seq": decision.seq,
        "session": decision.session,
        "what": str(decision.__struct_config__.tag),
        "outcome": decision.outcome,
        "action": None if isinstance(decision, SessionClosed) else decision.action,
        "pod": None,
        "uid": None,
        "node": None,
        "message": message,
    }
