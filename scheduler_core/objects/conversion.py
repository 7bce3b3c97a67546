"""The words of a failed conversion to a typed view as a problem: which field, and what it must be."""

import re
from typing import Any

Object = dict[str, Any]

_ERROR_PLACE = re.compile(r"^(?P<what>.*?) - at `(?P<key>key in )?`?\$(?P<path>[^`]*)`+$", re.DOTALL)
_TYPE_WORDS = {
    "str": "text",
    "int": "a whole number",
    "float": "a number",
    "bool": "true or false",
    "object": "an object",
    "array": "an array",
    "null": "nothing",
}


def field_and_reason(message: str, document: Object) -> tuple[str, str]:
    """Translate the words of a failed conversion into a field path and a reason."""
    match = _ERROR_PLACE.match(message)
    if match is None:
        return "", message
    path = match["path"].removeprefix(".")
    expected = re.match(r"Expected `([^`]*)`, got `([^`]*)`", match["what"])
    if expected is None:
        return path, match["what"]
    types = [part.strip() for part in expected[1].split("|") if part.strip() != "null"]
    wanted = " or ".join(_TYPE_WORDS.get(one, one) for one in types)
    if {"int", "float", "str"} <= set(types):
        wanted = "a quantity"
    found = _TYPE_WORDS.get(expected[2], expected[2])
    if expected[2] == "float" and "int" in types:
        found = "a fraction"
    if path.endswith("[...]"):
        path = _faulty_entry(document, path.removesuffix("[...]"), expected[1])
    return path, f"must be {wanted}, not {found}"


def plain_message(message: str) -> str:
    """Say what a missing or unknown field means to somebody who writes documents of ours."""
    for start, end in (
        ("Object missing required field `", "is required"),
        ("Object contains unknown field `", "is no field"),
    ):
        if message.startswith(start):
            name = message[len(start) :].partition("`")[0]
            return f"{end} - at `$.{name}`"
    return message


def _faulty_entry(document: Object, path: str, expected: str) -> str:
    """Return the path of the first entry of a map whose value has not the expected type."""
    value: Any = document
    for name, index in re.findall(r"\.?([^.\[\]]+)|\[(\d+)\]", path):
        value = value[int(index)] if index else value[name]
    types = {"str": str, "int": int, "float": float, "bool": bool, "object": dict, "array": list}
    allowed = tuple(types[part.strip()] for part in expected.split("|") if part.strip() in types)
    for key, entry in value.items():
        if entry is not None and (
            not isinstance(entry, allowed) or (isinstance(entry, bool) and bool not in allowed)
        ):
            return f"{path}.{key}"
    return path
