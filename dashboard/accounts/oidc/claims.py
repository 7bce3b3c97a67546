"""What a provider's claims say of a person: a name that users may have here, and groups."""

import re
import unicodedata
from collections.abc import Mapping
from typing import Any

LONGEST_NAME = 100
"""Django's own names may be longer; the rest is room for a number."""
MOST_GROUPS = 10_000
_NOT_IN_NAMES = re.compile(r"[^\w.@+-]+")


def claim(claims: Mapping[str, Any], path: str) -> Any:
    """Return the claim of this name, or the one within others that dots lead to; None if there is none."""
    if path in claims:
        return claims[path]
    found: Any = claims
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def user_name(claims: Mapping[str, Any], path: str) -> str:
    """Return a name of letters, digits and `.@+-_` by the claim, or else by the subject."""
    for value in (claim(claims, path), claims.get("sub")):
        if isinstance(value, str):
            plain = unicodedata.normalize("NFKC", value[: 10 * LONGEST_NAME])
            name = _NOT_IN_NAMES.sub("-", plain).strip("-")[:LONGEST_NAME]
            if name:
                return name
    return "user"


def groups(claims: Mapping[str, Any], path: str) -> set[str]:
    """Return the names of groups in the claim, which is a list of texts or one text; else none."""
    value = claim(claims, path)
    if isinstance(value, str):
        return {value}
    if not isinstance(value, list):
        return set()
    return {name for name in value[:MOST_GROUPS] if isinstance(name, str)}
