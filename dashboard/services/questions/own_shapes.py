"""Shapes that somebody writes: cpu, memory and GPUs in a line, or a manifest, of which more are to fit."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from scheduler_core.objects.amounts.quantity import QuantityError, parse_quantity
from scheduler_core.objects.identity import name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import POD, kind_of
from scheduler_core.objects.problems import BadInput, Problem, within
from scheduler_core.objects.reading.object_lists import NoObjects, NothingInIt, read_yaml
from scheduler_core.schedulers.registry import pod_makers
from scheduler_core.world.edits.manifests import read_to_apply
from scheduler_core.world.headroom.shapes import Shape, as_new, shape_of_job
from scheduler_core.world.trials.warm_world import WarmWorld, adding

Object = dict[str, Any]
LARGEST = 20_000
"""A shape of more characters is refused."""
GPU = "nvidia.com/gpu"
MOST_OF_ONE = 2**50
"""No amount of a pod is larger: no node has so much, and sums of larger ones would overflow."""
_METADATA = ("namespace", "labels", "annotations")
_SPEC = (
    "nodeSelector", "tolerations", "affinity", "topologySpreadConstraints", "priorityClassName",
    "schedulerName", "runtimeClassName",
)  # fmt: skip
_AMOUNTS = ("cpu", "memory", "gpus", "gpu", "resources")


def read_shape(text: str) -> Object:
    """Return a shape that is asked about, `{"name", "objects"}`. Raises BadInput with its fields.

    text: YAML or JSON. Either a manifest (it has a `kind`): one more is all that it makes. Or a mapping with
    `cpu`, `memory`, `gpus` (of the resource `gpu`, else nvidia.com/gpu) and `resources`, as Kubernetes writes
    amounts; also `name`, `namespace`, `labels`, `annotations`, and fields of a pod's spec that choose nodes.
    """
    if len(text) > LARGEST:
        raise BadInput([Problem("shape", "", f"has more than {LARGEST:,} characters")])
    with within("shape"):
        first = _first(text)
    if "kind" in first:
        with within("shape"):
            objects = read_to_apply(text.encode()).objects
        for one in objects:
            _refuse_huge(_requests_in(one))
        named = f"{objects[0]['kind']} {name_of(objects[0])}" if objects else "shape"
        return {"name": named, "objects": objects}
    known = ("name", *_METADATA, *_SPEC, *_AMOUNTS)
    if unknown := [str(name) for name in first if name not in known]:
        raise BadInput([Problem("shape", name, "is not a field of a shape") for name in unknown])
    requests = _requests(first)
    _refuse_huge(requests.items())
    name = str(first.get("name") or _called(first, requests))
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "more", **{key: first[key] for key in _METADATA if key in first}},
        "spec": {
            "containers": [{"name": "more", "image": "more", "resources": _resources(requests)}],
            **{key: first[key] for key in _SPEC if key in first},
        },
    }
    return {"name": name, "objects": read_to_apply(msgspec.json.encode(pod)).objects}


def _first(text: str) -> Object:
    """Return the first document, within the bounds of what is read as YAML. Raises BadInput."""
    with suppress(NoObjects, NothingInIt):
        for document in read_yaml(text.encode()):
            return document
    raise BadInput([Problem("shape", "", "must be a mapping, as {cpu: 2, memory: 4Gi}")])


def _requests(first: Mapping[str, Any]) -> dict[str, str]:
    found = {name: first[name] for name in ("cpu", "memory") if first.get(name) not in (None, "")}
    if first.get("gpus") not in (None, ""):
        found[str(first.get("gpu") or GPU)] = first["gpus"]
    others = first.get("resources") or {}
    if not isinstance(others, dict):
        raise BadInput([Problem("shape", "resources", "must be a mapping of resources and amounts")])
    return {str(name): str(amount) for name, amount in {**found, **others}.items()}


def _refuse_huge(requests: Iterable[tuple[str, Any]]) -> None:
    """Raise BadInput where an amount is larger than any node's can be."""
    for name, amount in requests:
        try:
            is_huge = parse_quantity(amount).nanos > MOST_OF_ONE * 10**9
        except (QuantityError, TypeError):
            continue  # reading the pod says what is wrong
        if is_huge:
            raise BadInput([Problem("shape", name, f"must be at most {MOST_OF_ONE:,}, not {amount}")])


def _requests_in(value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the amounts of all containers of an object, wherever its pods' spec is."""
    if isinstance(value, list):
        for one in value:
            yield from _requests_in(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key in ("requests", "limits") and isinstance(one, dict):
                yield from one.items()
            else:
                yield from _requests_in(one)


def _resources(requests: Mapping[str, str]) -> Object:
    """Return resources of a container; what can't be overcommitted has its limit, too."""
    limits = {name: amount for name, amount in requests.items() if "/" in name}
    return {"requests": dict(requests), **({"limits": limits} if limits else {})}


def _called(first: Mapping[str, Any], requests: Mapping[str, str]) -> str:
    amounts = ", ".join(f"{amount} {name}" for name, amount in requests.items()) or "nothing"
    others = [name for name in (*_METADATA, *_SPEC) if first.get(name)]
    return f"{amounts} with {', '.join(others)}" if others else amounts


def made_shape(world: WarmWorld, name: str, objects: list[Object]) -> Shape:
    """Return the shape of all pods and pod groups that some objects make: one more is all of them.

    Of a job of a scheduler's own kind one more is its gang. Raises BadInput where there are no pods at once.
    """
    if all(kind_of(one) == POD for one in objects):
        return Shape(name, tuple(objects))
    if jobs := [one for one in objects if kind_of(one) in pod_makers()]:
        if len(objects) > 1:
            raise BadInput([Problem(name, "shape", "must be one job alone, without other objects")])
        return shape_of_job(name, jobs[0])
    before = {_key(one) for one in world.objects.objects()}
    with world.begun([adding([one]) for one in objects]) as simulation:
        new = [one for one in simulation.objects() if _key(one) not in before]
    groups = [_as_written(one) for one in new if one["kind"] == "PodGroup"]
    pods = [as_new(one) for one in new if kind_of(one) == POD]
    if not pods:
        raise BadInput([Problem(name, "shape", "makes no pod at once: write its pods, and their group")])
    return Shape(name, (*groups, *pods))


def _key(one: Object) -> tuple[str, str, str]:
    return one["kind"], namespace_of(one), name_of(one)


def _as_written(group: Object) -> Object:
    metadata = {key: group["metadata"][key] for key in ("name", "namespace") if key in group["metadata"]}
    return {key: group[key] for key in ("apiVersion", "kind")} | {
        "metadata": metadata,
        "spec": spec_of(group),
    }
