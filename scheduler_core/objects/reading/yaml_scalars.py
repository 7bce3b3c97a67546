"""What an unquoted scalar of a YAML text means to kubectl.

The rules are those of sigs.k8s.io/yaml, which reads YAML 1.1 with a few exceptions: `yes`, `on` and `y` are
true, a leading zero makes an octal number, underscores in numbers do not count, numbers with colons and
timestamps stay text. Numbers are bounded by pattern before they are converted.
"""

import re
from typing import Any

_TRUE_WORDS = ("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON")
_FALSE_WORDS = ("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF")
_WORDS: dict[str, tuple[str, Any]] = {
    **dict.fromkeys(_TRUE_WORDS, ("bool", True)),
    **dict.fromkeys(_FALSE_WORDS, ("bool", False)),
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), ("null", None)),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), ("float", "nan")),
    **{sign + word: ("float", "inf") for sign in ("", "+", "-") for word in (".inf", ".Inf", ".INF")},
    "<<": ("merge", "<<"),
}
_INTEGER = re.compile(
    r"([+-]?)(?:0[xX]([0-9a-fA-F]{1,16})|0[bB]([01]{1,64})|0[oO]?([0-7]{1,22})|(0|[1-9][0-9]{0,19}))",
    re.ASCII,
)
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]{1,400}|[0-9]{1,400}(?:\.[0-9]{0,400})?)(?:[eE][-+]?[0-9]{1,5})?", re.ASCII
)
_DATE = re.compile(r"[0-9]{4}-", re.ASCII)


def resolve_plain(text: str) -> tuple[str, Any]:
    """Return the type and value that kubectl gives to an unquoted scalar."""
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if not (first.isascii() and (first.isdigit() or first in "+-.")) or _DATE.match(text):
        return "str", text
    plain = text.replace("_", "") if first != "." else text
    value = _integer(plain)
    if value is not None:
        return "int", value
    if _FLOAT.fullmatch(plain):
        number = float(plain)
        return ("float", number) if abs(number) != float("inf") else ("str", text)
    return "str", text


def _integer(plain: str) -> int | None:
    match = _INTEGER.fullmatch(plain)
    if match is None:
        return None
    sign, hexadecimal, binary, octal, decimal = match.groups()
    for digits, base in ((hexadecimal, 16), (binary, 2), (octal, 8), (decimal, 10)):
        if digits is not None:
            value = int(digits, base)
            value = -value if sign == "-" else value
            return value if -(2**63) <= value < 2**64 else None
    return None
