"""What is wrong with a name, in the words of Kubernetes' own validation.

Source: k8s.io/apimachinery v0.36 pkg/util/validation/validation.go.
"""

from __future__ import annotations

import re

_LABEL = "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
_SUBDOMAIN = f"{_LABEL}(\\.{_LABEL})*"
_QUALIFIED = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
_LABEL_MESSAGE = (
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-',"
    " and must start and end with an alphanumeric character"
)
_SUBDOMAIN_MESSAGE = (
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
    " and must start and end with an alphanumeric character"
)
_QUALIFIED_MESSAGE = (
    "must consist of alphanumeric characters, '-', '_' or '.',"
    " and must start and end with an alphanumeric character"
)


def subdomain_faults(name: str) -> list[str]:
    """Return what keeps a name from being a DNS subdomain, as the names of most objects must be."""
    return _too_long(name, 253) + _mismatch(name, _SUBDOMAIN, _SUBDOMAIN_MESSAGE, "'example.com'")


def label_faults(name: str) -> list[str]:
    """Return what keeps a name from being a DNS label, as the names of containers must be."""
    return _too_long(name, 63) + _mismatch(name, _LABEL, _LABEL_MESSAGE, "'my-name',  or '123-abc'")


def qualified_name_faults(name: str) -> list[str]:
    """Return what keeps a name from being that of a label's key: a name, perhaps with a domain before it."""
    prefix, slash, part = name.rpartition("/")
    examples = "'MyName',  or 'my.name',  or '123-abc'"
    faults = []
    if slash and "/" in prefix:
        text = _expected(_QUALIFIED, _QUALIFIED_MESSAGE, examples)
        with_prefix = "with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')"
        return [f"a valid label key {text} {with_prefix}"]
    if slash and not prefix:
        faults.append("prefix part must be non-empty")
    elif slash:
        faults += [f"prefix part {fault}" for fault in subdomain_faults(prefix)]
    if not part:
        faults.append("name part must be non-empty")
    faults += [f"name part {fault}" for fault in _too_long(part, 63)]
    return faults + [
        f"name part {fault}" for fault in _mismatch(part, _QUALIFIED, _QUALIFIED_MESSAGE, examples)
    ]


def label_value_faults(value: str) -> list[str]:
    """Return what keeps a text from being the value of a label."""
    examples = "'MyValue',  or 'my_value',  or '12345'"
    message = f"a valid label must be an empty string or {_QUALIFIED_MESSAGE.removeprefix('must ')}"
    return _too_long(value, 63) + _mismatch(value, f"({_QUALIFIED})?", message, examples)


def listed(faults: list[str]) -> str:
    """Return faults as Go prints a list."""
    return f"[{' '.join(faults)}]"


def _too_long(name: str, most: int) -> list[str]:
    return [f"must be no more than {most} bytes"] if len(name.encode()) > most else []


def _mismatch(name: str, pattern: str, message: str, examples: str) -> list[str]:
    return [] if re.fullmatch(pattern, name, re.ASCII) else [_expected(pattern, message, examples)]


def _expected(pattern: str, message: str, examples: str) -> str:
    return f"{message} (e.g. {examples}, regex used for validation is '{pattern}')"
