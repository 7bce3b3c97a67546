"""Shapes: what is to fit more often. One more is one more pod, or one more gang."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec

from scheduler_core.objects import types
from scheduler_core.objects.amounts.requests import pod_requests
from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import (
    DEPLOYMENT,
    JOB,
    POD,
    POD_GROUP,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    RESOURCE_CLAIM_TEMPLATE,
    STATEFUL_SET,
    kind_of,
)
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.workloads.given_at_bind import without_given
from scheduler_core.objects.workloads.workload_pods import wanted_replicas
from scheduler_core.schedulers.registry import kinds, pod_makers
from scheduler_core.world.headroom.results import Edit
from scheduler_core.world.trials.warm_world import WarmWorld, adding

Object = dict[str, Any]
_SCALABLE = (DEPLOYMENT, REPLICA_SET, REPLICATION_CONTROLLER, STATEFUL_SET, JOB)
_GROUP = "PodGroup"
_GROUP_OF = "scheduling.k8s.io/group-name"
_TEMPLATES = 3
"""So many templates of claims are shapes by themselves."""
_LOOKED_AT = 50
"""Among so many workloads those are chosen that a reader is shown first."""
_KEPT = ("labels", "annotations")


@dataclass(frozen=True)
class Shape:
    """Something of which more are to fit: objects that are added, or a workload that is there.

    objects: a pod, a gang's group with its pods, or a job whose controller makes a gang. workload: one of the
    cluster that gets more pods. least: how many of the job's pods have a node once it counts; else 0.
    """

    name: str
    objects: tuple[Object, ...] = ()
    workload: Object | None = None
    least: int = 0

    @cached_property
    def size(self) -> int:
        """How many pods one more has."""
        pods = sum(kind_of(one) == POD for one in self.objects)
        return 1 if self.workload is not None else self.least or pods

    @property
    def is_gang(self) -> bool:
        """Whether several pods make up one more."""
        return self.least > 0 or (self.workload is None and len(self.objects) > 1)

    @property
    def jobs(self) -> str:
        """How the keys of its jobs begin, `Kind/namespace/name-`, of which each has a number; else empty."""
        [job] = self.objects if self.least else [None]
        return "" if job is None else f"{kind_of(job)}/{namespace_of(job)}/{name_of(job)}-"

    @property
    def requests(self) -> dict[str, int]:
        """What the first pod of one more asks for, in the units of the log."""
        pod = self.first_pod
        return {} if pod is None else pod_requests(pod, running=False)

    @property
    def first_pod(self) -> types.Pod | None:
        """The first pod of one more; None where a controller makes it later."""
        made = [(one, spec_of(one)) for one in self.objects if kind_of(one) == POD]
        if self.workload is not None:
            made = [(self.workload, (spec_of(self.workload).get("template") or {}).get("spec") or {})]
        if not made:
            return None
        owner, spec = made[0]
        metadata = {"name": "one", "namespace": namespace_of(owner)}
        return types.convert({"metadata": metadata, "spec": spec}, types.Pod)

    def more(self, count: int) -> list[Edit]:
        """Return the edits that add so many."""
        if self.workload is not None:
            place = {"namespace": namespace_of(self.workload), "name": name_of(self.workload)}
            replicas = wanted_replicas(self.workload) + count
            return [{"op": "scale", "kind": str(kind_of(self.workload)), **place, "replicas": replicas}]
        if not self.is_gang:
            return [adding(self.objects, count)]
        return [adding(one for number in range(1, count + 1) for one in self._numbered(number))]

    def _numbered(self, number: int) -> Iterable[Object]:
        groups = {name_of(one) for one in self.objects if kind_of(one) != POD}
        for one in self.objects:
            copy = deepcopy(one)
            metadata = copy["metadata"]
            metadata["name"] = f"{metadata['name']}-{number}"
            named = _group_of(copy)
            if kind_of(copy) == POD and named in groups:
                _name_group(copy, f"{named}-{number}")
            yield copy


@contextmanager
def told_by_name(shape: Shape) -> Iterator[None]:
    """Name a shape, and not the edit that adds it, in the problems of a block."""
    try:
        yield
    except BadInput as error:
        named = (
            msgspec.structs.replace(one, object=shape.name) if _is_edit(one) else one
            for one in error.problems
        )
        raise BadInput(list(named)) from None


def _is_edit(problem: Problem) -> bool:
    return problem.object.startswith("edits[")


def shape_of_pod(name: str, spec: Object, *, namespace: str = "default", **metadata: Any) -> Shape:
    """Return the shape of a pod with this spec; `metadata`: labels and annotations."""
    made = {"name": "more", "namespace": namespace, **metadata}
    return Shape(name, ({"apiVersion": "v1", "kind": "Pod", "metadata": made, "spec": spec},))


def shape_like(world: WarmWorld, workload: str) -> Shape:
    """Return the shape of one more pod of a workload, `Kind/namespace/name`. Raises BadInput.

    A bare pod's is of a pod like it, without its place; so is that of a workload whose template isn't known.
    """
    kind, *rest = workload.split("/", 2)
    cluster = world.objects
    found = cluster.find(cluster.kind_named(kind), *rest) if len(rest) == 2 else []
    if not found:
        raise BadInput([Problem(workload, "workload", "is not in this cluster")])
    one = found[-1]
    if kind_of(one) in pod_makers():
        return shape_of_job(workload, one)
    if kind_of(one).name == _GROUP:
        return _shape_of_group(world, workload, one)
    if kind_of(one) == POD:
        return Shape(workload, (as_new(one),))
    if kind_of(one) == RESOURCE_CLAIM_TEMPLATE:
        return _shape_of_template(workload, one)
    if kind_of(one) not in _SCALABLE or controller_of(one) is not None:
        raise BadInput([Problem(workload, "workload", "can't be given more pods")])
    if not ((spec_of(one).get("template") or {}).get("spec") or {}).get("containers"):
        pods = cluster.pods_of(one)
        if not pods:
            raise BadInput([Problem(workload, "workload", "has neither a template nor pods")])
        return Shape(workload, (as_new(pods[0]),))
    return Shape(workload, workload=one)


def _shape_of_template(name: str, template: Object) -> Shape:
    """Return the shape of a pod that asks for nothing but a claim of a template."""
    entry = {"name": "claim", "resourceClaimTemplateName": name_of(template)}
    spec = {"containers": [{"name": "more", "image": "more"}], "resourceClaims": [entry]}
    return shape_of_pod(name, spec, namespace=namespace_of(template))


def shape_of_job(name: str, job: Object) -> Shape:
    """Return the shape of one more job like this one: it counts once its gang is placed."""
    kind = kind_of(job)
    [maker] = (one for one in kinds().values() if kind in one.pod_makers)
    metadata = {key: job["metadata"][key] for key in _KEPT if job["metadata"].get(key)}
    named = {"name": f"{name_of(job)}-more", "namespace": namespace_of(job), **metadata}
    written = {key: job[key] for key in ("apiVersion", "kind", "spec")} | {"metadata": named}
    return Shape(name, (written,), least=maker.gang_of(job))


def _shape_of_group(world: WarmWorld, name: str, group: Object) -> Shape:
    """Return the shape of a pod group's gang: the group with as many of its pods as it has at least."""
    pods = [
        one
        for one in world.objects.of_kind(POD)
        if namespace_of(one) == namespace_of(group)
        and _group_of(one) == name_of(group)
        and _is_of_kube(one) == (kind_of(group) == POD_GROUP)
    ]
    if not pods:
        raise BadInput([Problem(name, "workload", "has no pods that name it")])
    named = f"{name_of(group)}-more"
    new = [as_new(one) for one in pods[: _least(group) or len(pods)]]
    for one in new:
        _name_group(one, named)
    written = {key: group[key] for key in ("apiVersion", "kind", "spec")}
    written["spec"] = {key: value for key, value in written["spec"].items() if key != "priority"}
    return Shape(name, ({**written, "metadata": {"name": named, "namespace": namespace_of(group)}}, *new))


