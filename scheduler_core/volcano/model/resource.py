"""Amounts of resources as Volcano holds them: 64-bit floats, and rules for what one side doesn't name.

Source: volcano v1.16 pkg/scheduler/api/resource_info.go, api/helpers/helpers.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from scheduler_core.objects.amounts.go_quantity import GoQuantity, go_quantity
from scheduler_core.objects.amounts.requests import counted_by_scheduler

LEAST = 0.1
"""Below this an amount is nothing, and a difference is none."""
MAX_FLOAT = 1.7976931348623157e308
MAX_INT64 = float(2**63 - 1)
CPU, MEMORY, PODS = "cpu", "memory", "pods"
_MILLI, _UNIT = -3, 0

Absent = Literal["zero", "infinity"]
"""What a dimension counts for that is not named."""
ResourceList = Mapping[str, str | int | float]


class Resource:
    """`cpu` in milli-CPU, `memory` in bytes, `scalars` in thousandths, but `pods` in pods.

    `scalars` is None where nothing was ever put there, which a few rules tell from an empty one.
    """

    __slots__ = ("cpu", "memory", "scalars")

    def __init__(
        self, cpu: float = 0.0, memory: float = 0.0, scalars: dict[str, float] | None = None
    ) -> None:
        self.cpu = cpu
        self.memory = memory
        self.scalars = scalars

    @classmethod
    def of(cls, amounts: ResourceList | None) -> Resource:
        """Return what a Kubernetes resource list says. Raises QuantityError."""
        return cls.of_quantities({name: go_quantity(text) for name, text in (amounts or {}).items()})

    @classmethod
    def of_quantities(cls, amounts: Mapping[str, GoQuantity]) -> Resource:
        """Return what such a list says that has been read."""
        made = cls()
        for name, amount in amounts.items():
            if name == CPU:
                made.cpu += float(amount.in_units_of(_MILLI))
            elif name == MEMORY:
                made.memory += float(amount.in_units_of(_UNIT))
            elif name == PODS:
                made.add_scalar(name, float(amount.in_units_of(_UNIT)))
            elif _counts(name):
                made.add_scalar(name, float(amount.in_units_of(_MILLI)))
        return made

    def __repr__(self) -> str:
        return f"Resource({self.cpu}, {self.memory}, {self.scalars})"

    def text(self) -> str:
        """Return it as Volcano's messages have it."""
        amounts = [(CPU, self.cpu), (MEMORY, self.memory), *sorted((self.scalars or {}).items())]
        return ", ".join(f"{name} {_words(amount)}" for name, amount in amounts)

    def clone(self) -> Resource:
        """Return a copy."""
        return Resource(self.cpu, self.memory, None if self.scalars is None else dict(self.scalars))

    def same_as(self, other: Resource) -> bool:
        """Return whether both name the same amounts of the same resources."""
        mine, theirs = self.scalars or {}, other.scalars or {}
        return (self.cpu, self.memory) == (other.cpu, other.memory) and mine == theirs

    # -- reading -------------------------------------------------------------------------------------

    def get(self, name: str) -> float:
        """Return the amount of a resource, 0 where it is not named."""
        if name == CPU:
            return self.cpu
        if name == MEMORY:
            return self.memory
        return (self.scalars or {}).get(name, 0.0)

    def names(self) -> list[str]:
        """Return the resources of which there is something: cpu, memory, then the others by name."""
        named = [name for name in (CPU, MEMORY) if self.get(name) >= LEAST]
        return named + [name for name, amount in sorted((self.scalars or {}).items()) if amount >= LEAST]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing but `pods`."""
        if self.cpu >= LEAST or self.memory >= LEAST:
            return False
        return not any(amount >= LEAST for name, amount in (self.scalars or {}).items() if name != PODS)

    # -- arithmetic, in place ------------------------------------------------------------------------

    def add_scalar(self, name: str, amount: float) -> None:
        """Add an amount of a resource that is neither cpu nor memory."""
        if self.scalars is None:
            self.scalars = {}
        self.scalars[name] = self.scalars.get(name, 0.0) + amount

    def add(self, other: Resource) -> Resource:
        """Add and return this."""
        self.cpu += other.cpu
        self.memory += other.memory
        if other.scalars:
            mine = self.scalars
            if mine is None:
                mine = self.scalars = {}
            for name, amount in other.scalars.items():
                mine[name] = mine.get(name, 0.0) + amount
        return self

    def sub(self, other: Resource) -> Resource:
        """Subtract and return this; where nothing was ever put in, other resources stay unnamed."""
        self.cpu -= other.cpu
        self.memory -= other.memory
        mine = self.scalars
        if mine is not None and other.scalars:
            for name, amount in other.scalars.items():
                mine[name] = mine.get(name, 0.0) - amount
        return self

    def times(self, ratio: float) -> Resource:
        """Multiply and return this."""
        self.cpu *= ratio
        self.memory *= ratio
        for name in self.scalars or {}:
            self.scalars[name] *= ratio  # type: ignore[index]
        return self

    def raise_to(self, other: Resource) -> None:
        """Take the larger amount of each resource (SetMaxResource)."""
        self.cpu = max(self.cpu, other.cpu)
        self.memory = max(self.memory, other.memory)
        if other.scalars and self.scalars is None:
            self.scalars = dict(other.scalars)
        for name, amount in (other.scalars or {}).items():
            if name not in self.scalars or amount > self.scalars[name]:  # type: ignore[operator, index]
                self.scalars[name] = amount  # type: ignore[index]

    def lower_to(self, other: Resource, absent: Absent) -> Resource:
        """Take the smaller amount of each resource named here (MinDimensionResource) and return this."""
        self.cpu = min(self.cpu, other.cpu)
        self.memory = min(self.memory, other.memory)
        theirs = other.scalars or {}
        for name, amount in (self.scalars or {}).items():
            if name in theirs:
                self.scalars[name] = min(amount, theirs[name])  # type: ignore[index]
            elif absent == "zero":
                self.scalars[name] = 0.0  # type: ignore[index]
        return self

    # -- comparing -----------------------------------------------------------------------------------

    def fits_in(self, room: Resource, absent: Absent = "zero") -> bool:
        """Return whether no amount is above the room's (LessEqual), up to a difference of LEAST."""
        if not (_at_most(self.cpu, room.cpu) and _at_most(self.memory, room.memory)):
            return False
        mine, theirs = self.scalars or {}, room.scalars or {}
        if absent == "infinity" and any(name not in mine for name in theirs):
            return False
        return all(
            _at_most(amount, theirs.get(name, 0.0))
            for name, amount in mine.items()
            if absent == "zero" or name in theirs
        )

    def has_room_for(self, more: Resource, limit: Resource) -> bool:
        """Return whether this and more stay within the limit, in the dimensions that more asks for.

        As `lacking_for` has it, without its list.
        """
        if more.cpu > 0 and self.cpu + more.cpu > limit.cpu:
            return False
        if more.memory > 0 and self.memory + more.memory > limit.memory:
            return False
        mine, theirs = self.scalars or {}, limit.scalars or {}
        for name, want in (more.scalars or {}).items():
            if name != PODS and want > 0 and mine.get(name, 0.0) + want > theirs.get(name, 0.0):
                return False
        return True

    def lacking_for(self, limit: Resource, asked: Resource) -> list[str]:
        """Return the resources asked for of which this is above the limit; `pods` never is.

        LessEqualWithDimensionAndResourcesName: exact, without the difference of LEAST.
        """
        lacking = [
            name
            for name, want, amount, most in (
                (CPU, asked.cpu, self.cpu, limit.cpu),
                (MEMORY, asked.memory, self.memory, limit.memory),
            )
            if want > 0 and amount > most
        ]
        if self.scalars is None:
            return lacking
        theirs = limit.scalars or {}
        return lacking + [
            name
            for name, want in sorted((asked.scalars or {}).items())
            if name != PODS and want > 0 and self.scalars.get(name, 0.0) > theirs.get(name, 0.0)
        ]


