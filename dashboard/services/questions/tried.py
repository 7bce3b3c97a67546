"""What edits would come to, as a trial: what becomes of pods, who is evicted, what is refused."""

from __future__ import annotations

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.events.decisions import Decision
from scheduler_core.world.trials.trial_result import TrialResult
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> TrialResult:
    """Try `edits`; tell of new pods and of `pods` (uids); `alone` as for a trial."""
    done = 0

    def count(_: Decision) -> None:
        nonlocal done
        done += 1
        progress.tell(done, 0)

    return world.trial(
        asked["edits"],
        pods=asked.get("pods", ()),
        alone=bool(asked.get("alone", False)),
        stop=progress.is_unwanted,
        watch=count,
    )


KIND = QuestionKind("tried", 1, TrialResult, _answer)
