"""Bodies are read strictly: a field that nobody knows is a mistake of the sender, not to be ignored."""

from collections.abc import Iterable
from typing import Any

from rest_framework import serializers


def refuse_unknown(data: Iterable[str], fields: Iterable[str]) -> None:
    """Raise ValidationError for names in `data` that are not among the fields."""
    unknown = sorted(set(data) - set(fields))
    if unknown:
        raise serializers.ValidationError({name: ["There is no such field."] for name in unknown})


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses unknown fields; read-only ones may be sent back and are ignored."""

    def to_internal_value(self, data: Any) -> Any:
        """Return the checked values. Raises ValidationError."""
        values = super().to_internal_value(data)
        refuse_unknown(data, self.fields)
        return values


class ExactText(serializers.CharField):
    """A text; a number in its place is refused rather than turned into one."""

    def to_internal_value(self, data: Any) -> str:
        """Return the text. Raises ValidationError for anything else."""
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class WholeNumber(serializers.IntegerField):
    """A whole number; a text, and 1.0, are refused rather than turned into one."""

    def to_internal_value(self, data: Any) -> int:
        """Return the number. Raises ValidationError for anything else."""
        if not isinstance(data, int) or isinstance(data, bool):
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Flag(serializers.BooleanField):
    """True or false; 0, 1, and texts that mean one of them are refused."""

    def to_internal_value(self, data: Any) -> bool:
        """Return the flag. Raises ValidationError for anything else."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return data is True


class NumberField(serializers.FloatField):
    """A number; true and false, which Python takes for numbers, and texts are refused."""

    def to_internal_value(self, data: Any) -> float:
        """Return the number. Raises ValidationError for anything else."""
        if isinstance(data, bool | str):
            raise serializers.ValidationError(
                "Must be a number or null." if self.allow_null else "Must be a number."
            )
        return float(super().to_internal_value(data))


class ProblemEntry(serializers.Serializer[Any]):
    """One fault: whose, where in it, and why."""

    object = serializers.CharField()
    field = serializers.CharField()
    message = serializers.CharField()


class ProblemAnswer(serializers.Serializer[Any]):
    """A refusal (`application/problem+json`)."""

    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = ProblemEntry(many=True)
    faulty = serializers.IntegerField(
        required=False,
        help_text="Of an import: without how many files and objects `without_faulty` takes it.",
    )
