"""What a queue of a run comes to, in the sentences that its page begins with."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.amounts import amount
from dashboard.kinds.volcano.services.queue_shares import units_of
from dashboard.kinds.volcano.shapes import QueueSession
from scheduler_core.world.edits.additions import count_of

_NAMED = 3


def lead(
    row: Mapping[str, Any],
    groups: Iterable[Mapping[str, Any]],
    history: Iterable[QueueSession],
    resource: str,
    others: Mapping[str, Mapping[str, Any]],
) -> tuple[str, str]:
    """Return what a queue holds of its share at the end, and which jobs wait, and what was reclaimed.

    others: the rows of the other queues that have none below them; they are told where this one is owed some.
    """
    sessions = list(history)
    took, gave = (sum(sum(one[way].values()) for one in sessions) for way in ("took", "gave"))
    phases = Counter(group["phase"] for group in groups)
    waits = phases["Pending"] + phases["Inqueue"] > 0
    owed = _owed(row, resource) if waits else 0
    parts = [
        _waiting(phases),
        _unreclaimed(phases) if owed and not took else "",
        _above(others, resource) if owed else "",
        f"{count_of(took, 'pod')} evicted for it over the run." if took else "",
        f"{count_of(gave, 'pod')} of its own evicted for others." if gave else "",
    ]
    return _held(row, resource, owed), " ".join(filter(None, parts))


def _owed(row: Mapping[str, Any], resource: str) -> float:
    """Return how much less a queue holds than it deserves, of what it asks for."""
    deserved, held, asked = (
        units_of(row.get(name) or {}, resource) for name in ("deserved", "allocated", "request")
    )
    return 0 if deserved is None else max(0, min(deserved, asked or 0) - (held or 0))


def _held(row: Mapping[str, Any], resource: str, owed: float) -> str:
    held = units_of(row.get("allocated") or {}, resource) or 0
    share = units_of(row.get("deserved") or {}, resource)
    if owed and share is not None:
        has = f"it deserves {amount(share, resource)} and holds {amount(held, resource)} at the end"
        return f"It is owed {amount(owed, resource)} {resource}: {has}."
    says = f"It holds {amount(held, resource)} {resource} at the end"
    if share is None:
        return f"{says}."
    if held == share:
        return f"{says}: just what it deserves."
    words = "more than it deserves" if held > share else "less than it deserves"
    return f"{says}, {amount(abs(held - share), resource)} {words}."


def _unreclaimed(phases: Counter[str]) -> str:
    """Return why nothing was reclaimed, where that is plain: for jobs outside no action reclaims."""
    return "" if phases["Inqueue"] else "Nothing is reclaimed for jobs that stand outside."


def _above(others: Mapping[str, Mapping[str, Any]], resource: str) -> str:
    """Return which queues hold more than they deserve, those with most before all."""
    over: dict[str, float] = {}
    for name, row in others.items():
        deserved = units_of(row.get("deserved") or {}, resource)
        more = (units_of(row.get("allocated") or {}, resource) or 0) - (deserved or 0)
        if deserved is not None and more > 0:
            over[name] = more
    most = sorted(over, key=lambda name: (-over[name], name))
    told = [f"{name} {amount(over[name], resource)}" for name in most[:_NAMED]]
    if not told:
        return "No other queue holds more than it deserves."
    rest = f" and {count_of(len(most) - _NAMED, 'other queue')}" if len(most) > _NAMED else ""
    return f"More than they deserve hold: {', '.join(told)}{rest}."


def _waiting(phases: Counter[str]) -> str:
    """Return how many jobs wait at the end, told by how far they came."""
    outside, within = phases["Pending"], phases["Inqueue"]
    jobs = count_of(phases.total(), "job")
    if not outside + within:
        return "None of its jobs waits." if phases else ""
    said = f"{outside + within:,} of its {jobs} {'waits' if outside + within == 1 else 'wait'}"
    if not outside:
        return f"{said}, let in."
    return f"{said}: {within:,} let in, {outside:,} outside." if within else f"{said}, outside."
