"""What would make pods fit that wait: all of a workload or a gang together, or one."""

from __future__ import annotations

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.fitting.results import Fitting
from scheduler_core.world.fitting.what_fits import MOST_TRIALS, what_would_fit
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Fitting:
    """Ask about `pods` (uids); with `others`, many others that wait take part; no more than `most` trials."""
    pods = list(asked.get("pods") or ())
    unknown = [uid for uid in pods if not world.simulation.knows(uid)]
    if unknown or not pods:
        raise BadInput([Problem(unknown[0] if unknown else "pods", "pods", "is no pod of this cluster")])
    return what_would_fit(
        world,
        pods,
        stop=progress.is_unwanted,
        most=int(asked.get("most") or MOST_TRIALS),
        told=progress.tell,
        others=asked.get("others"),
    )


KIND = QuestionKind("would_fit", 1, Fitting, _answer)
