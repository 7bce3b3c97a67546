"""A sweep as REST takes it; what its dimensions may be is checked by the service."""

from rest_framework import serializers

from api.serializers.strict import StrictSerializer


class SweepBody(StrictSerializer):
    """What is to vary."""

    dimensions = serializers.ListField(
        child=serializers.DictField(), max_length=50,
        help_text=(
            "One to three of: `field` (scheduler, config, edits, seed), `path` (a list of keys) and `values`."
        ),
    )  # fmt: skip
