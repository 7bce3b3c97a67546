"""What would make pods fit: all of a workload or a gang that wait, one of them, or those of a manifest."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.objects.checks.cluster_checks import object_name
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.object_admission import EDIT_PLACE
from scheduler_core.world.fitting.results import Fitting
from scheduler_core.world.fitting.what_fits import MOST_TRIALS, what_would_fit
from scheduler_core.world.headroom.counting import world_after
from scheduler_core.world.trials.warm_world import WarmWorld, adding


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Fitting:
    """Ask about `pods` (uids); with `others`, many others that wait take part; no more than `most` trials.

    With `objects`, about the pods of their `workload` (`Kind/namespace/name`), once all of them are applied.
    """
    if "objects" in asked:
        world, pods = _applied(world, asked)
    else:
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


def _applied(world: WarmWorld, asked: Document) -> tuple[WarmWorld, list[str]]:
    """Return a cluster to which the objects were applied, and the workload's pods that wait there."""
    edits = [adding([one]) for one in asked["objects"]]
    try:
        with world.begun(edits) as simulation:
            after = world_after(world, simulation)
    except BadInput as error:
        raise BadInput([_of_object(problem, asked["objects"]) for problem in error.problems]) from error
    begun, key = after.simulation, asked["workload"]
    infos = [begun.cluster.pods.infos[row] for row in begun.ground.pending]
    new = [one for one in infos if not world.simulation.knows(one.uid)]
    own = [
        one.uid for one in new if key in (begun.workload_of(one.uid), f"Pod/{one.namespace}/{one.name}")
    ] or [one.uid for one in new]
    if not own:
        raise BadInput([Problem(key, "objects", "has no pod at the start of which anything could be tried")])
    return after, own


def _of_object(problem: Problem, objects: Sequence[Document]) -> Problem:
    """Return what is wrong with an edit as what is wrong with the object that it adds."""
    found = EDIT_PLACE.match(problem.object)
    if found is None:
        return problem
    field = problem.field.removeprefix("manifest").lstrip(".")
    return Problem(object_name(dict(objects[int(found[1])])), field, problem.message)


KIND = QuestionKind("would_fit", 7, Fitting, _answer)
