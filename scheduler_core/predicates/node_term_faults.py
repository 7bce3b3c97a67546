"""What keeps a node selector term from being read: an API server stores terms that a scheduler cannot use.

Source: k8s.io/component-helpers v0.36 corev1/nodeaffinity nodeSelectorRequirementsAsSelector,
nodeSelectorRequirementsAsFieldSelector; k8s.io/apimachinery v0.36 labels.NewRequirement.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from scheduler_core.objects.selectors import is_label_value, parse_int64
from scheduler_core.objects.types import LabelSelectorRequirement, NodeSelectorTerm, PreferredSchedulingTerm


class Flaw(Enum):
    """What is wrong with a requirement."""

    UNKNOWN_OPERATOR = auto()
    NO_VALUES = auto()
    VALUES = auto()
    NOT_ONE_VALUE = auto()
    NO_INTEGER = auto()
    NO_LABEL_VALUE = auto()
    UNKNOWN_FIELD_OPERATOR = auto()
    NOT_ONE_FIELD_VALUE = auto()


@dataclass(frozen=True)
class TermFault:
    """A flaw, the field that has it, as a path, and what stands there."""

    place: str
    flaw: Flaw
    value: str | list[str] | None


def preference_faults(place: int, entry: PreferredSchedulingTerm) -> Iterator[TermFault]:
    """Yield what is wrong with the preferred term at a place of the list; one without weight is not read."""
    if entry.weight != 0:
        yield from term_faults(f"[{place}]", entry.preference)


def term_faults(path: str, term: NodeSelectorTerm) -> Iterator[TermFault]:
    """Yield what is wrong with the term at a path."""
    for place, requirement in enumerate(term.match_expressions or ()):
        yield from _label_faults(f"{path}.matchExpressions[{place}]", requirement)
    for place, requirement in enumerate(term.match_fields or ()):
        yield from _field_faults(f"{path}.matchFields[{place}]", requirement)


def _label_faults(path: str, requirement: LabelSelectorRequirement) -> Iterator[TermFault]:
    values = requirement.values or []
    match requirement.operator:
        case "In" | "NotIn":
            if not values:
                yield TermFault(f"{path}.values", Flaw.NO_VALUES, requirement.values)
        case "Exists" | "DoesNotExist":
            if values:
                yield TermFault(f"{path}.values", Flaw.VALUES, values)
        case "Gt" | "Lt":
            if len(values) != 1:
                yield TermFault(f"{path}.values", Flaw.NOT_ONE_VALUE, requirement.values)
            for place, value in enumerate(values):
                if parse_int64(value) is None:
                    yield TermFault(f"{path}.values[{place}]", Flaw.NO_INTEGER, value)
        case operator:
            yield TermFault(f"{path}.operator", Flaw.UNKNOWN_OPERATOR, operator)
            return
    for place, value in enumerate(values):
        if not is_label_value(value):
            yield TermFault(f"{path}.values[{place}][{requirement.key}]", Flaw.NO_LABEL_VALUE, value)


def _field_faults(path: str, requirement: LabelSelectorRequirement) -> Iterator[TermFault]:
    if requirement.operator not in ("In", "NotIn"):
        yield TermFault(f"{path}.operator", Flaw.UNKNOWN_FIELD_OPERATOR, requirement.operator)
    elif len(requirement.values or ()) != 1:
        yield TermFault(f"{path}.values", Flaw.NOT_ONE_FIELD_VALUE, requirement.values)
