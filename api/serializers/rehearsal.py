"""An upgrade that is rehearsed, as REST takes it."""

from rest_framework import serializers

from api.serializers.strict import ExactText, Flag, NumberField, StrictSerializer, WholeNumber
from scheduler_core.world.rehearsal.plan import BACK_SECONDS, TIMEOUT_SECONDS
from scheduler_core.world.run_input import READY_SECONDS


class RehearsalBody(StrictSerializer):
    """Which nodes (`nodes`, `selector` or `group`: exactly one), and how they are upgraded."""

    nodes = serializers.ListField(
        child=ExactText(), required=False, allow_null=True, default=None, help_text="Their names."
    )
    selector = ExactText(
        required=False, allow_null=True, default=None, help_text="Labels as kubectl takes them."
    )
    group = ExactText(
        required=False, allow_null=True, default=None, help_text="`pool=…`, `zone=…` or `name=…`."
    )
    together = WholeNumber(default=1, min_value=1, help_text="So many nodes at a time.")
    order = serializers.ChoiceField(
        choices=["given", "zone", "name"], default="given", help_text="In which order."
    )
    surge = WholeNumber(default=0, min_value=0, help_text="So many new nodes like the first one before.")
    timeout = NumberField(default=TIMEOUT_SECONDS, help_text="Seconds after which a node is given up.")
    back = NumberField(
        default=BACK_SECONDS,
        allow_null=True,
        help_text="Seconds from when a node is empty until it is back; null: it is given back for good.",
    )
    before = serializers.ListField(
        child=serializers.DictField(), default=list, help_text="Edits at the start, as a scenario's."
    )
    ready_seconds = NumberField(
        default=READY_SECONDS, help_text="Seconds until a copy is Ready whose probes don't say."
    )
    again = Flag(default=False, help_text="Play it again where somebody has ended it.")