def _words(amount: float) -> str:
    return {MAX_FLOAT: "maxFloat", MAX_INT64: "maxInt"}.get(amount) or f"{amount:.2f}"


def _counts(name: str) -> bool:
    return not name.startswith("count/") and counted_by_scheduler(name)


def _at_most(amount: float, most: float) -> bool:
    return amount < most or abs(amount - most) < LEAST


def difference(left: Resource, right: Resource) -> tuple[Resource, Resource]:
    """Return by how much the left is above the right, and below it, resource by resource (Diff).

    What is above is named in the one only, everything else in the other.
    """
    mine, theirs = left.scalars or {}, right.scalars or {}
    above, below = Resource(scalars={}), Resource(scalars={})
    for name in (CPU, MEMORY):
        here, there = left.get(name), right.get(name)
        setattr(above if here > there else below, name, abs(here - there))
    for name in {**mine, **theirs}:
        here, there = mine.get(name, 0.0), theirs.get(name, 0.0)
        (above if here > there else below).add_scalar(name, abs(here - there))
    return above, below


def exceeded_part(left: Resource, right: Resource) -> Resource:
    """Return by how much the left is above the right, naming those resources only."""
    return difference(left, right)[0]


def maximum(left: Resource, right: Resource) -> Resource:
    """Return the larger amount of each resource."""
    made = Resource(max(left.cpu, right.cpu), max(left.memory, right.memory))
    if left.scalars is None and right.scalars is None:
        return made
    made.scalars = {name: amount for name, amount in (left.scalars or {}).items() if amount >= 0}
    for name, amount in (right.scalars or {}).items():
        if amount >= 0:
            made.scalars[name] = max(amount, made.scalars.get(name, 0.0))
    return made


def share(part: float, whole: float) -> float:
    """Return part / whole; of nothing it is 1, nothing of nothing 0."""
    if whole == 0:
        return 0.0 if part == 0 else 1.0
    return part / whole


def largest_share(held: Resource, whole: Resource) -> float:
    """Return the largest share that is held, of what there is something of; 0 where there is nothing."""
    parts = []
    if whole.cpu >= LEAST:
        parts.append(held.cpu / whole.cpu)
    if whole.memory >= LEAST:
        parts.append(held.memory / whole.memory)
    mine = held.scalars or {}
    for name, amount in sorted((whole.scalars or {}).items()):
        if amount >= LEAST:
            parts.append(mine.get(name, 0.0) / amount)
    return max(parts, default=0.0)


def total(resources: Iterable[Resource]) -> Resource:
    """Return the sum."""
    made = Resource()
    for one in resources:
        made.add(one)
    return made
