"""Label selectors as kubectl takes them: `app=web,tier!=test,zone in (a,b),!spot,rank>3`.

Source: k8s.io/apimachinery v0.36 labels/selector.go Parse.
"""

from __future__ import annotations

import re

from scheduler_core.objects.selectors import Requirement, Selector, is_label_value

_KEY = r"[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?"
_SET = re.compile(rf"(?P<key>{_KEY})\s+(?P<op>in|notin)\s*\((?P<values>[^()]*)\)\s*")
_EXISTS = re.compile(rf"(?P<no>!?)\s*(?P<key>{_KEY})\s*(?=,|$)")
_COMPARED = re.compile(rf"(?P<key>{_KEY})\s*(?P<op>==|!=|=|>|<)\s*(?P<value>[^\s,()=!<>]*)\s*(?=,|$)")
_OPERATORS = {"=": "In", "==": "In", "!=": "NotIn", ">": "Gt", "<": "Lt", "in": "In", "notin": "NotIn"}


def parse_selector(text: str) -> Selector:
    """Return the compiled selector; every requirement has to hold. Raises ValueError with the reason."""
    rest = text.strip()
    if not rest:
        raise ValueError("is empty; give labels such as pool=general")
    found: list[Requirement] = []
    while True:
        requirement, length = _first(rest, text)
        found.append(requirement)
        rest = rest[length:].lstrip()
        if not rest:
            return tuple(sorted(found))
        if not rest.startswith(","):
            raise ValueError(f"can't be read from {rest!r} on; requirements are parted by commas")
        rest = rest[1:].lstrip()


def _first(rest: str, text: str) -> tuple[Requirement, int]:
    if match := _SET.match(rest):
        values = tuple(sorted({value.strip() for value in match["values"].split(",")}))
        _check_values(values)
        return Requirement(match["key"], _OPERATORS[match["op"]], values), match.end()
    if match := _EXISTS.match(rest):
        return Requirement(match["key"], "DoesNotExist" if match["no"] else "Exists", ()), match.end()
    if match := _COMPARED.match(rest):
        operator = _OPERATORS[match["op"]]
        if operator in ("Gt", "Lt") and not re.fullmatch(r"-?\d+", match["value"]):
            raise ValueError(f"{match['key']} {match['op']} needs a whole number, not {match['value']!r}")
        _check_values((match["value"],))
        return Requirement(match["key"], operator, (match["value"],)), match.end()
    raise ValueError(
        f"{text!r} is no label selector: {rest!r} can't be read; write pool=general,zone in (a,b)"
    )


def _check_values(values: tuple[str, ...]) -> None:
    for value in values:
        if not is_label_value(value):
            raise ValueError(f"{value!r} can't be the value of a label")
