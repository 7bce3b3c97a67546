"""A kind of question of the tests: what edits come to, as a trial."""

from __future__ import annotations

from dashboard.services.questions.kind import Document, Progress, QuestionKind, counting
from scheduler_core.world.trials.trial_result import TrialResult
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> TrialResult:
    """Try `edits`; tell of new pods and of `pods` (uids); `alone` as for a trial."""
    return world.trial(
        asked["edits"],
        pods=asked.get("pods", ()),
        alone=bool(asked.get("alone", False)),
        stop=progress.is_unwanted,
        watch=counting(progress),
    )


KIND = QuestionKind("tried", 1, TrialResult, _answer)
