"""What keys and values of labels an API server takes, and names that are made like them.

Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/validation IsQualifiedName,
IsValidLabelValue, IsDNS1123Label; pkg/apis/meta/v1/validation ValidateLabels, ValidateLabelSelector.
"""

import re
from functools import lru_cache
from typing import Any

from scheduler_core.objects.amounts.resource_names import is_qualified
from scheduler_core.objects.privacy.dropped import shown_name

_VALUE = re.compile(r"([A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?)?", re.ASCII)
_LABEL = re.compile(r"[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?", re.ASCII)
_CHARACTERS = "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends"
NO_KEY = f"is no key of a label: {_CHARACTERS}, after a domain and '/' or without"
NO_VALUE = f"is no value of a label: {_CHARACTERS}"
NO_NAME = "must be a name: at most 63 lower-case letters, digits and '-', with a letter or digit at both ends"
EMPTY = "must not be empty"

Fault = tuple[str, str]


@lru_cache(maxsize=16_384)
def key_fault(key: str) -> str | None:
    """Return what is wrong with a label's key, or with what is named like one."""
    if not key:
        return EMPTY
    return None if is_qualified(key) else NO_KEY


@lru_cache(maxsize=16_384)
def value_fault(value: str) -> str | None:
    """Return what is wrong with a label's value."""
    return None if _VALUE.fullmatch(value) else NO_VALUE


def name_fault(name: str) -> str | None:
    """Return what is wrong with the name of a part of a pod: of a container, of a volume."""
    return None if _LABEL.fullmatch(name) else NO_NAME


def label_faults(labels: Any, field: str) -> list[Fault]:
    """Return what is wrong with a map of labels, by field."""
    if not isinstance(labels, dict):
        return []
    return [
        (f"{field}.{shown_name(key)}", fault)
        for key, value in labels.items()
        if (fault := _label_fault(key, value if isinstance(value, str) else ""))
    ]


@lru_cache(maxsize=16_384)
def _label_fault(key: str, value: str) -> str | None:
    return key_fault(key) or value_fault(value)
