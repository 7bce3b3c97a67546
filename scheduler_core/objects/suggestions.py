"""Guesses what somebody meant by a name that is unknown."""

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

CLOSE = 0.6
VERY_CLOSE = 0.85
_LONGEST = 100


@lru_cache(maxsize=4096)
def closest(name: str, known: frozenset[str], likeness: float = CLOSE) -> str | None:
    """Return the known name that is most like a misspelt one, if any is; capitals don't count."""
    if len(name) > _LONGEST:
        return None
    spelt = {candidate.lower(): candidate for candidate in sorted(known)}
    found = get_close_matches(name.lower(), spelt, n=1, cutoff=likeness)
    return spelt[found[0]] if found else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return the end of a sentence that asks for the closest known name; empty if none is close."""
    found = closest(name, frozenset(known))
    return f"; did you mean {found}?" if found else ""
