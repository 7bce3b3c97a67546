"""Volcano's objects in a snapshot: its Jobs, PodGroups, Queues and HyperNodes."""

from collections.abc import Iterable
from typing import Any

from django.db import models

from dashboard.models.documents import DocumentField
from dashboard.models.snapshots import Snapshot
from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.volcano.api_kinds import VOLCANO_JOB

WAITING_PHASES = ("Pending", "Inqueue")


class VolcanoObject(models.Model):
    """One of them, with what `kubectl get` says of it.

    `kind` is with its API group, `Job.batch.volcano.sh`, so that it is never taken for batch's Job;
    `namespace` is empty for a queue. `queue` is the one that it is in, of a queue its parent; `owner` is what
    made it, as a pod's `workload`. `minimum` pods are needed at once, `running` run; `weight` is a queue's.
    Null is not said.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="volcano")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=63)
    namespace = models.CharField(max_length=253, blank=True, default="")
    name = models.CharField(max_length=253)
    queue = models.CharField(max_length=253, blank=True, default="")
    owner = models.CharField(max_length=600, blank=True, default="")
    phase = models.CharField(max_length=32, blank=True, default="")
    minimum = models.PositiveBigIntegerField(null=True, blank=True)
    running = models.PositiveBigIntegerField(null=True, blank=True)
    weight = models.PositiveBigIntegerField(null=True, blank=True)
    created_at = models.DateTimeField(null=True, blank=True)
    object = DocumentField()

    class Meta:
        ordering = ["snapshot", "position"]
        constraints = [
            models.UniqueConstraint(name="volcano_once", fields=["snapshot", "kind", "namespace", "name"]),
            models.UniqueConstraint(name="volcano_position_once", fields=["snapshot", "position"]),
        ]
        indexes = [
            models.Index(fields=["snapshot", "kind", "queue"], name="volcano_queue"),
            models.Index(fields=["snapshot", "kind", "owner"], name="volcano_owner"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name

    @property
    def is_waiting(self) -> bool:
        """Whether a Job or a group has not what it needs at once."""
        return self.phase in WAITING_PHASES

    @property
    def is_short(self) -> bool:
        """Whether fewer of its pods run than it needs at once, or it says that it waits."""
        known = self.running is not None and self.minimum is not None
        return self.is_waiting or (known and (self.running or 0) < (self.minimum or 0))

    @property
    def devices(self) -> dict[str, float]:
        """What it asks for of devices, by resource: all pods of a Job's tasks, a group's minResources.

        Amounts that can't be read count as none; a queue asks for nothing.
        """
        spec = self.object.get("spec") or {}
        if self.kind == str(VOLCANO_JOB):
            return _devices_of_tasks(spec.get("tasks") or ())
        return _devices({}, spec.get("minResources") or {}, 1)


def _devices_of_tasks(tasks: Iterable[dict[str, Any]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for task in tasks:
        replicas = task.get("replicas")
        pod = (task.get("template") or {}).get("spec") or {}
        for container in pod.get("containers") or ():
            resources = container.get("resources") or {}
            asked = {**(resources.get("limits") or {}), **(resources.get("requests") or {})}
            _devices(found, asked, replicas if isinstance(replicas, int) else 0)
    return found


def _devices(found: dict[str, float], asked: dict[str, Any], times: int) -> dict[str, float]:
    """Add what is asked of resources with a domain, such as nvidia.com/gpu."""
    for name, text in asked.items():
        if "/" in name and not name.startswith(("requests.", "limits.", "count/")):
            try:
                found[name] = found.get(name, 0) + parse_quantity(str(text)).nanos / 10**9 * times
            except QuantityError:
                continue
    return found
