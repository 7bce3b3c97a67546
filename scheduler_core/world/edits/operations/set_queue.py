"""The edit set-queue: what a queue of Volcano's may hold and deserves, field by field.

Source: volcano v1.16 QueueSpec in pkg/apis/scheduling/v1beta1/types.go, whose weight is an int32. The webhook
gives a new queue without a weight 1, so that less is refused here; whatever the webhook refuses of a changed
queue is refused too.
"""

from typing import Annotated, Any

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.identity import name_of, spec_of
from scheduler_core.objects.kinds import Kind
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.changes import change_by_field
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Edit, Field, Words, said
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
QUEUE = Kind("scheduling.volcano.sh", "Queue")
MAX_WEIGHT = 2**31 - 1
_RESOURCES = ("guarantee", "deserved", "capability")
_FIELDS = ("weight", *_RESOURCES, "reclaimable", "parent")
Amounts = Annotated[
    dict[str, str | int | None] | None,
    said("By resource, over those of now: `8`, `500m`, `64Gi`; null takes one away."),
]


def present(queue: Object) -> dict[str, str]:
    """Return what a queue says now, by field of the edit, as readers see it; `none` for nothing."""
    spec = spec_of(queue)
    return {
        "weight": str(spec.get("weight", "none")),
        **{field: _listed(_resources(queue, field)) for field in _RESOURCES},
        "reclaimable": "no" if spec.get("reclaimable") is False else "yes",
        "parent": str(spec.get("parent") or "none"),
    }


class SetQueue(Edit, kw_only=True, tag="set-queue", frozen=True):
    """Changes what a queue of Volcano's is given; the fields that are left out stay as they are."""

    words = Words(
        "Change a queue of Volcano",
        "Queue",
        "Change queue {name}",
        (
            Field("name", "Queue", "present"),
            Field("weight", "Weight", "count", optional=True, least=1),
            Field("guarantee", "Guarantee (cpu=4, memory=8Gi; cpu- takes one away)", "labels", optional=True),
            Field("deserved", "Deserved", "labels", optional=True),
            Field("capability", "Capability", "labels", optional=True),
            Field("reclaimable", "May other queues reclaim from it", "switch", optional=True),
            Field("parent", "Parent queue", "text", optional=True),
        ),
        {"name": ""},
        hint="weight, guarantee, deserved, capability, reclaimable, parent",
    )
    makes_pods = False

    name: Annotated[str, said("The queue's name.")]
    weight: Annotated[int | None, said(f"Its weight, 1 to {MAX_WEIGHT:,}.")] = None
    guarantee: Amounts = None
    deserved: Amounts = None
    capability: Amounts = None
    reclaimable: Annotated[bool | None, said("Whether other queues may reclaim from it.")] = None
    parent: Annotated[str | None, said("The queue above it.")] = None

    def check(self) -> None:
        super().check()
        if self.weight is not None and not 1 <= self.weight <= MAX_WEIGHT:
            raise Refused("weight", f"must be between 1 and {MAX_WEIGHT:,}, not {self.weight}")
        if self.parent == "":
            raise Refused("parent", "must name a queue")
        for field in _RESOURCES:
            _check_amounts(field, getattr(self, field) or {})

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Change the queue's spec and say each value, old and new. Raises Refused."""
        old = cluster.get(QUEUE, None, self.name)
        given = [field for field in _FIELDS if getattr(self, field) is not None]
        if not given:  # a draft may have it: its form is still to be filled in
            raise Refused("", f"changes nothing: give {', '.join(_FIELDS[:-1])} or {_FIELDS[-1]}")
        if self.parent is not None:
            self._check_parent(cluster)
        new = {**old, "spec": self._changed(old)}
        before, after = present(old), present(new)
        moved = [field for field in given if before[field] != after[field]]
        told = ", ".join(f"{field} {before[field]} → {after[field]}" for field in moved or given)
        result.sentence = f"queue {name_of(old)}: {told}"
        if not moved:
            result.note("changes nothing")
            return
        change_by_field(cluster, old, new, result, "queue", _field_of)

    def _changed(self, queue: Object) -> Object:
        spec = dict(spec_of(queue))
        for field in ("weight", "reclaimable", "parent"):
            if getattr(self, field) is not None:
                spec[field] = getattr(self, field)
        for field in _RESOURCES:
            given = getattr(self, field)
            if given is None:
                continue
            amounts = {**_resources(queue, field), **given}
            amounts = {name: str(amount) for name, amount in amounts.items() if amount is not None}
            spec[field] = {"resource": amounts} if field == "guarantee" else amounts
        return spec

    def _check_parent(self, cluster: EditedCluster) -> None:
        """Refuse a parent that isn't there, or is the queue itself or below it: no tree would come of it."""
        above, passed = self.parent, [self.name]
        while above:
            if above in passed:
                below = "itself" if above == self.name == self.parent else f"below {self.name}"
                raise Refused("parent", f"{self.parent} is {below}")
            found = cluster.find(QUEUE, None, above)
            if not found and above == self.parent and above != "root":
                raise Refused("parent", f"there is no queue {above}")
            passed.append(above)
            above = str(spec_of(found[-1]).get("parent") or "") if found else ""


def _resources(queue: Object, field: str) -> dict[str, Any]:
    found = spec_of(queue).get(field) or {}
    amounts = found.get("resource") if field == "guarantee" and isinstance(found, dict) else found
    return dict(amounts) if isinstance(amounts, dict) else {}


def _listed(amounts: dict[str, Any]) -> str:
    return ", ".join(f"{name}={amount}" for name, amount in amounts.items()) or "none"


def _check_amounts(field: str, amounts: dict[str, str | int | None]) -> None:
    for name, amount in amounts.items():
        try:
            parse_quantity("0" if amount is None else str(amount))
        except QuantityError as error:
            raise Refused(f"{field}.{name}", str(error)) from None


def _field_of(place: str) -> str:
    """Return the field of the edit that a place in the queue is about."""
    return next((field for field in _FIELDS if f"spec.{field}" in place), place)
