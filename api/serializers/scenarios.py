"""Scenarios as REST shows them and takes them; what they may hold is checked by the service."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.describing import reference
from api.kind_names import KINDS_IN_WORDS
from api.serializers.counted import CountsField
from api.serializers.strict import ExactText, NumberField, ProblemEntry, StrictSerializer, WholeNumber
from dashboard.errors import sentences_of
from dashboard.models import Controllers, Scenario, Snapshot
from dashboard.queries import access
from dashboard.services.workspace.driver_choice import choose_driver
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.world.run_input import LATEST, LONGEST_ATTEMPT_SECONDS, SHORTEST_SECONDS

LARGEST_SEED = 2**63 - 1
LARGEST_KEY = 2**63 - 1


class ConfigurationField(serializers.DictField):
    """A scheduler's configuration, or the YAML of its file, kept as the document that it stands for."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the document. Raises ValidationError."""
        if not isinstance(data, str):
            return super().to_internal_value(data)
        try:
            documents = read_yaml(data.encode())
        except BadInput as error:
            raise serializers.ValidationError(sentences_of(error)) from None
        if len(documents) != 1:
            raise serializers.ValidationError(f"Must be one document, not {len(documents)}.")
        return super().to_internal_value(documents[0])


@extend_schema_field({"type": "array", "items": reference("Edit")})
class EditsField(serializers.ListField):
    """Edits in order; what each of them is, is read by the service."""

    child = serializers.DictField()


@extend_schema_field(reference("LogTrust"))
class TrustField(serializers.DictField):
    """What an answer rests on, as the engine wrote it."""


COMPANION = {
    "type": "object",
    "properties": {
        "scheduler": {"type": "string", "description": KINDS_IN_WORDS},
        "release": {"type": ["string", "null"], "description": "Null: that of the scenario."},
        "name": {"type": "string", "description": "Empty: its first schedulerName."},
        "config": {"type": ["object", "string", "null"]},
    },
}


@extend_schema_field({"type": "array", "items": COMPANION})
class BesideField(serializers.ListField):
    """More schedulers of the same cluster; the service reads them."""

    child = serializers.DictField()


class Scheduler(StrictSerializer):
    """Which scheduler decides, and its own configuration (null: its default)."""

    profile = ExactText(max_length=32, required=False)
    config = ConfigurationField(
        allow_null=True, required=False, help_text="A document, or the YAML of a file as a text."
    )


