"""Field rules that several kinds share: each looks at one value and notes what is wrong with it.

The rules are those of the API server's validation (k8s.io/kubernetes pkg/apis/core/validation) as far as
a scheduler depends on them. `Findings` collects problems of one object; paths are put together only when
something is wrong, because nearly nothing is.
"""

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

import msgspec

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.conversion import field_and_reason
from scheduler_core.objects.problems import Problem
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import LabelSelector, LabelSelectorRequirement, T, convert

MAX_INT32 = 2**31 - 1
MAX_INT64 = 2**63 - 1
MAX_NAME_LENGTH = 253
MAX_NAMESPACE_LENGTH = 63

_SUBDOMAIN = re.compile(r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*", re.ASCII)
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)

LABEL_OPERATORS = ("In", "NotIn", "Exists", "DoesNotExist")
NODE_OPERATORS = (*LABEL_OPERATORS, "Gt", "Lt")


class Findings:
    """The problems of one object, in the order in which they were found."""

    def __init__(self, object_name: str) -> None:
        self.object_name = object_name
        self.problems: list[Problem] = []

    def add(self, field: str, message: str) -> None:
        self.problems.append(Problem(self.object_name, field, message))

    def view(self, field: str, document: dict[str, Any], kind: type[T]) -> T | None:
        """Return the typed view of what stands at `field`, or note what does not fit it."""
        try:
            return convert(document, kind)
        except msgspec.ValidationError as error:
            place, reason = field_and_reason(str(error), document)
            self.add(".".join(part for part in (field, place) if part), reason)
            return None

    def choice(self, field: str, value: str | None, allowed: tuple[str, ...]) -> None:
        """Note a value that is none of `allowed`; absent and empty are left to the defaults."""
        if value and value not in allowed:
            self.add(field, f"must be one of {', '.join(allowed)}, not {value!r}")

    def within(self, field: str, value: int | None, low: int, high: int) -> None:
        if value is not None and not low <= value <= high:
            self.add(field, f"must be between {low} and {high}, not {value}")

    def amounts(
        self, field: str, amounts: Mapping[str, Any] | None, *, may_be_negative: bool = False
    ) -> None:
        """Note every amount of a resource list that is no quantity, negative or too large."""
        for name, text in (amounts or {}).items():
            self.amount(f"{field}.{name}", text, may_be_negative=may_be_negative)

    def amount(self, field: str, text: Any, *, may_be_negative: bool = False) -> None:
        fault = (
            _amount_fault(text, may_be_negative=may_be_negative)
            if isinstance(text, str | int | float)
            else _type_fault(text)
        )
        if fault:
            self.add(field, fault)

    def timestamp(self, field: str, text: str | None) -> None:
        if text and (fault := _timestamp_fault(text)):
            self.add(field, fault)

    def label_selector(self, field: str, selector: LabelSelector | None) -> None:
        if selector is not None and selector.match_expressions:
            self.requirements(f"{field}.matchExpressions", selector.match_expressions, LABEL_OPERATORS)

    def requirements(
        self, field: str, requirements: Iterable[LabelSelectorRequirement], operators: tuple[str, ...]
    ) -> None:
        """Note selector requirements with an unknown operator or the wrong number of values."""
        for index, requirement in enumerate(requirements):
            fault = _requirement_fault(requirement, operators)
            if fault:
                self.add(f"{field}[{index}].{fault[0]}", fault[1])

    def subdomain(self, field: str, name: str) -> None:
        if not is_subdomain(name):
            self.add(
                field,
                f"{name[:80]!r} is no valid name: only lower-case letters, digits, '-' and '.', "
                f"at most {MAX_NAME_LENGTH} characters",
            )

    def namespace(self, field: str, name: str | None) -> None:
        if name and _LABEL.fullmatch(name) is None:
            self.add(field, f"{name[:80]!r} is no valid namespace: only lower-case letters, digits and '-'")


def is_subdomain(name: str) -> bool:
    """Tell whether this is a name of nodes and pods: a DNS subdomain of at most 253 characters."""
    return len(name) <= MAX_NAME_LENGTH and _SUBDOMAIN.fullmatch(name) is not None


def _requirement_fault(
    requirement: LabelSelectorRequirement, operators: tuple[str, ...]
) -> tuple[str, str] | None:
    """Return field and fault of a requirement, or None."""
    values = requirement.values or []
    if not requirement.key:
        return "key", "must not be empty"
    if requirement.operator not in operators:
        return "operator", f"must be one of {', '.join(operators)}, not {requirement.operator!r}"
    if requirement.operator in ("In", "NotIn") and not values:
        return "values", f"must not be empty with operator {requirement.operator}"
    if requirement.operator in ("Exists", "DoesNotExist") and values:
        return "values", f"must be empty with operator {requirement.operator}"
    if requirement.operator in ("Gt", "Lt") and len(values) != 1:
        return "values", f"must be a single value with operator {requirement.operator}"
    return None


def _type_fault(text: Any) -> str | None:
    return None if text is None else f"must be a quantity, not {type(text).__name__}"


@lru_cache(maxsize=65_536, typed=True)
def _amount_fault(text: str | int | float, *, may_be_negative: bool = False) -> str | None:
    """Return what is wrong with a resource's amount, or None."""
    try:
        if parse_quantity(text).nanos < 0 and not may_be_negative:
            return f"must not be negative, but is {text}"
    except QuantityError as error:
        return str(error)
    return None


@lru_cache(maxsize=65_536)
def _timestamp_fault(text: str) -> str | None:
    try:
        parse_timestamp(text, 0)
    except (ValueError, OverflowError):
        return f"{text[:80]!r} is no RFC 3339 timestamp, as in 2026-06-01T00:00:00Z"
    return None
