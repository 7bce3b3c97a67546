"""Where recorded cases are played in a slow way, `make test` takes a part of them; EVERY_CASE=1 takes all.

Every case is decided as recorded in any case (`tests/scheduler_core/kube/test_vectors.py` and its
neighbours); the slow ways are through REST, through workers, and with stripped objects. Of what
Hypothesis makes up, `make test` tries half as many examples.
"""

import os
from collections.abc import Iterable
from itertools import islice
from typing import TypeVar

from tests.fixtures.database import WANTED

T = TypeVar("T")
EVERY = bool(os.environ.get("EVERY_CASE"))


def portion(cases: Iterable[T], one_in: int) -> Iterable[T]:
    """Return the first of every so many cases, on PostgreSQL of three times as many."""
    step = one_in if WANTED == "sqlite" else 3 * one_in
    return cases if EVERY else islice(cases, 0, None, step)


def tries(number: int) -> int:
    """Return how many made-up examples to try: on PostgreSQL a third, here half; each run makes up others."""
    return number if EVERY else number // (2 if WANTED == "sqlite" else 3)
