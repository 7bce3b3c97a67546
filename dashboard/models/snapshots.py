"""Snapshots: immutable pictures of a cluster, with a searchable row for each node, pod and workload.

`content` is the truth (the List that the engine reads); the rows repeat parts of it for search and
summary. While an import is under way the row holds its progress and its lease, and `Upload` the files.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q

from dashboard.models.clusters import Cluster
from dashboard.models.deltas import restored_list
from dashboard.models.documents import DocumentField
from dashboard.models.leased import Leased
from dashboard.models.packing import unpack


class Snapshot(Leased):
    """A cluster as it was imported: `content` is a zstd-compressed JSON List, `content_hash` its sha256.

    resources: {resource: {"allocatable", "requested", "unit"}}. pending: pods without a node;
    gated: those of them that wait for their scheduling gates before anybody looks for a node.
    counts: objects by kind. findings: [{"warning", "count", "places", "of_files"}], whom warnings are about.
    lacks: what is named and missing: [{"phrase", "kinds"}], as runs say it; null of older ones.
    dropped: private parts. taken_at: the newest time seen in it.
    server_versions: what API servers said of themselves, as v1.29.4-eks-036c24b.
    cluster: the connected one that it is a reading of. cancel_requested: somebody has ended its import.
    goes_on: of a reading that the next one may begin with, from where: {"uid", "versions", "config_maps",
    "listed_at"}, and of one that began so itself "base" and "changed".
    needed_at: when a reading that had been put away was last brought back.
    ended_at: when its import became ready or failed; null of older ones.
    without_faulty: whether its import leaves faulty objects out. faulty: of an import that failed, how many
    files and objects `content` lacks, since they are faulty; 0 where nothing was kept.
    """

    class Status(models.TextChoices):
        """`importing` until everything is stored, then `ready`, or `failed` with its problems.

        `away`: a reading that is stored as a `Delta`, without content and rows; `returning` until it is ready
        again, or away with problems.
        """

        IMPORTING = "importing"
        READY = "ready"
        FAILED = "failed"
        AWAY = "away"
        RETURNING = "returning"

    name = models.CharField(max_length=200)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(auto_now_add=True)
    content_hash = models.CharField(max_length=64, blank=True, default="")
    content = models.BinaryField(default=b"")
    counts = DocumentField(default=dict)
    warnings = DocumentField(default=list)
    findings = DocumentField(default=list)
    dropped = DocumentField(default=list)
    taken_at = models.DateTimeField(null=True, blank=True)
    resources = DocumentField(default=dict)
    lacks = DocumentField(null=True, blank=True)
    server_versions = DocumentField(default=list)
    pending = models.PositiveIntegerField(default=0)
    gated = models.PositiveIntegerField(default=0)
    is_sample = models.BooleanField(default=False)
    cluster = models.ForeignKey(
        Cluster, null=True, blank=True, on_delete=models.SET_NULL, related_name="snapshots"
    )
    goes_on = DocumentField(default=dict)
    needed_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.IMPORTING)
    progress = DocumentField(default=dict)
    problems = DocumentField(default=list)
    cancel_requested = models.BooleanField(default=False)
    without_faulty = models.BooleanField(default=False)
    faulty = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = [
            models.CheckConstraint(
                name="snapshot_status_known",
                condition=Q(status__in=["importing", "ready", "failed", "away", "returning"]),
            ),
            models.CheckConstraint(
                name="snapshot_ready_has_content", condition=~Q(status="ready") | ~Q(content_hash="")
            ),
            models.CheckConstraint(
                name="snapshot_owner_has_heartbeat",
                condition=Q(owner="") | Q(heartbeat_at__isnull=False),
            ),
        ]
        indexes = [
            models.Index(fields=["-created_at"], name="snapshot_newest"),
            models.Index(fields=["content_hash"], name="snapshot_content_hash"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def wait_for_a_node(self) -> int:
        """How many pending pods no gate holds back."""
        return self.pending - self.gated

    @property
    def pods_and_nodes(self) -> int:
        """How many pods and nodes there are: by these the size of a cluster is told."""
        return int(self.counts.get("Pod", 0) + self.counts.get("Node", 0))

    @property
    def is_put_away(self) -> bool:
        """Whether it is stored as a delta, and has no rows."""
        return self.status in (self.Status.AWAY, self.Status.RETURNING)

    def list_json(self) -> bytes:
        """Return the stored List as JSON, of a reading that was put away too. Raises NotRestored."""
        if self.content:
            return unpack(self.content)
        return restored_list(Snapshot.objects.order_by(), self.pk, self.content_hash)


class Upload(models.Model):
    """A file of an import that a worker has yet to read; gone once the import has ended."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="uploads")
    position = models.PositiveIntegerField()
    filename = models.CharField(max_length=255, blank=True, default="")
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(name="upload_position_once", fields=["snapshot", "position"]),
        ]

    def __str__(self) -> str:
        return self.filename


