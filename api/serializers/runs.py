"""Runs as REST shows them and takes them."""

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.describing import reference
from api.serializers.scenarios import LARGEST_KEY, BesideField, EditResult, EditsField, Scheduler, TrustField
from api.serializers.strict import ExactText, Flag, NumberField, ProblemEntry, StrictSerializer, WholeNumber
from dashboard.kinds.cards import counts_of_run, with_counts
from dashboard.models import Run, Scenario
from dashboard.queries import access
from dashboard.services.results.endings import clock_end
from dashboard.services.workspace.runs import RATE_LIMIT

MAX_SCHEDULE = 200_000
SLOWEST_RATE = 0.001


class RateField(NumberField):
    """Decisions a second; null is as fast as possible."""

    def __init__(self, **options: Any) -> None:
        text = "Decisions a second; null for as fast as possible."
        bounds = {"min_value": SLOWEST_RATE, "max_value": RATE_LIMIT}
        super().__init__(allow_null=True, required=False, help_text=text, **bounds, **options)


class RunBody(StrictSerializer):
    """A run to start."""

    scenario = WholeNumber(min_value=1, max_value=LARGEST_KEY)
    rate = RateField(default=None)
    schedule = serializers.ListField(
        child=ExactText(max_length=600), allow_null=True, required=False, default=None,
        max_length=MAX_SCHEDULE,
        help_text="Pending pods (`namespace/name`) in the order of entering the queue; null: by creation.",
    )  # fmt: skip

    def validate_scenario(self, number: int) -> Scenario:
        """Return the scenario. Raises ValidationError if the user sees none of that number."""
        try:
            return access.get_scenario_or_404(self.context["request"].user, number)
        except Http404:
            raise serializers.ValidationError(f"There is no scenario {number}.") from None


class RunChange(StrictSerializer):
    """What may be changed in a run: how fast it goes, and whether pruning spares it."""

    rate = RateField()
    pinned = Flag(required=False)


class RunRow(serializers.ModelSerializer[Run]):
    """A run in a list. `decisions` is the number of the last decision stored."""

    scenario_name = serializers.CharField(
        source="scenario.name", default=None, allow_null=True, read_only=True
    )
    snapshot_name = serializers.CharField(source="snapshot.name", read_only=True)
    scheduler = serializers.SerializerMethodField()
    beside = BesideField(read_only=True)
    created_by = serializers.CharField(
        source="created_by.username", default=None, allow_null=True, read_only=True
    )

    class Meta:
        model = Run
        fields = [
            "id", "status", "decisions", "scenario", "scenario_name", "snapshot", "snapshot_name",
            "scheduler", "driver", "beside", "controllers", "seed", "rate", "pinned", "error", "progress",
            "engine_version", "schema_version", "created_by", "created_at", "started_at", "finished_at",
        ]  # fmt: skip

    @extend_schema_field(Scheduler)
    def get_scheduler(self, run: Run) -> dict[str, Any]:
        """Return profile and configuration as they were frozen."""
        return {"profile": run.profile, "config": run.config}


UNSAID: dict[str, Any] = {
    "more": 0, "evictions": 0, "refused": [], "at_first": [], "nodes": [], "altered": [], "objects": [],
    "evicted_by_taints": 0,
}  # fmt: skip
"""What results of earlier versions of Sandtable leave out."""


@extend_schema_field(reference("OutcomeFigures"))
class OutcomeField(serializers.DictField):
    """What a run came to, as it was summed up."""


class RunDetail(RunRow):
    """A run with its frozen edits, what it rests on, and its outcome once it has ended."""

    edits = serializers.SerializerMethodField()
    edit_results = serializers.SerializerMethodField()
    problems = ProblemEntry(many=True, help_text="What was wrong with the input of a run that failed.")
    schedule = serializers.ListField(child=serializers.CharField(), allow_null=True)
    trust = TrustField(allow_null=True)
    outcome = serializers.SerializerMethodField()
    clock_end = serializers.SerializerMethodField()

    class Meta:
        model = Run
        fields = [
            *RunRow.Meta.fields, "attempt_limit", "until", "clock_end", "attempt_seconds", "ready_seconds",
            "schedule", "edits", "edit_results", "trust", "outcome", "problems", "baseline",
        ]  # fmt: skip

    @extend_schema_field(OutcomeField(allow_null=True))
    def get_outcome(self, run: Run) -> dict[str, Any] | None:
        """Return the outcome, with what the resources count by which cards are shared."""
        if run.outcome is None:
            return None
        utilisation = run.outcome.get("utilisation", [])
        return {**run.outcome, "utilisation": with_counts(utilisation, counts_of_run(run))}

    def get_clock_end(self, run: Run) -> int | None:
        """Return when the clock is to end, in milliseconds since the start, as far as that is known."""
        return clock_end(run)

    @extend_schema_field(EditsField)
    def get_edits(self, run: Run) -> Any:
        """Return the edits as they were frozen: field by field, thousands of them would take seconds."""
        return run.edits

    @extend_schema_field(EditResult(many=True))
    def get_edit_results(self, run: Run) -> Any:
        """Return what the edits did, as the engine wrote it."""
        return [{**UNSAID, **result} for result in run.edit_results]
