"""The distance of a run's end to the optimum: asked of a worker, once for all who ask."""

from __future__ import annotations

import msgspec

from dashboard.engine import run_input_of
from dashboard.errors import NotYet
from dashboard.models import Run
from dashboard.services.questions import asking, optimum
from dashboard.services.questions.asking import Told
from scheduler_core.world.optimum.results import Optimum


def optimum_of(run: Run, wait: float = 0.0, *, again: bool = False) -> Told[Optimum]:
    """Ask how many more pods an exact solver would have placed. Raises NotYet until the run has finished."""
    if run.status != Run.Status.FINISHED:
        raise NotYet(f"Run {run.pk} has not finished.")
    played = run_input_of(run, [])
    settled = msgspec.structs.replace(played, edits=[])
    return asking.ask(optimum.KIND, run.snapshot, settled, {"edits": played.edits}, wait, again=again)
