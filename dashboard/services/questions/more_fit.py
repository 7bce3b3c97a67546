"""How many more of some shapes fit: in a snapshot, or as a run of it stands after a decision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dashboard.errors import Refused
from dashboard.models import Run
from dashboard.queries.resuming import simulation_after
from dashboard.services.questions.kind import Document, Progress, QuestionKind
from dashboard.services.questions.own_shapes import made_shape
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.headroom.counting import MOST, headroom, world_after
from scheduler_core.world.headroom.results import Headroom
from scheduler_core.world.headroom.shapes import Shape, shape_like, usual_shapes
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Headroom:
    """Count `shapes`, or those of the workloads with most pods; no more than `most` of each.

    A shape is a `workload` (`Kind/namespace/name`), or has a `name` and `objects`. `run`, `decision`: as that
    run stands after it.
    """
    world = world_of(world, asked)
    shapes = [shape_of(world, one) for one in asked["shapes"]] if "shapes" in asked else usual_shapes(world)
    return headroom(
        world, shapes, most=int(asked.get("most") or MOST), stop=progress.is_unwanted, told=progress.tell
    )


def world_of(world: WarmWorld, asked: Document) -> WarmWorld:
    """Return the world as the `run` that is named stands after the `decision`. Raises BadInput."""
    if "run" not in asked:
        return world
    run, decision = asked["run"], asked["decision"]
    try:
        played = Run.objects.select_related("snapshot").get(pk=run)
        return world_after(world, simulation_after(played, decision))
    except (Run.DoesNotExist, Refused) as error:
        raise BadInput([Problem(f"run {run}", "decision", str(error))]) from error


def shape_of(world: WarmWorld, given: Mapping[str, Any]) -> Shape:
    """Return the shape that is named or written out. Raises BadInput."""
    if "workload" in given:
        return shape_like(world, given["workload"])
    name, objects = str(given.get("name") or "shape"), given.get("objects") or ()
    if not objects:
        raise BadInput([Problem(name, "objects", "names no pod")])
    return made_shape(world, name, list(objects))


KIND = QuestionKind("more_fit", 9, Headroom, _answer)
