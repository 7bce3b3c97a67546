"""How many more of some shapes fit."""

from __future__ import annotations

from typing import Any

from dashboard.services.questions.kind import Document, Progress, QuestionKind
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.world.headroom.counting import MOST, headroom
from scheduler_core.world.headroom.results import Headroom
from scheduler_core.world.headroom.shapes import Shape, shape_like, usual_shapes
from scheduler_core.world.trials.warm_world import WarmWorld


def _answer(world: WarmWorld, asked: Document, progress: Progress) -> Headroom:
    """Count `shapes`, or those of the workloads with most pods; no more than `most` of each.

    A shape is a `workload` (`Kind/namespace/name`), or has a `name` and `objects`.
    """
    given = asked.get("shapes")
    shapes = usual_shapes(world) if given is None else [_shape(world, one) for one in given]
    return headroom(
        world, shapes, most=int(asked.get("most") or MOST), stop=progress.is_unwanted, told=progress.tell
    )


def _shape(world: WarmWorld, given: dict[str, Any]) -> Shape:
    if "workload" in given:
        return shape_like(world, given["workload"])
    name, objects = str(given.get("name") or "shape"), given.get("objects") or ()
    if not objects:
        raise BadInput([Problem(name, "objects", "names no pod")])
    return Shape(name, tuple(objects))


KIND = QuestionKind("more_fit", 1, Headroom, _answer)
