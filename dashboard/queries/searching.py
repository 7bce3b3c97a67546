"""How much may be searched for: each word becomes conditions of its own in the query, which costs time."""

LONGEST_SEARCH = 200
MOST_WORDS = 10
LONGEST_VALUE = 1_000
"""Longest value of a filter; no name in a cluster is longer."""


def search_fault(text: str, words: int) -> str | None:
    """Return why the search for a text of so many words is refused, or None."""
    if len(text) > LONGEST_SEARCH:
        return f"A search may have at most {LONGEST_SEARCH} characters, not {len(text):,}."
    if words > MOST_WORDS:
        return f"A search may have at most {MOST_WORDS} words, not {words:,}."
    return None


def value_fault(name: str, text: str) -> str | None:
    """Return why the value of a parameter is refused, or None."""
    if "\x00" in text:
        return f"“{name}” must not have null characters."
    if len(text) > LONGEST_VALUE:
        return f"“{name}” may have at most {LONGEST_VALUE:,} characters, not {len(text):,}."
    return None
