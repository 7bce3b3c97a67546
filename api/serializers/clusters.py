"""Connected clusters as REST shows them. Credentials are sent, and never shown."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.strict import ExactText, Flag, StrictSerializer, WholeNumber
from dashboard.answers.clusters import lacking
from dashboard.live.kubeconfig import CONTEXT_LENGTH, MAX_BYTES
from dashboard.queries.clusters import ClusterSeen
from dashboard.services.workspace.clusters import MOST_KEPT, MOST_MINUTES, NAME_LENGTH, Way

_IN_CLUSTER = "Instead of a kubeconfig: the cluster that Sandtable runs in, by its pod's service account."


def _with_way(attrs: dict[str, Any], *, is_needed: bool) -> dict[str, Any]:
    """Return a body with the `way` to the cluster that it names, if any. Raises ValidationError."""
    in_cluster, has_kubeconfig = bool(attrs.get("in_cluster")), "kubeconfig" in attrs
    if in_cluster and (has_kubeconfig or attrs.get("context")):
        raise serializers.ValidationError({"in_cluster": ["Send it without kubeconfig and context."]})
    if in_cluster:
        return {**attrs, "way": Way(in_cluster=True)}
    if has_kubeconfig:
        return {**attrs, "way": Way(attrs["kubeconfig"].encode(), attrs.get("context", ""))}
    if is_needed:
        raise serializers.ValidationError({"kubeconfig": ["This field is required."]})
    if "context" in attrs:
        raise serializers.ValidationError({"context": ["Send it with a kubeconfig."]})
    return attrs


class ClusterBody(StrictSerializer):
    """A cluster to connect: a kubeconfig with its certificates in it, and which context is meant."""

    kubeconfig = ExactText(
        required=False, max_length=MAX_BYTES, trim_whitespace=False, help_text="Its text, YAML or JSON."
    )
    context = ExactText(
        required=False, allow_blank=True, max_length=CONTEXT_LENGTH, help_text="Else the current one."
    )
    in_cluster = Flag(required=False, help_text=_IN_CLUSTER)
    name = ExactText(
        default="", allow_blank=True, max_length=NAME_LENGTH, help_text="Else that of the context."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Take one way to the cluster, and no more than one."""
        return _with_way(attrs, is_needed=True)


class ClusterChange(StrictSerializer):
    """Other credentials, or another schedule."""

    kubeconfig = ExactText(required=False, max_length=MAX_BYTES, trim_whitespace=False)
    context = ExactText(required=False, allow_blank=True, max_length=CONTEXT_LENGTH)
    in_cluster = Flag(required=False, help_text=_IN_CLUSTER)
    every = WholeNumber(
        required=False,
        min_value=0,
        max_value=MOST_MINUTES,
        help_text="Minutes between readings; 0: when asked.",
    )
    keep = WholeNumber(
        required=False, min_value=1, max_value=MOST_KEPT, help_text="Readings that stay without a scenario."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Refuse a context without a kubeconfig: of the one that is kept no other context is known."""
        return _with_way(attrs, is_needed=False)


class OfAccess(serializers.Serializer[Any]):
    """What the account may do, in kubectl's names."""

    listed = serializers.ListField(child=serializers.CharField())
    withheld = serializers.ListField(child=serializers.CharField(), help_text="Answers lack these kinds.")
    beyond = serializers.ListField(child=serializers.CharField(), help_text="What it may do beyond reading.")


class OfLacking(serializers.Serializer[Any]):
    """A kind that may not be listed: what answers lack, and how many pods of the last reading it touches."""

    name = serializers.CharField()
    lacks = serializers.CharField()
    pods = serializers.IntegerField(allow_null=True, help_text="Null where nothing tells it.")


class OfReading(serializers.Serializer[Any]):
    """A reading: its snapshot, and how it went."""

    id = serializers.IntegerField(source="snapshot.pk", help_text="The snapshot's number.")
    state = serializers.ChoiceField(["whole", "in part", "failed", "under way"])
    created_at = serializers.DateTimeField(source="snapshot.created_at")


class ClusterSeenBody(serializers.Serializer[Any]):
    """A connected cluster with its last readings, the newest first.

    is_late: it was never read, or not for a day, or not for two times of its schedule.
    """

    id = serializers.IntegerField(source="cluster.pk")
    name = serializers.CharField(source="cluster.name")
    context = serializers.CharField(source="cluster.context")
    address = serializers.CharField(source="cluster.address")
    is_verified = serializers.BooleanField(
        source="cluster.is_verified", help_text="Whether its certificate is checked."
    )
    in_cluster = serializers.BooleanField(
        source="cluster.in_cluster", help_text="Read by the service account of Sandtable's own pod."
    )
    every = serializers.IntegerField(source="cluster.every")
    keep = serializers.IntegerField(source="cluster.keep")
    access = serializers.SerializerMethodField()
    lacking = serializers.SerializerMethodField()
    checked_at = serializers.DateTimeField(source="cluster.checked_at", allow_null=True)
    is_late = serializers.BooleanField()
    schedulers = serializers.ListField(
        child=serializers.CharField(), help_text="Those that pods of its newest reading name."
    )
    release = serializers.CharField(help_text="Of its API server, as 1.36; empty if nobody has said.")
    has_expired = serializers.BooleanField(
        help_text="Whether the last reading failed since its credentials are taken no more."
    )
    readings = OfReading(many=True)

    @extend_schema_field(OfAccess(allow_null=True, help_text="Null where nobody has said."))
    def get_access(self, seen: ClusterSeen) -> dict[str, list[str]] | None:
        """Return what may be read."""
        access = seen.cluster.access
        return {name: access[name] for name in ("listed", "withheld", "beyond")} if access else None

    @extend_schema_field(OfLacking(many=True))
    def get_lacking(self, seen: ClusterSeen) -> Any:
        """Return what answers lack."""
        return OfLacking(lacking(seen.cluster), many=True).data


class ClustersSeen(serializers.Serializer[Any]):
    """All connected clusters, by name."""

    results = ClusterSeenBody(many=True)