class Node(models.Model):
    """A node of a snapshot. `cpu_milli` and `memory_bytes` are allocatable, `pods_count` are bound to it.

    `cards` it registers with HAMi.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="nodes")
    position = models.PositiveIntegerField()
    name = models.CharField(max_length=253)
    zone = models.CharField(max_length=253, blank=True, default="")
    pool = models.CharField(max_length=253, blank=True, default="")
    unschedulable = models.BooleanField(default=False)
    cpu_milli = models.PositiveBigIntegerField(default=0)
    memory_bytes = models.PositiveBigIntegerField(default=0)
    pods_limit = models.PositiveBigIntegerField(default=0)
    pods_count = models.PositiveIntegerField(default=0)
    cards = models.PositiveIntegerField(default=0)
    object = DocumentField()

    class Meta:
        ordering = ["snapshot", "position"]
        constraints = [
            models.UniqueConstraint(name="node_name_once", fields=["snapshot", "name"]),
            models.UniqueConstraint(name="node_position_once", fields=["snapshot", "position"]),
        ]
        indexes = [
            models.Index(fields=["snapshot", "zone"], name="node_zone"),
            models.Index(fields=["snapshot", "pool"], name="node_pool"),
        ]

    def __str__(self) -> str:
        return self.name


class Pod(models.Model):
    """A pod of a snapshot with its effective requests.

    `workload` is `Kind/namespace/name` or empty, `group` its pod group as `namespace/name` or empty.
    """

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="pods")
    position = models.PositiveIntegerField()
    uid = models.CharField(max_length=253)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    node_name = models.CharField(max_length=253, blank=True, default="")
    phase = models.CharField(max_length=32, blank=True, default="")
    priority = models.IntegerField(default=0)
    scheduler_name = models.CharField(max_length=253, blank=True, default="")
    workload = models.CharField(max_length=600, blank=True, default="")
    group = models.CharField(max_length=600, blank=True, default="")
    cpu_milli = models.PositiveBigIntegerField(default=0)
    memory_bytes = models.PositiveBigIntegerField(default=0)
    object = DocumentField()

    class Meta:
        ordering = ["snapshot", "position"]
        constraints = [
            models.UniqueConstraint(name="pod_uid_once", fields=["snapshot", "uid"]),
            models.UniqueConstraint(name="pod_position_once", fields=["snapshot", "position"]),
        ]
        indexes = [
            models.Index(fields=["snapshot", "namespace", "name"], name="pod_namespace_name"),
            models.Index(fields=["snapshot", "node_name"], name="pod_node_name"),
            models.Index(fields=["snapshot", "phase"], name="pod_phase"),
            models.Index(fields=["snapshot", "priority"], name="pod_priority"),
            models.Index(fields=["snapshot", "workload"], name="pod_workload"),
            models.Index(fields=["snapshot", "group"], name="pod_group"),
        ]

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}"


class Workload(models.Model):
    """A controller of pods: Deployment, ReplicaSet, StatefulSet, DaemonSet, Job, CronJob and their like."""

    snapshot = models.ForeignKey(Snapshot, on_delete=models.CASCADE, db_index=False, related_name="workloads")
    position = models.PositiveIntegerField()
    kind = models.CharField(max_length=63)
    namespace = models.CharField(max_length=253)
    name = models.CharField(max_length=253)
    replicas = models.PositiveBigIntegerField(null=True, blank=True)
    ready = models.PositiveBigIntegerField(null=True, blank=True)
    object = DocumentField()

    class Meta:
        ordering = ["snapshot", "position"]
        constraints = [
            models.UniqueConstraint(name="workload_once", fields=["snapshot", "kind", "namespace", "name"]),
            models.UniqueConstraint(name="workload_position_once", fields=["snapshot", "position"]),
        ]
        indexes = [
            models.Index(fields=["snapshot", "namespace", "name"], name="workload_namespace_name"),
        ]

    def __str__(self) -> str:
        return f"{self.kind}/{self.namespace}/{self.name}"
