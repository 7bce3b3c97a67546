"""The cluster of a scenario that is served to kube-schedulers: what has changed of its snapshot."""

from django.db import models

from dashboard.models.documents import DocumentField


class ServedCluster(models.Model):
    """One scenario's. Whoever changes anything of it holds the lock of this row; `version` counts changes."""

    scenario = models.OneToOneField("dashboard.Scenario", on_delete=models.CASCADE, related_name="served")
    version = models.PositiveBigIntegerField(default=0)

    def __str__(self) -> str:
        return f"served cluster of scenario {self.scenario_id}"


class ServedObject(models.Model):
    """What a change has made of something; `version` is the cluster's since then.

    kind: `Node`, `Pod`, or `Memory` for what HAMi remembers. key: a node's name, a pod's `namespace/name`.
    object: null for what is gone.
    """

    cluster = models.ForeignKey(
        ServedCluster, on_delete=models.CASCADE, db_index=False, related_name="objects_written"
    )
    kind = models.CharField(max_length=16)
    key = models.CharField(max_length=600)
    version = models.PositiveBigIntegerField()
    object = DocumentField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="served_object_once", fields=["cluster", "kind", "key"]),
        ]
        indexes = [models.Index(fields=["cluster", "version"], name="served_object_changes")]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