class ScenarioChange(StrictSerializer):
    """The fields of a scenario that may be changed; what is not sent stays."""

    name = ExactText(max_length=200, allow_blank=True, required=False)
    snapshot = WholeNumber(min_value=1, max_value=LARGEST_KEY, required=False)
    scheduler = Scheduler(required=False)
    driver = ExactText(
        max_length=16, allow_null=True, required=False,
        help_text="One of the profile's drivers (`schedulers/`); null: the one that the edits ask for.",
    )  # fmt: skip
    driver_chosen = serializers.BooleanField(
        required=False, help_text="False: as `driver` null, whatever `driver` says."
    )
    beside = BesideField(required=False, help_text="More schedulers of the same cluster; all is optional.")
    controllers = serializers.ChoiceField(Controllers.choices, required=False)
    edits = EditsField(required=False)
    seed = WholeNumber(min_value=-LARGEST_SEED - 1, max_value=LARGEST_SEED, allow_null=True, required=False)
    until = NumberField(
        min_value=SHORTEST_SECONDS, max_value=LATEST, allow_null=True, required=False,
        help_text="Seconds after which a run ends; null: ten minutes after its last edit. Only with a clock.",
    )  # fmt: skip
    attempt_seconds = NumberField(
        min_value=SHORTEST_SECONDS, max_value=LONGEST_ATTEMPT_SECONDS, required=False,
        help_text="How long an attempt takes (0.01 if not sent). Another value only with a clock.",
    )  # fmt: skip
    ready_seconds = NumberField(
        min_value=SHORTEST_SECONDS, max_value=LATEST, required=False,
        help_text=(
            "How long a pod that starts in a run takes until it is ready, if its probes don't say (20 if not "
            "sent). Another value only with a clock."
        ),
    )  # fmt: skip

    id = serializers.IntegerField(read_only=True)
    version = serializers.IntegerField(read_only=True)
    snapshot_name = serializers.CharField(read_only=True)
    driver_because = serializers.CharField(read_only=True)
    created_by = serializers.CharField(read_only=True)
    created_at = serializers.DateTimeField(read_only=True)
    updated_at = serializers.DateTimeField(read_only=True)

    def validate_snapshot(self, number: int) -> Snapshot:
        """Return the snapshot. Raises ValidationError if the user sees none of that number."""
        try:
            return access.get_snapshot_or_404(self.context["request"].user, number)
        except Http404:
            raise serializers.ValidationError(f"There is no snapshot {number}.") from None

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Return the fields as the service names them."""
        fields = dict(attrs)
        fields.update(fields.pop("scheduler", {}))
        if not fields.pop("driver_chosen", True):
            fields["driver"] = None
        return fields


class ScenarioBody(ScenarioChange):
    """A new scenario; what is not sent has its default (recreate, no edits, no seed).

    Its schedulers are by default those that the cluster's waiting pods name, else kube-1.37.
    """

    snapshot = WholeNumber(min_value=1, max_value=LARGEST_KEY)


class ScenarioRow(serializers.ModelSerializer[Scenario]):
    """A scenario in a list; `edits` counts them."""

    snapshot_name = serializers.CharField(source="snapshot.name", read_only=True)
    scheduler = serializers.SerializerMethodField()
    beside = BesideField(read_only=True)
    edits = serializers.SerializerMethodField()
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Scenario
        fields = [
            "id", "version", "name", "snapshot", "snapshot_name", "scheduler", "driver", "driver_chosen",
            "beside", "controllers", "edits", "seed", "until", "attempt_seconds", "ready_seconds",
            "created_by", "created_at", "updated_at",
        ]  # fmt: skip

    @extend_schema_field(Scheduler)
    def get_scheduler(self, scenario: Scenario) -> dict[str, Any]:
        """Return profile and configuration."""
        return {"profile": scenario.profile, "config": scenario.config}

    def get_edits(self, scenario: Scenario) -> int:
        """Return how many edits there are."""
        return scenario.edit_count


class ScenarioDetail(ScenarioRow):
    """A scenario with its edits in order, and why it has its driver."""

    driver_because = serializers.SerializerMethodField()

    class Meta(ScenarioRow.Meta):
        fields = [*ScenarioRow.Meta.fields, "driver_because"]

    @extend_schema_field({"type": ["string", "null"], "description": "Null where somebody chose the driver."})
    def get_driver_because(self, scenario: Scenario) -> str | None:
        """Return why the driver is the one that the edits ask for; None where somebody chose it."""
        return None if scenario.driver_chosen else choose_driver(scenario).because

    @extend_schema_field(EditsField)
    def get_edits(self, scenario: Scenario) -> Any:
        """Return the edits as they were sent."""
        return scenario.edits


class RefusedEviction(serializers.Serializer[Any]):
    """A pod that stays on its node although an edit asks for its eviction."""

    uid = serializers.CharField()
    pod = serializers.CharField(help_text="`namespace/name`.")
    node = serializers.CharField()
    budgets = serializers.ListField(
        child=serializers.CharField(),
        help_text="PodDisruptionBudgets (`namespace/name`) in the way; none where something else is.",
    )
    message = serializers.CharField(help_text="What the eviction API answers.")
    lasts = serializers.ChoiceField(
        choices=["now", "ever", ""],
        default="",
        help_text="`ever`: no pod that becomes ready can let it go; empty: not known.",
    )


class EditResult(serializers.Serializer[Any]):
    """What one edit changes, or why it does not work."""

    index = serializers.IntegerField()
    op = serializers.CharField()
    sentence = serializers.CharField()
    changes = serializers.ListField(child=serializers.CharField())
    more = serializers.IntegerField(default=0, help_text="How many changes are not listed.")
    problems = serializers.ListField(
        child=serializers.CharField(), help_text="What does not happen although the edit stands."
    )
    evictions = serializers.IntegerField(default=0, help_text="How many evictions the edit asks for.")
    budgets = serializers.IntegerField(
        default=0, help_text="How many PodDisruptionBudgets cover pods whose eviction is asked for."
    )
    evicted_by_taints = serializers.IntegerField(
        default=0, help_text="How many running pods the NoExecute taints that it put will evict."
    )
    refused = RefusedEviction(many=True, default=list, help_text="Those that the budgets refuse.")
    at_first = RefusedEviction(
        many=True, default=list, help_text="Refused at first, and asked for again where a clock moves."
    )
    nodes = serializers.ListField(
        child=serializers.CharField(), default=list, help_text="Nodes that it adds like another one."
    )
    altered = serializers.ListField(
        child=serializers.CharField(),
        default=list,
        help_text="Nodes whose taints or labels an edit of these makes others.",
    )
    objects = serializers.ListField(
        child=serializers.CharField(),
        default=list,
        help_text="What it adds or applies, as `Kind/namespace/name`.",
    )


class Figure(serializers.Serializer[Any]):
    """A count or capacity before and after the edits; `resource` says of what, or is empty."""

    what = serializers.CharField()
    resource = serializers.CharField()
    before = serializers.IntegerField()
    after = serializers.IntegerField()
    counts = CountsField()


class LeftAlone(serializers.Serializer[Any]):
    """How many pending pods ask for a scheduler that this scenario does not play."""

    scheduler = serializers.CharField()
    pods = serializers.IntegerField()


class SuggestedSchedulers(serializers.Serializer[Any]):
    """What a new scenario takes if it names no scheduler: those that the cluster's waiting pods name."""

    scheduler = serializers.SerializerMethodField()
    driver = serializers.CharField()
    beside = BesideField()
    sentence = serializers.CharField(help_text="Where they were taken from.")
    unserved = LeftAlone(many=True, help_text="Names of waiting pods for which there is none.")

    @extend_schema_field(Scheduler)
    def get_scheduler(self, suggestion: Any) -> dict[str, Any]:
        """Return profile and configuration."""
        return {"profile": suggestion.profile, "config": suggestion.config}


class Validation(serializers.Serializer[Any]):
    """What a scenario would change and what is wrong with it."""

    edits = EditResult(many=True)
    problems = ProblemEntry(many=True)
    figures = Figure(many=True)
    trust = TrustField(allow_null=True)
    left_alone = LeftAlone(many=True)
    untried = serializers.CharField(allow_blank=True, help_text="Why nothing was tried, else empty.")
    preparing = serializers.BooleanField(
        help_text="Whether a worker is still trying it, as `untried` says: ask again soon."
    )
    ended = serializers.BooleanField(help_text="Whether somebody has ended that.")
