"""How many more of a shape would fit if it asked for another amount of cpu or of memory.

Each pod of the shape asks for the same share of what it asks for now; everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.amounts.requests import pod_requests
from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.world.headroom.counting import MOST, Told, free_room
from scheduler_core.world.headroom.shapes import Shape, as_new
from scheduler_core.world.trials.playing import Stop, never
from scheduler_core.world.trials.warm_world import WarmWorld

Object = dict[str, Any]
SHARES = ((1, 4), (1, 2), (3, 4), (1, 1), (3, 2), (2, 1))
RESOURCES = ("cpu", "memory")


class Point(msgspec.Struct, frozen=True):
    """With this amount (milli-CPU, bytes) so many fit in free room; `or_more`: as many as were tried."""

    amount: int
    fit: int
    or_more: bool


class Curve(msgspec.Struct, frozen=True):
    """The points of one resource by amount; `asked`: the amount of now, of the shape's first pod."""

    resource: str
    asked: int
    points: list[Point]


class OtherAmounts(msgspec.Struct, frozen=True):
    """The curves of what the shape asks for; is_whole: nobody ended the counting."""

    curves: list[Curve]
    is_whole: bool


def other_amounts(
    world: WarmWorld,
    shape: Shape,
    *,
    most: int = MOST,
    stop: Stop = never,
    told: Told = lambda done, of: None,
) -> OtherAmounts:
    """Return how many of a shape fit by the amount of cpu, and of memory, that it asks for.

    Amounts that containers beside the first ask for alone are left out. Raises BadInput where a shape can't
    be added.
    """
    base = _as_pods(shape)
    varied = {
        resource: list(_varied(base, resource)) for resource in RESOURCES if base.requests.get(resource)
    }
    total, done = sum(map(len, varied.values())), 0
    curves: list[Curve] = []
    for resource, shapes in varied.items():
        points: list[Point] = []
        for one in shapes:
            told(done, total)
            if stop():
                return OtherAmounts(curves, is_whole=False)
            fit = free_room(world, one, most=most, stop=stop)
            if fit is None:
                return OtherAmounts(curves, is_whole=False)
            points.append(Point(one.requests[resource], fit, fit >= most))
            done += 1
        curves.append(Curve(resource, base.requests[resource], points))
    return OtherAmounts(curves, is_whole=True)


def _as_pods(shape: Shape) -> Shape:
    """Return a shape of objects: of a workload, a pod as its template has it."""
    if shape.workload is None:
        return shape
    template = spec_of(shape.workload)["template"]
    metadata = {"name": name_of(shape.workload), "namespace": namespace_of(shape.workload)}
    pod = {"metadata": (template.get("metadata") or {}) | metadata, "spec": template["spec"]}
    return Shape(shape.name, (as_new(pod),))


def _varied(shape: Shape, resource: str) -> Iterator[Shape]:
    for share in SHARES:
        objects = [_asking(one, resource, share) if kind_of(one) == POD else one for one in shape.objects]
        if all(one is not None for one in objects):
            yield Shape(shape.name, tuple(one for one in objects if one is not None))


def _asking(pod: Object, resource: str, share: tuple[int, int]) -> Object | None:
    """Return a pod that asks for a share of its amount, by its first container; None where it can't."""
    total = pod_requests(types.convert(pod, types.Pod), running=False).get(resource, 0)
    if not total or share == (1, 1):
        return pod
    copy = deepcopy(pod)
    resources = spec_of(copy)["containers"][0].setdefault("resources", {})
    requests, limits = resources.setdefault("requests", {}), resources.get("limits") or {}
    now = resource_amount(resource, requests.get(resource, limits.get(resource)))
    wanted = total * share[0] // share[1]
    amount = now + wanted - total
    if amount <= 0:
        return None
    requests[resource] = f"{amount}m" if resource == "cpu" else str(amount)
    if resource in limits and resource_amount(resource, limits[resource]) < amount:
        limits[resource] = requests[resource]
    made = pod_requests(types.convert(copy, types.Pod), running=False).get(resource, 0)
    return copy if made == wanted else None
