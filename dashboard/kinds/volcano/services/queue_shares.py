"""What the queues of a snapshot hold, deserve and ask for, resource by resource.

The figures are those that a session of the snapshot's own Volcano would begin with: deserved follows the
plugin that shares out resources there, proportion or capacity.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db.models import Count

from dashboard.amounts import amount, is_bytes
from dashboard.kinds.volcano.queries.objects import objects_of
from dashboard.models import Snapshot
from dashboard.models.volcano import WAITING_PHASES
from dashboard.services.workspace.why_packing import unpack_queues
from dashboard.services.workspace.why_pending import Asking
from scheduler_core.volcano.api_kinds import VOLCANO_POD_GROUP
from scheduler_core.volcano.cache.tables import QueueRow

WHOLE = ("cpu", "pods")
NOT_SHARED = ("pods", "ephemeral-storage")
"""Resources that say little of a queue's share."""
_UNCOMPUTED = "what queues hold and deserve isn’t computed"
_FIGURES = ("guarantee", "deserved", "capability", "allocated", "request")
Amount = float | None


class QueueLine(NamedTuple):
    """A queue in one resource, in the page's units; None: not said, or not known.

    waiting: its pod groups without their minimum. wants: what its pending pods ask for. promised: what jobs
    that are let in hold not yet.
    """

    name: str
    weight: int
    guarantee: Amount
    deserved: Amount
    capability: Amount
    held: Amount
    wants: float
    waiting: int
    promised: float = 0

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


def figures_of(asking: Asking) -> dict[str, QueueRow] | None:
    """Return rows of queues by name, none where no waiting pod names Volcano; None while not known."""
    if asking.queues is not None:
        return unpack_queues(asking.queues, QueueRow)
    return {} if asking.is_ready else None


class Shares:
    """The queues of a snapshot, one resource after the other.

    rows: by name, as the cluster's own Volcano has them. `whole` says what the nodes have of a resource.
    """

    def __init__(self, rows: Mapping[str, QueueRow], snapshot: Snapshot) -> None:
        self._rows = rows
        self._groups = _groups_of(snapshot)
        self._own = with_jobs(rows, self._groups)
        self.whole = {name: figures["allocatable"] for name, figures in snapshot.resources.items()}
        self.resources = resources_of(self._own.values(), self.whole)

    def lines(self, resource: str) -> list[QueueLine]:
        """Return the queues that hold or ask for something or are limited, those that hold most first."""
        return self._lines(self._rows, resource)

    def lead(self, resource: str) -> tuple[str, str]:
        """Return the two sentences that come first."""
        return lead(self._lines(self._own, resource), resource)

    @property
    def is_shared(self) -> bool:
        """Whether any queue deserves a set amount."""
        return any(row.deserved for row in self._rows.values())

    def _lines(self, rows: Mapping[str, QueueRow], resource: str) -> list[QueueLine]:
        lines = (line_of(row, self._groups.get(name, {}), resource) for name, row in rows.items())
        told = (
            one for one in lines if any((one.held, one.wants, one.waiting, one.guarantee, one.capability))
        )
        return sorted(told, key=lambda line: (-(line.held or 0), -line.wants, line.name))


def why_none(asking: Asking, rows: Mapping[str, QueueRow]) -> str:
    """Return why nothing is said of queues, as a sentence; empty where something is."""
    if asking.untried:
        return f"What queues hold and deserve isn’t computed here. {asking.untried}"
    if is_cut(asking):
        return "The question was ended before what queues hold and deserve was known."
    if not rows:
        return f"No waiting pod names Volcano, so it isn’t played here: {_UNCOMPUTED}."
    return ""


def is_cut(asking: Asking) -> bool:
    """Return whether a reader has ended the question before queues were asked about."""
    return asking.ended and asking.queues is None


def with_jobs(rows: Mapping[str, QueueRow], groups: Mapping[str, Any]) -> dict[str, QueueRow]:
    """Return the rows without those of queues whose figures are but the sums of their children's.

    groups: something for each queue that has pod groups of its own.
    """
    sums = {row.parent for row in rows.values()} - set(groups)
    return {name: row for name, row in rows.items() if name not in sums}


def resources_of(rows: Iterable[QueueRow], whole: Mapping[str, float]) -> list[str]:
    """Return the resources that queues are asked for, the scarcest first: asked for by allocatable."""
    asked: dict[str, float] = {}
    for row in rows:
        for name in row.request:
            asked[name] = asked.get(name, 0) + (units_of(row.request, name) or 0)
    shared = [name for name, number in asked.items() if number and name not in NOT_SHARED]
    return sorted(shared, key=lambda name: (-asked[name] / (whole.get(name) or 1), name))


def _groups_of(snapshot: Snapshot) -> dict[str, dict[str, int]]:
    """Return how many pod groups each queue has, by phase."""
    groups = objects_of(snapshot, VOLCANO_POD_GROUP).order_by().values_list("queue", "phase")
    found: dict[str, dict[str, int]] = {}
    for queue, phase, number in groups.annotate(number=Count("pk")):
        found.setdefault(queue, {})[phase] = number
    return found


def line_of(row: QueueRow, groups: Mapping[str, int], resource: str) -> QueueLine:
    """Return a queue in one resource; groups: how many of its pod groups are in each phase."""
    waiting = sum(groups.get(phase, 0) for phase in WAITING_PHASES)
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
    promised = units_of(row.inqueue, resource) or 0
    return QueueLine(
        row.name, row.weight, guarantee or None, deserved, capability, held, wants, waiting, promised
    )


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
