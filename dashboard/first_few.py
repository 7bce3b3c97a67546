"""The first of many names in a sentence, and how many more there are."""

from collections.abc import Sequence


def first_few(names: Sequence[str], most: int) -> str:
    """Return `a, b, c and 4 more`: so many names at most, in their order, and the number of the others."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more:,} more" if more > 0 else "")
