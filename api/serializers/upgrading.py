"""An upgrade that is tried, as REST takes and shows it."""

from typing import Any

from rest_framework import serializers

from api.serializers.runs import RunRow
from api.serializers.strict import ExactText, StrictSerializer


class UpgradeBody(StrictSerializer):
    """To which release."""

    release = ExactText(
        max_length=16, allow_null=True, required=False, default=None,
        help_text="The newer release, as 1.36; null: the next after the cluster's.",
    )  # fmt: skip


class UpgradeAnswer(serializers.Serializer[Any]):
    """Both runs, and where they are compared."""

    older = RunRow(help_text="Under the cluster's release, or the nearest that is played.")
    newer = RunRow()
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="What both runs had to do without, in sentences."
    )
    compare = serializers.CharField(help_text="The address that compares them.")
