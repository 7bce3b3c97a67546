"""How many more pods an exact solver would have placed than a run did."""

from __future__ import annotations

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.optimum.optimizing import optimum
from scheduler_core.world.optimum.results import Optimum
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Optimum:
    """Play a run's `edits` to its end, and hold that against the solver."""
    found = optimum(world, asked.get("edits") or (), stop=progress.is_unwanted)
    if found is None:
        raise BadInput([Problem("optimum", "run", "somebody ended it")])
    return found


KIND = QuestionKind("optimum", 1, Optimum, _answer)
