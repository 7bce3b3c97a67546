"""Snapshots and their rows as REST shows them. Units: milli-CPU, bytes, pods."""

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.kind_names import KINDS_IN_WORDS
from api.serializers.counted import CountsField
from api.serializers.strict import ExactText, ProblemEntry, StrictSerializer
from dashboard.kinds.cards import counts_of_snapshot
from dashboard.models import Node, Pod, Snapshot, Workload
from dashboard.queries.cluster_release import cluster_release
from scheduler_core.world.reporting.cluster_release import written


class ResourceAmounts(serializers.Serializer[Any]):
    """Of a resource, all nodes and pods together."""

    allocatable = serializers.IntegerField()
    requested = serializers.IntegerField()
    unit = serializers.CharField()
    counts = CountsField()


class OfRelease(serializers.Serializer[Any]):
    """A cluster's release of Kubernetes."""

    minor = serializers.CharField(help_text="As 1.36.")
    source = serializers.CharField(help_text="Where it was taken from, in a sentence.")


class SnapshotRow(serializers.ModelSerializer[Snapshot]):
    """A snapshot in a list."""

    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )
    counts = serializers.DictField(
        child=serializers.IntegerField(),
        help_text="Objects by kind; what the engine never reads, with its API group: `Job.batch.volcano.sh`.",
    )
    delta_bytes = serializers.IntegerField(
        default=None,
        allow_null=True,
        read_only=True,
        help_text="What a reading takes that is `away` or `returning`, stored as a delta; else null.",
    )

    class Meta:
        model = Snapshot
        fields = [
            "id", "name", "status", "is_sample", "counts", "pending", "gated",
            "content_hash", "taken_at", "created_by", "created_at", "delta_bytes",
        ]  # fmt: skip
        read_only_fields = fields


class SnapshotDetail(SnapshotRow):
    """A snapshot, whole but for its objects. `progress` is the address that tells how the import goes."""

    warnings = serializers.ListField(child=serializers.CharField())
    dropped = serializers.ListField(
        child=serializers.CharField(),
        help_text="Left out: what no scheduler reads, by place and with counts.",
    )
    resources = serializers.SerializerMethodField()
    problems = ProblemEntry(many=True)
    release = serializers.SerializerMethodField()
    progress = serializers.SerializerMethodField()

    class Meta:
        model = Snapshot
        fields = [
            *SnapshotRow.Meta.fields,
            "resources", "release", "warnings", "dropped", "problems", "faulty", "progress",
        ]  # fmt: skip
        read_only_fields = fields

    @extend_schema_field(serializers.DictField(child=ResourceAmounts(), help_text="By resource."))
    def get_resources(self, snapshot: Snapshot) -> dict[str, Any]:
        """Return what is there and what is asked for, by resource, with what it counts of shared cards."""
        counts = counts_of_snapshot(snapshot)
        return {
            name: {**figures, **({"counts": counts[name]} if name in counts else {})}
            for name, figures in snapshot.resources.items()
        }

    @extend_schema_field(OfRelease(allow_null=True, help_text="Null where nothing of the import tells it."))
    def get_release(self, snapshot: Snapshot) -> dict[str, str] | None:
        """Return the cluster's release of Kubernetes, and where it was taken from."""
        found = None if snapshot.is_put_away and not snapshot.server_versions else cluster_release(snapshot)
        return None if found is None else {"minor": written(found.release), "source": f"{found.source}."}

    def get_progress(self, snapshot: Snapshot) -> str:
        """Return the address of the import's progress."""
        return reverse("api:snapshot-progress", args=[snapshot.pk])


class AnonymisingKey(StrictSerializer):
    """From what other names are drawn."""

    key = ExactText(
        default="",
        allow_blank=True,
        trim_whitespace=False,
        max_length=200,
        help_text="A secret; the same one gives words the same endings again. Empty: one by chance.",
    )


