"""Choosing among equals, where the real scheduler draws lots.

Without a seed the first by name is taken, as in the recorded cases.
"""

import random
from collections.abc import Callable

Lots = Callable[[int], int]
"""Takes how many equals there are and returns the place of one in the order of their names."""


def first(equals: int) -> int:
    """Return the place of the first by name."""
    return 0


def drawn(seed: int, turn: int) -> Lots:
    """Return the draw of one decision: the same seed and turn always draw the same."""
    generator = random.Random(f"{seed}/{turn}")  # noqa: S311 (lots that can be repeated)

    return generator.randrange
