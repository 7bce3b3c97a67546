"""Of recorded cases `make test` plays those that show something more; EVERY_CASE=1 plays all.

`python -m tests.chosen_cases` chooses them by the engine's branches, and through REST by what is sent and
recorded. In other slow ways (through workers, with stripped objects) every so manieth is played. Of what
Hypothesis makes up, `make test` tries half as many examples.
"""

import gzip
import json
import os
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Literal, TypeVar

import msgspec

from tests.fixtures.database import WANTED

T = TypeVar("T")
EVERY = bool(os.environ.get("EVERY_CASE"))

VECTORS = Path(__file__).parent / "vectors"
CHOSEN = VECTORS / "chosen.json"
Way = Literal["decided", "rest", "all"]


class _Named(msgspec.Struct):
    id: str


def recorded_cases(family: str, way: Way = "all") -> Iterator[dict[str, Any]]:
    """Yield the recorded cases of a family such as `kube/preempt` that are played in this way.

    Raises FileNotFoundError if there is no such family.
    """
    chosen = None if EVERY or way == "all" else set(_chosen()[way].get(family, ()))
    with gzip.open(VECTORS / f"{family}.jsonl.gz") as lines:
        for line in lines:
            if chosen is None or msgspec.json.decode(line, type=_Named).id in chosen:
                yield msgspec.json.decode(line)


@cache
def _chosen() -> dict[str, dict[str, list[str]]]:
    return dict(json.loads(CHOSEN.read_bytes()))


def portion(cases: Iterable[T], one_in: int) -> Iterable[T]:
    """Return the first of every so many cases, on PostgreSQL of three times as many."""
    step = one_in if WANTED == "sqlite" else 3 * one_in
    return cases if EVERY else islice(cases, 0, None, step)


def tries(number: int) -> int:
    """Return how many made-up examples to try: on PostgreSQL a third, here half; each run makes up others."""
    return number if EVERY else number // (2 if WANTED == "sqlite" else 3)