class ImportStage(serializers.Serializer[Any]):
    """What is being read, and how far; empty once the import has ended."""

    stage = serializers.CharField(required=False)
    done = serializers.IntegerField(required=False)
    total = serializers.IntegerField(required=False)


class ImportProgress(serializers.Serializer[Any]):
    """How an import goes: `status` is importing, ready or failed; of a reading also away or returning."""

    id = serializers.IntegerField()
    status = serializers.CharField()
    cancel_requested = serializers.BooleanField()
    progress = ImportStage()
    problems = ProblemEntry(many=True, help_text="Why it failed.")
    faulty = serializers.IntegerField(
        help_text="Of an import that failed: without how many files and objects `without-faulty/` imports it;"
        " 0 if nothing was kept."
    )
    snapshot = serializers.SerializerMethodField()

    def get_snapshot(self, snapshot: Snapshot) -> str:
        """Return the snapshot's address."""
        return reverse("api:snapshot", args=[snapshot.pk])


class Finding(serializers.Serializer[Any]):
    """A warning of an import and whom it is about."""

    warning = serializers.CharField()
    count = serializers.IntegerField(help_text="Objects.")
    places = serializers.ListField(
        child=serializers.CharField(), help_text="Object and field, the first thousand."
    )
    of_files = serializers.BooleanField(
        help_text="Whether it is about the files as they were sent: nothing that is stored of them shows it."
    )


class Findings(serializers.Serializer[Any]):
    """All of a snapshot."""

    results = Finding(many=True)


class FoundConfiguration(serializers.Serializer[Any]):
    """A scheduler's configuration in a ConfigMap, without what an import drops."""

    config_map = serializers.CharField(help_text="namespace/name")
    entry = serializers.CharField(help_text="The key of its data.")
    scheduler = serializers.CharField(help_text=KINDS_IN_WORDS)
    config = serializers.DictField(help_text="As a scenario takes it.")


class FoundConfigurations(serializers.Serializer[Any]):
    """All of a snapshot."""

    results = FoundConfiguration(many=True)


class ImportForm(serializers.Serializer[Any]):
    """A multipart upload: `file` may come several times, archives (zip, tar, tar.gz) among them."""

    name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    file = serializers.FileField()
    add_to = serializers.CharField(required=False, help_text="As in the query.")
    without_faulty = serializers.CharField(required=False, help_text="As in the query.")


class Row(serializers.ModelSerializer[Any]):
    """A row whose `object` is shown only if the query asks for it (`object=true`)."""

    object = serializers.DictField(required=False, help_text="Only with `object=true`.")

    def get_fields(self) -> dict[str, Any]:
        """Return the fields, `object` left out unless asked for."""
        fields: dict[str, Any] = super().get_fields()
        if not self.context.get("with_object"):
            fields.pop("object", None)
        return fields


class NodeRow(Row):
    """A node: `cpu_milli`, `memory_bytes` and `pods_limit` are allocatable; `pods_count` are bound to it.

    `cards` it registers with HAMi.
    """

    class Meta:
        model = Node
        fields = [
            "position", "name", "zone", "pool", "unschedulable", "cpu_milli", "memory_bytes",
            "pods_limit", "pods_count", "cards", "object",
        ]  # fmt: skip


class PodRow(Row):
    """A pod with its effective requests. `node` is empty while it is pending, `group` outside of gangs."""

    node = serializers.CharField(source="node_name")

    class Meta:
        model = Pod
        fields = [
            "position", "uid", "namespace", "name", "node", "phase", "priority", "scheduler_name",
            "workload", "group", "cpu_milli", "memory_bytes", "object",
        ]  # fmt: skip


class WorkloadRow(Row):
    """A controller of pods; `replicas` and `ready` are null for kinds that have none."""

    class Meta:
        model = Workload
        fields = ["position", "kind", "namespace", "name", "replicas", "ready", "object"]