def _least(group: Object) -> int:
    """Return how many pods of a group must be placed together, 0 where it says nothing."""
    gang = (spec_of(group).get("schedulingPolicy") or {}).get("gang") or {}
    return int(gang.get("minCount") or spec_of(group).get("minMember") or 0)


def _is_of_kube(pod: Object) -> bool:
    """Return whether a pod names a group of kube-scheduler's, and not one of another scheduler."""
    return bool(spec_of(pod).get("schedulingGroup"))


def _group_of(pod: Object) -> str | None:
    """Return the name of a pod's group: kube-scheduler's is in its spec, another one in an annotation."""
    if _is_of_kube(pod):
        name: str | None = spec_of(pod)["schedulingGroup"].get("podGroupName")
        return name
    return (pod["metadata"].get("annotations") or {}).get(_GROUP_OF)


def _name_group(pod: Object, name: str) -> None:
    if _is_of_kube(pod):
        pod["spec"] = {**pod["spec"], "schedulingGroup": {"podGroupName": name}}
    else:
        metadata = pod["metadata"]
        metadata["annotations"] = {**(metadata.get("annotations") or {}), _GROUP_OF: name}


def as_new(pod: Object) -> Object:
    """Return a pod like one that is there, as somebody would write it."""
    metadata = pod["metadata"]
    kept = {key: without_given(metadata[key]) for key in _KEPT if metadata.get(key)}
    spec = {key: value for key, value in spec_of(pod).items() if key not in ("nodeName", "priority")}
    named = {"name": f"{name_of(pod)}-more", "namespace": namespace_of(pod), **kept}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": named, "spec": spec}


def usual_shapes(world: WarmWorld, count: int = 5) -> list[Shape]:
    """Return the workloads of a cluster that have most pods, and claims of its first templates, as shapes.

    Of jobs, groups and bare pods of a namespace that ask for the same, the first stands for all.
    """
    pods = world.simulation.pods_by_workload()
    found: dict[bytes, Shape] = {}
    for key in sorted(pods, key=lambda key: (-pods[key], key))[:_LOOKED_AT]:
        if len(found) == count:
            break
        try:
            shape = shape_like(world, key)
        except BadInput:
            continue  # a DaemonSet, or one that isn't there
        found.setdefault(_asked_by(shape), shape)
    return [*found.values(), *_claims_of_templates(world)]


def _asked_by(shape: Shape) -> bytes:
    """Return what tells shapes apart: what is added, whatever its names are, or the workload that grows."""
    added = [(kind_of(one), namespace_of(one), spec_of(one)) for one in shape.objects]
    return msgspec.json.encode(added or shape.name, order="deterministic")


def _claims_of_templates(world: WarmWorld) -> list[Shape]:
    claims = world.simulation.cluster.device_claims
    if claims is None or not claims.makes_claims:
        return []
    keys = sorted(claims.templates.values)[:_TEMPLATES]
    return [shape_like(world, f"{RESOURCE_CLAIM_TEMPLATE}/{namespace}/{name}") for namespace, name in keys]
