"""Takes secrets out of texts that are written down: log lines, tracebacks, and pages about failures.

A secret is known by its form (a sign-in link, a token of ours, the password in an address, the value of an
Authorization header or a cookie), by the name that it is given (`password=…`), or by itself: what
`keep_secret` was told. Texts are bounded, and so is every repetition in a pattern: whoever sends a request
must not be able to make its log line expensive.
"""

import re
from typing import Any
from urllib.parse import unquote

MASK = "***"
LONGEST_TEXT = 20_000
MOST_LEVELS = 12
SHORTEST_KNOWN = 12
"""Shorter secrets are left to the other ways: masked wherever they occur, they would spoil every text."""

_WORDS = r"(?:passw(?:or)?d|passphrase|secret|token|credential|api_?key|sessionid)"
_SECRET_NAME = re.compile(rf"{_WORDS}|authorization|cookie", re.IGNORECASE)
_QUOTES = r"""[\\"'\]]{0,4}"""
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"((?:authorization|cookie){_QUOTES}\s{{0,5}}[:=,]\s{{0,5}}b?{_QUOTES})[^\\\"'\r\n]+",
        r"(\b(?:bearer|basic)\s{1,5})[\w.~+/=-]{16,}",
        r"(/accounts/link/)[^/\s\"'?<>]+",
        r"(/accounts/oidc/callback/\?)[^\s\"'<>]+",
        r"(\bsandtable_)(?!session\b|csrf\b)[\w-]{20,}",
        r"(\bsandtable_(?:session|csrf)\W{1,4})[\w-]+",
        r"(\b[a-z][a-z0-9+.-]{0,20}://[^\s:/@\"']{0,200}:)[^\s\"'<>]{0,1000}(?=@)",
        rf"({_WORDS}\w{{0,40}}{_QUOTES}\s{{0,5}}[:=]\s{{0,5}})"
        r"""(?:(["'])(?:(?!\2)[^\\]|\\.){0,1000}\2|[\\"']{0,4}[^\s\\"'&,;)}\]]+)""",
    )
)
_known: set[str] = set()


def keep_secret(*secrets: str | None) -> None:
    """Mask these texts from now on, wherever they occur; short ones and None are passed over."""
    for secret in filter(None, secrets):
        _known.update(form for form in (secret, unquote(secret)) if len(form) >= SHORTEST_KNOWN)


def masked(text: str) -> str:
    """Return the text with its secrets replaced by asterisks; the middle of a very long one is left out."""
    if len(text) > LONGEST_TEXT:
        begin, end = text[: LONGEST_TEXT // 2], text[-LONGEST_TEXT // 2 :]
        text = f"{begin} … {end.split(maxsplit=1)[-1]}"  # a secret that was cut would not be known by its end
    for secret in _known:
        text = text.replace(secret, MASK)
    for form in _FORMS:
        text = form.sub(rf"\1{MASK}", text)
    return text


def masked_value(value: Any, levels: int = MOST_LEVELS) -> Any:
    """Return a value without secrets, of plain types that JSON can hold; objects become their text.

    What is nested deeper than `levels` is left out.
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, str):
        return masked(value)
    if levels == 0:
        return "…"
    if isinstance(value, dict):
        return {str(name): _masked_entry(str(name), entry, levels - 1) for name, entry in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [masked_value(entry, levels - 1) for entry in value]
    return masked(_text_of(value))


def _masked_entry(name: str, value: Any, levels: int) -> Any:
    if _SECRET_NAME.search(name) and isinstance(value, str | bytes):
        return MASK
    return masked_value(value, levels)


def _text_of(value: object) -> str:
    """Return the text of an object; one that cannot say it itself is named by its type."""
    try:
        return str(value)
    except Exception:
        return f"<{type(value).__name__}>"
