"""What the queues of a snapshot hold, deserve and ask for, resource by resource.

The figures are those that a session of the snapshot's own Volcano would begin with: deserved follows the
plugin that shares out resources there, proportion or capacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.amounts import amount, is_bytes
from dashboard.models import Snapshot

WHOLE = ("cpu", "pods")
NOT_SHARED = ("pods", "ephemeral-storage")
"""Resources that say little of a queue's share."""
_FIGURES = ("guarantee", "deserved", "capability", "allocated", "request")
Amount = float | None


class QueueLine(NamedTuple):
    """A queue in one resource, in the page's units; None: not said, or not known.

    waiting: its pod groups without their minimum. wants: what its pending pods ask for.
    """

    name: str
    weight: int
    guarantee: Amount
    deserved: Amount
    capability: Amount
    held: Amount
    wants: float
    waiting: int

    @property
    def share(self) -> Amount:
        """What it holds of what it deserves; None where it deserves nothing that is known."""
        return self.held / self.deserved if self.held is not None and self.deserved else None

    @property
    def over(self) -> float:
        """What it holds beyond what it deserves."""
        return max(0.0, (self.held or 0) - self.deserved) if self.deserved is not None else 0.0

    @property
    def owed(self) -> float:
        """What it lacks of what it deserves."""
        return max(0.0, self.deserved - (self.held or 0)) if self.deserved is not None else 0.0


def resources_of(rows: Mapping[str, Any], snapshot: Snapshot) -> list[str]:
    """Return the resources that queues are asked for, the scarcest first: asked for by allocatable."""
    asked: dict[str, float] = {}
    for row in rows.values():
        for name in row.request:
            asked[name] = asked.get(name, 0) + (units_of(row.request, name) or 0)
    shared = [name for name, number in asked.items() if number and name not in NOT_SHARED]
    return sorted(shared, key=lambda name: (-asked[name] / (whole_of(snapshot, name) or 1), name))


def whole_of(snapshot: Snapshot, resource: str) -> int:
    """Return what the nodes of a snapshot have of a resource."""
    figures = snapshot.resources.get(resource)
    return figures["allocatable"] if figures else 0


def lines_of(rows: Mapping[str, Any], waiting: Mapping[str, int], resource: str) -> list[QueueLine]:
    """Return the queues that hold or ask for something or are limited, those that hold most first."""
    lines = (_line(row, waiting.get(name, 0), resource) for name, row in rows.items())
    told = (one for one in lines if any((one.held, one.wants, one.waiting, one.guarantee, one.capability)))
    return sorted(told, key=lambda line: (-(line.held or 0), -line.wants, line.name))


def _line(row: Any, waiting: int, resource: str) -> QueueLine:
    guarantee, deserved, capability, held, request = (
        units_of(getattr(row, figure), resource) for figure in _FIGURES
    )
    if not row.allocated:
        deserved = held = None
    elif held is None:
        held = 0
    if resource in ("cpu", "memory"):
        capability = capability or None
    wants = max(0.0, (request or 0) - (held or 0))
    return QueueLine(row.name, row.weight, guarantee or None, deserved, capability, held, wants, waiting)


def units_of(figures: Mapping[str, float | None], resource: str) -> Amount:
    """Return an amount of the log's in the units of pages: it has thousandths of devices."""
    number = figures.get(resource)
    if number is None:
        return None
    whole = resource in WHOLE or is_bytes(resource)
    return int(number) if whole else number / 1000 if number % 1000 else int(number) // 1000


def lead(lines: Sequence[QueueLine], resource: str) -> tuple[str, str]:
    """Return what waits in which queues, and which hold more or less than they deserve, as two sentences."""
    groups, wants = sum(line.waiting for line in lines), sum(line.wants for line in lines)
    said = f"{amount(wants, resource)} {resource}"
    if not wants:
        first = f"No pending pod of a queue asks for {resource}."
    elif groups:
        first = f"{groups:,} {'job waits' if groups == 1 else 'jobs wait'}; pending pods ask for {said}."
    else:
        first = f"Pending pods of the queues ask for {said}."
    over = [line for line in lines if line.over]
    owed = [line for line in lines if line.owed and line.wants]
    parts = [_told(over, "over", "more than", resource), _told(owed, "owed", "less than", resource)]
    second = "; ".join(filter(None, parts))
    return first, f"{second}." if second else "No queue holds more than it deserves."


def _told(lines: Iterable[QueueLine], figure: str, words: str, resource: str) -> str:
    found = sorted(lines, key=lambda line: -getattr(line, figure))
    if not found:
        return ""
    rest = len(found) - 2
    names = ", ".join(one.name for one in found[:2]) if rest > 0 else " and ".join(one.name for one in found)
    total = amount(sum(getattr(line, figure) for line in found), resource)
    if len(found) == 1:
        return f"{names} holds {total} {words} it deserves"
    return f"{names}{f' and {rest:,} more' if rest > 0 else ''} hold {total} {words} they deserve"
