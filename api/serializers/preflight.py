"""What a preflight is asked with."""

from api.serializers.strict import ExactText, Flag, StrictSerializer


class PreflightBody(StrictSerializer):
    """A manifest, and for whom it is."""

    manifest = ExactText(
        trim_whitespace=False,
        help_text="YAML or JSON, also several documents, as for `kubectl apply -f`.",
    )
    namespace = ExactText(
        max_length=63, allow_blank=True, required=False, default="", help_text="Of objects that name none."
    )
    profile = ExactText(
        max_length=32, allow_blank=True, required=False, default="",
        help_text="Who schedules, as kube-1.36; empty: the cluster's own schedulers.",
    )  # fmt: skip


class FittingBody(PreflightBody):
    """A manifest, and which of its workloads is to fit."""

    workload = ExactText(
        max_length=1_000, allow_blank=True, required=False, default="",
        help_text="`Kind/namespace/name`; empty where the manifest has but one.",
    )  # fmt: skip
    again = Flag(default=False, help_text="Ask anew what was ended or came to nothing.")
