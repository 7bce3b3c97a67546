"""What would come of applying a manifest: one baseline for each cluster, one trial for each question."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from dashboard.answers.preflight import Preflight
from dashboard.services.questions.kind import Document, Progress, QuestionKind, counting
from dashboard.services.results.counted import Counted
from dashboard.services.results.preflight import baseline, preflight_in_stages
from scheduler_core.world.trials.warm_world import WarmWorld

_baselines: WeakKeyDictionary[WarmWorld, Counted] = WeakKeyDictionary()
"""What comes of clusters without any manifest, for as long as they are held."""


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Preflight:
    """Try to apply `objects`, in order, and each of `before` alone, which is done before these."""
    tell = counting(progress)
    if (against := _baselines.get(world)) is None:
        against = baseline(world, tell, progress.is_unwanted)
        if not progress.is_unwanted():
            _baselines[world] = against
    return preflight_in_stages(
        world, asked["objects"], asked.get("before", ()), against, tell, progress.is_unwanted
    )


KIND = QuestionKind("preflight", 5, Preflight, _answer)
