"""Comparisons that a page needs are read for as long as it may take; the rest when it asks again.

What was read is kept by the process for the next request (`queries/comparison.py`).
"""

import time
from collections.abc import Sequence

from dashboard.models import Run
from dashboard.queries.comparison import differences
from dashboard.services.results.changes_alone import alone_between

SECONDS = 1.0
"""So long a page waits for logs before it is shown with how far the reading is."""
Pairs = Sequence[tuple[Run, Run]]


def pairs_of(a: Run, b: Run, runs: Sequence[Run]) -> Pairs:
    """Return the pairs of a page: `runs` with the first, a with b, and a with each change alone."""
    pairs = [(runs[0], run) for run in runs[1:]]
    pairs += [(a, b)] if (a, b) not in pairs else []
    if a.has_ended and b.has_ended:
        alone = alone_between(a, b, 0).runs.values()
        pairs += [(a, run) for run in alone if run.status == Run.Status.FINISHED]
    return pairs


def read_ahead(pairs: Pairs, seconds: float | None = SECONDS) -> int:
    """Read the logs of pairs, one pair at least, and return of how many they are read.

    seconds: how long; None for all of them. Raises NotYet while one of the runs has nothing.
    """
    begun = time.monotonic()
    for done, (a, b) in enumerate(pairs):
        if done and seconds is not None and time.monotonic() - begun > seconds:
            return done
        differences(a, b)
    return len(pairs)
