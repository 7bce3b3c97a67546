"""Choosing among equals, where the real scheduler draws lots.

Without a seed the first by name is taken, as in the recorded cases.
"""

import random
from collections.abc import Callable, Sequence

Lots = Callable[[Sequence[int]], int]
"""Takes the equals in the order of their names and returns one of them."""


def first(equals: Sequence[int]) -> int:
    """Return the first by name."""
    return equals[0]


def drawn(seed: int, turn: int) -> Lots:
    """Return the draw of one decision: the same seed and turn always draw the same."""
    generator = random.Random(f"{seed}/{turn}")  # noqa: S311 (lots that can be repeated)

    def draw(equals: Sequence[int]) -> int:
        return equals[generator.randrange(len(equals))]

    return draw
