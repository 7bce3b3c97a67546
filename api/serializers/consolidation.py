"""A consolidation, as REST takes it."""

from rest_framework import serializers

from api.serializers.strict import ExactText, Flag, NumberField, StrictSerializer, WholeNumber
from dashboard.services.questions.consolidation import MOST_SECONDS, SECONDS


class ConsolidationBody(StrictSerializer):
    """Which nodes may be given back (`nodes`, `selector` or `group`; all where none is given), and prices."""

    nodes = serializers.ListField(
        child=ExactText(), required=False, allow_null=True, default=None, help_text="Their names."
    )
    selector = ExactText(
        required=False, allow_null=True, default=None, help_text="Labels as kubectl takes them."
    )
    group = ExactText(
        required=False, allow_null=True, default=None, help_text="`pool=…`, `zone=…` or `name=…`."
    )
    prices = serializers.DictField(
        child=NumberField(), default=dict, help_text="By `label=value`, an hour: the first that fits counts."
    )
    price_lines = ExactText(
        default="",
        allow_blank=True,
        help_text="The same as lines, `label=value: price`, or as CSV; instead of `prices`.",
    )
    local_storage = Flag(default=False, help_text="Pods with emptyDir volumes may go; their data is lost.")
    seconds = WholeNumber(
        default=SECONDS,
        min_value=1,
        max_value=MOST_SECONDS,
        help_text="So long nodes are tried; those that were not are `untried`.",
    )
    again = Flag(default=False, help_text="Try again where somebody has ended it.")
