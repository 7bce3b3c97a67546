"""The distance of a run's end to the optimum: asked of a worker, once for all who ask."""

from __future__ import annotations

import msgspec

from dashboard.engine import run_input_of
from dashboard.errors import NotYet
from dashboard.models import Run
from dashboard.queries.comparison_words import cut_short
from dashboard.services.questions import optimum, stored_questions
from dashboard.services.questions.kind import Document
from dashboard.services.questions.stored_questions import Told
from scheduler_core.world.optimum.results import Optimum
from scheduler_core.world.run_input import RunInput


def optimum_of(run: Run, wait: float = 0.0, *, again: bool = False) -> Told[Optimum]:
    """Ask how many more pods an exact solver would have placed. Raises NotYet until the run has finished."""
    settled, asked = _question(run)
    return stored_questions.ask(optimum.KIND, run.snapshot, settled, asked, wait, again=again)


def end_optimum(run: Run) -> None:
    """Let it end. Raises NotYet until the run has finished."""
    settled, asked = _question(run)
    stored_questions.end(optimum.KIND, run.snapshot, settled, asked)


def _question(run: Run) -> tuple[RunInput, Document]:
    if run.status != Run.Status.FINISHED:
        raise NotYet(f"Run {run.pk} {cut_short(run)}: it has no end to hold against an exact solver.")
    played = run_input_of(run, [])
    return msgspec.structs.replace(played, edits=[]), {"edits": played.edits}
