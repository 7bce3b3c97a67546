"""How an upgrade of nodes would go, played on the clock, and what would change it."""

from __future__ import annotations

import time

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.world.rehearsal.changing import rehearsal
from scheduler_core.world.rehearsal.plan import read_plan
from scheduler_core.world.rehearsal.rehearsed import Rehearsal
from scheduler_core.world.trials.warm_world import WarmWorld

CHANGES_SECONDS = 60.0
"""So long changes are begun; those that were not are told."""


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Rehearsal:
    """Play the plan, then what would change it."""
    begun = time.monotonic()
    return rehearsal(
        world,
        read_plan(asked),
        stop=progress.is_unwanted,
        is_late=lambda: time.monotonic() - begun > CHANGES_SECONDS,
        tell=progress.tell,
    )


KIND = QuestionKind("rehearsal", 5, Rehearsal, _answer)
