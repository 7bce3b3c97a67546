"""What the pods of a run ask of HAMi's cards: the same at every decision, so the last answers are kept."""

from functools import lru_cache

from dashboard import engine
from dashboard.models import Run
from dashboard.queries.replay import run_key
from dashboard.queries.resuming import require_same_engine
from scheduler_core.hami.kind import KIND, settings_in
from scheduler_core.hami.measures.card_shapes import CardShape, card_shapes
from scheduler_core.world.setting_up.companions import configuration_of, takes_part
from scheduler_core.world.setting_up.preparation import pods_of

_KEPT = 4


def card_shapes_of(run: Run) -> list[CardShape]:
    """Return the shapes; raises RecordedByOtherEngine."""
    require_same_engine(run)
    return _shapes(run_key(run))


def _asked_in(run: Run) -> list[CardShape]:
    """Return what the run's pods ask of HAMi's cards; raises BadInput."""
    run_input = engine.run_input_of(run, engine.items_of(run.snapshot))
    if not takes_part(run_input, KIND.name):
        return []
    return card_shapes(settings_in(configuration_of(run_input, KIND.name)), pods_of(run_input))


@lru_cache(maxsize=_KEPT)
def _shapes(key: tuple[int, str]) -> list[CardShape]:
    return _asked_in(Run.objects.get(pk=key[0]))
