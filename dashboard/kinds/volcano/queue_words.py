"""What a queue of a run comes to, in the sentences that its page begins with."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from dashboard.amounts import amount
from dashboard.kinds.volcano.services.queue_shares import units_of
from dashboard.kinds.volcano.shapes import QueueSession
from scheduler_core.events.sessions import Figures
from scheduler_core.world.edits.additions import count_of


def lead(
    row: Mapping[str, Any],
    groups: Iterable[Mapping[str, Any]],
    history: Iterable[QueueSession],
    resource: str,
) -> tuple[str, str]:
    """Return what a queue holds of its share at the end, and which jobs wait, and what was reclaimed."""
    sessions = list(history)
    took, gave = (sum(sum(one[way].values()) for one in sessions) for way in ("took", "gave"))
    parts = [
        _waiting(Counter(group["phase"] for group in groups)),
        f"{count_of(took, 'pod')} had to go for it over the run." if took else "",
        f"{count_of(gave, 'pod')} of its own had to go for others." if gave else "",
    ]
    return _held(row.get("deserved"), row.get("allocated"), resource), " ".join(filter(None, parts))


def _held(deserved: Figures | None, allocated: Figures | None, resource: str) -> str:
    held = units_of(allocated or {}, resource) or 0
    share = units_of(deserved or {}, resource)
    says = f"It holds {amount(held, resource)} {resource} at the end"
    if share is None:
        return f"{says}."
    if held == share:
        return f"{says}: just what it deserves."
    words = "more than it deserves" if held > share else "less than it deserves"
    return f"{says}, {amount(abs(held - share), resource)} {words}."


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
