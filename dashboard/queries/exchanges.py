"""What a run's extenders have answered, as its log holds it: nobody who plays a run again asks anew."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from dashboard.models import Chunk, Run
from scheduler_core.events.decisions import Attempt, Completion, decision_decoder
from scheduler_core.events.exchanges import Exchange
from scheduler_core.kube.extenders.exchanges import Exchanges
from scheduler_core.kube.extenders.source import Source
from scheduler_core.schedulers.registry import kinds


def exchanges_of(run: Run, source: Source | None = None) -> Exchanges | None:
    """Return the exchanges of a run, None where its configurations name no extender.

    `source` answers what the log does not hold yet; without it nobody is asked.
    """
    if not names_extenders(run.config, run.beside):
        return None
    # A worker knows what is stored, since only it adds to that; for readers the log may grow.
    return Exchanges(source, StoredExchanges(run.pk, None if source is None else run.decisions))


def names_extenders(config: Any, beside: Iterable[Any] = ()) -> bool:
    """Return whether one of these configurations names an extender."""
    companions = (one.get("config") for one in beside if isinstance(one, Mapping))
    given = [one for one in (config, *companions) if isinstance(one, Mapping)]
    inner = [kind.inner_field for kind in kinds().values() if kind.inner_field]
    given += [one[field] for one in given for field in inner if isinstance(one.get(field), Mapping)]
    return any(one.get("extenders") for one in given)


class StoredExchanges:
    """Reads exchanges from the log, a chunk at a time; `last` is its last decision where that is known."""

    def __init__(self, run_id: int, last: int | None) -> None:
        self._run_id = run_id
        self._last = last
        self._first = 1
        self._lines: list[bytes] = []

    def __call__(self, seq: int) -> Sequence[Exchange]:
        """Return the exchanges of a decision, in their order."""
        if self._last is not None and seq > self._last:
            return ()
        if not self._first <= seq < self._first + len(self._lines):
            holding = Chunk.objects.filter(run_id=self._run_id, first_seq__lte=seq, last_seq__gte=seq)
            if (chunk := holding.first()) is None:
                return ()
            self._first, self._lines = chunk.first_seq, chunk.lines()
        decision = decision_decoder.decode(self._lines[seq - self._first])
        if not isinstance(decision, Attempt | Completion) or decision.exchanges is UNSET:
            return ()
        return decision.exchanges
