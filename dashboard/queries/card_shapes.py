"""What the pods of a run ask of HAMi's cards: the same at every decision, so the last answers are kept."""

from functools import lru_cache
from typing import Any

import msgspec

from dashboard import engine
from dashboard.models import Run
from dashboard.queries.replay import run_key
from dashboard.queries.resuming import require_same_engine

_KEPT = 4


def card_shapes_of(run: Run) -> list[dict[str, Any]]:
    """Return the shapes as plain data; raises RecordedByOtherEngine."""
    require_same_engine(run)
    return _shapes(run_key(run))


@lru_cache(maxsize=_KEPT)
def _shapes(key: tuple[int, str]) -> list[dict[str, Any]]:
    shapes: list[dict[str, Any]] = msgspec.to_builtins(engine.card_shapes(Run.objects.get(pk=key[0])))
    return shapes
