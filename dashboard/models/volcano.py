"""Volcano's objects in a snapshot: its Jobs, PodGroups and Queues."""

from django.db import models

from dashboard.models.documents import DocumentField
from dashboard.models.snapshots import Snapshot


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
