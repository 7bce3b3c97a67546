"""Label selectors and node selectors, compiled to hashable requirements.

A compiled selector is a tuple of requirements that must all hold; `None` stands for a selector that
matches nothing. Being hashable, it is the key under which its answers are remembered.

Source: k8s.io/apimachinery v0.36 labels.Requirement.Matches, metav1.LabelSelectorAsSelector;
k8s.io/component-helpers v0.36 scheduling/corev1/nodeaffinity.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from scheduler_core.objects.types import (
    LabelSelector,
    LabelSelectorRequirement,
    NodeSelectorTerm,
)

_INTEGER = re.compile(r"[+-]?[0-9]+\Z")
_INT64_MAX = (1 << 63) - 1
_LABEL_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?", re.ASCII)
MAX_LABEL_VALUE = 63
"""Bytes that a label's value may have."""


class Requirement(NamedTuple):
    """One condition on one label: `operator` is spelt as in the API, `values` are sorted."""

    key: str
    operator: str
    values: tuple[str, ...]

    def holds(self, value: str | None) -> bool:
        """Return whether a label with this value (None: the label is absent) satisfies the condition."""
        match self.operator:
            case "In":
                return value is not None and value in self.values
            case "NotIn":
                return value is None or value not in self.values
            case "Exists":
                return value is not None
            case "DoesNotExist":
                return value is None
            case "Gt" | "Lt":
                return self._compares(value)
        return False

    def _compares(self, value: str | None) -> bool:
        left = parse_int64(value)
        right = parse_int64(self.values[0]) if len(self.values) == 1 else None
        if left is None or right is None:
            return False
        return left > right if self.operator == "Gt" else left < right


Selector = tuple[Requirement, ...]
NOTHING: None = None
EVERYTHING: Selector = ()
ANY = ("", "")
"""What stands for no label in particular, where something is found by the labels of pods."""


def parse_int64(text: str | None) -> int | None:
    """Return the number that Go's strconv.ParseInt(text, 10, 64) reads, or None where it fails."""
    if text is None or not _INTEGER.match(text) or len(text) > 400:
        return None
    number = int(text)
    return number if -_INT64_MAX - 1 <= number <= _INT64_MAX else None


def is_label_value(text: str) -> bool:
    """Return whether a label may have this value: at most 63 letters, digits, '-', '_' and '.'."""
    return len(text.encode()) <= MAX_LABEL_VALUE and is_made_of_label_characters(text)


def is_made_of_label_characters(text: str) -> bool:
    """Return whether a text of whatever length has only what a label's value may have, in its order."""
    return _LABEL_VALUE.fullmatch(text) is not None


def from_labels(labels: Mapping[str, str] | None) -> Selector:
    """Return the selector of equal labels, as `nodeSelector` and `matchLabels` mean it."""
    return tuple(Requirement(key, "In", (value,)) for key, value in sorted((labels or {}).items()))


def from_label_selector(selector: LabelSelector | None) -> Selector | None:
    """Compile a LabelSelector: absent matches nothing, empty matches everything.

    Returns None also for one that Kubernetes cannot parse (an unknown operator, In without values).
    """
    if selector is None:
        return NOTHING
    compiled = list(from_labels(selector.match_labels))
    for expression in selector.match_expressions or ():
        requirement = _label_requirement(expression)
        if requirement is None:
            return NOTHING
        compiled.append(requirement)
    return tuple(sorted(compiled))


def _label_requirement(expression: LabelSelectorRequirement) -> Requirement | None:
    values = tuple(sorted(set(expression.values or ())))
    takes_values = {"In": True, "NotIn": True, "Exists": False, "DoesNotExist": False}
    if takes_values.get(expression.operator) is not bool(values):
        return None
    return Requirement(expression.key, expression.operator, values)


def matches(selector: Selector | None, labels: Mapping[str, str]) -> bool:
    """Return whether the labels satisfy every requirement."""
    if selector is None:
        return False
    return all(requirement.holds(labels.get(requirement.key)) for requirement in selector)


def named_labels(selector: Selector | None) -> list[tuple[str, str]]:
    """Return labels one of which everything has that the selector selects; ANY where it names none."""
    if selector is None:
        return []
    named = next((one for one in selector if one.operator == "In"), None)
    return [ANY] if named is None else [(named.key, value) for value in dict.fromkeys(named.values)]


class NodeTerm(NamedTuple):
    """One compiled NodeSelectorTerm: requirements on labels and on fields, all of which must hold."""

    labels: Selector
    fields: Selector


def from_node_term(term: NodeSelectorTerm) -> NodeTerm | None:
    """Compile a NodeSelectorTerm; None for one that matches nothing (empty, or not parseable)."""
    if not term.match_expressions and not term.match_fields:
        return None
    labels = [_node_requirement(expression) for expression in term.match_expressions or ()]
    fields = [_field_requirement(expression) for expression in term.match_fields or ()]
    if None in labels or None in fields:
        return None
    return NodeTerm(
        tuple(requirement for requirement in labels if requirement is not None),
        tuple(requirement for requirement in fields if requirement is not None),
    )


def _node_requirement(expression: LabelSelectorRequirement) -> Requirement | None:
    if expression.operator in ("Gt", "Lt"):
        values = tuple(expression.values or ())
        if len(values) != 1 or parse_int64(values[0]) is None:
            return None
        return Requirement(expression.key, expression.operator, values)
    if not all(is_label_value(value) for value in expression.values or ()):
        return None
    return _label_requirement(expression)


def _field_requirement(expression: LabelSelectorRequirement) -> Requirement | None:
    if expression.operator not in ("In", "NotIn") or len(expression.values or ()) != 1:
        return None
    return Requirement(expression.key, expression.operator, tuple(expression.values or ()))


def from_node_terms(terms: list[NodeSelectorTerm] | None) -> tuple[NodeTerm, ...]:
    """Compile the ORed terms of a NodeSelector, leaving out those that match nothing."""
    compiled = (from_node_term(term) for term in terms or ())
    return tuple(term for term in compiled if term is not None)


def term_matches(term: NodeTerm, labels: Mapping[str, str], node_name: str) -> bool:
    """Return whether a node with these labels and this name satisfies the term."""
    fields = {"metadata.name": node_name}
    return matches(term.labels, labels) and all(
        requirement.holds(fields.get(requirement.key, "")) for requirement in term.fields
    )
