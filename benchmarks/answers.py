"""CPU time of trials on a warm world, at three sizes: up to 5,000 nodes, 100,000 pods, 2,000 of them wait.

The cluster is that of the imports, as it is stored. A trial is what a question such as "does it fit?" comes
to: edits, the decisions that follow from them, what became of pods, and all of it taken back.
"""

import gc
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import msgspec

from benchmarks.figures import Figure
from benchmarks.kubectl_dump import kubectl_dump
from benchmarks.operators.__main__ import CLUSTERS
from scheduler_core.objects.imports.references import gaps
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import RunInput
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.headroom.counting import headroom
from scheduler_core.world.headroom.shapes import usual_shapes
from scheduler_core.world.imported import Imported
from scheduler_core.world.rehearsal.changing import rehearsal
from scheduler_core.world.rehearsal.plan import read_plan
from scheduler_core.world.rehearsal.rehearsing import rehearse
from scheduler_core.world.trials.warm_world import WarmWorld, adding

Object = dict[str, Any]

SIZES = (300, 6_000), (1_500, 30_000), (5_000, 100_000)
SMALL, REPLICAS, DRAINED, SHAPES, LARGE = 50, 40, 20, 5, 30
CROWDED = "cloud-1500"
"""A cluster that `benchmarks.operators` makes."""


def measure() -> Iterator[Figure]:
    """Build a world of each size, then try edits on it. The targets are those of the largest one."""
    for nodes, pods in SIZES:
        group = f"Trials on a warm world, {nodes:,} nodes and {pods:,} pods"
        objects = withhold_private(msgspec.json.decode(b"".join(kubectl_dump(nodes, pods)))["items"])[0]
        names = [name for one in objects if one["kind"] == "Node" and (name := one["metadata"]["name"])]
        for figure in chain(_still(objects, names), _clocked(objects, names)):
            yield replace(figure, group=group)
    yield _where_many_wait()


def _where_many_wait() -> Figure:
    """Rehearse an upgrade beside hundreds of pods that fit nowhere: each event has them tried again."""
    objects = withhold_private(CLUSTERS[CROWDED]("1")["items"])[0]
    world = WarmWorld(RunInput(objects=objects, driver="timed"))
    nodes = [name for one in objects if one["kind"] == "Node" and (name := one["metadata"]["name"])]
    pending = len(world.baseline().pending)
    start = time.process_time()
    found = rehearse(world, read_plan({"nodes": nodes[:DRAINED]}))
    what = f"a rehearsal of {DRAINED} nodes, {pending} pods wait for good: {found.decisions:,} decisions"
    return Figure(f"Trials on {CROWDED}", what, time.process_time() - start, "s")


def _clocked(objects: list[Object], nodes: list[str]) -> Iterator[Figure]:
    gc.unfreeze()
    gc.collect()
    world = WarmWorld(RunInput(objects=objects, driver="timed"), imported=_imported(objects))
    plan = read_plan({"nodes": nodes[:DRAINED]})
    yield _took("what a clocked run without edits comes to, once", "", world.baseline)
    yield _took(f"a rehearsal of {DRAINED} nodes", "< 5000", lambda: rehearse(world, plan))
    yield _took("the same, with what would change it", "", lambda: rehearsal(world, plan))


def _imported(objects: list[Object]) -> Imported:
    """Return a cluster with what its import found missing, which is stored with it."""
    return Imported(objects, gaps(objects))


def _still(objects: list[Object], nodes: list[str]) -> Iterator[Figure]:
    imported = _imported([*objects, *map(_large, range(LARGE))])
    start = time.process_time()
    world = WarmWorld(RunInput(objects=imported.objects), imported=imported)
    yield Figure("", "building the world", time.process_time() - start, "s", "< 5")
    gc.collect()
    gc.freeze()  # as the worker that keeps it
    world.trial([adding([_deployment("first", 1)])], alone=True)  # what is read once for all trials
    yield _took("why a pod waits", "< 100", lambda: world.simulation.why("large-0"))
    new = [adding([_deployment("wanted", REPLICAS)])]
    yield _took(f"{REPLICAS} replicas, nobody else tried", "< 300", lambda: world.trial(new, alone=True))
    yield _took(f"{REPLICAS} replicas, and all pods that wait", "", lambda: world.trial(new))
    drain = [{"op": "drain", "node": name} for name in nodes[:DRAINED]]
    yield _took(f"a drain of {DRAINED} nodes", "< 5000", lambda: world.trial(drain, alone=True))

    def small() -> None:
        for number in range(SMALL):
            world.trial([adding([_deployment(f"small-{number}", 1)])], alone=True)

    yield _took(f"{SMALL} small trials", "< 2000", small)
    yield from _fitting(world)
    yield from _headroom(world)
    one = RunInput(objects=[], edits=drain[:1])
    world.forecast(one)
    yield _took("what an editor foretells of a drained node", "", lambda: world.forecast(one))


def _fitting(world: WarmWorld) -> Iterator[Figure]:
    """What would make pods fit that ask for more memory than any node has, in so many trials at most."""
    start = time.process_time()
    found = what_would_fit(world, [f"large-{number}" for number in range(LARGE)], most=SMALL)
    took = (time.process_time() - start) * 1000
    what = f"what would make {LARGE} pods fit: {found.trials} trials, {len(found.proposals)} proposals"
    yield Figure("", what, took, "ms", "< 2000")


def _headroom(world: WarmWorld) -> Iterator[Figure]:
    """How many more of the usual shapes fit."""
    start = time.process_time()
    found = headroom(world, usual_shapes(world, SHAPES))
    took = (time.process_time() - start) * 1000
    counts = ", ".join(f"{one.fit:,}" for one in found.rooms)
    yield Figure("", f"headroom of {SHAPES} shapes ({counts} more)", took, "ms", "< 3000")


def _took(what: str, target: str, act: Callable[[], object]) -> Figure:
    start = time.process_time()
    act()
    return Figure("", what, (time.process_time() - start) * 1000, "ms", target)


def _large(number: int) -> Object:
    """Return a pod that asks for more memory than any node has."""
    requests = {"cpu": "16", "memory": "300Gi"}
    container = {"name": "main", "image": "registry.example.com/app:1", "resources": {"requests": requests}}
    metadata = {"name": f"large-{number}", "namespace": "default", "uid": f"large-{number}"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": {"containers": [container]}}


def _deployment(name: str, replicas: int) -> Object:
    """Return a Deployment whose pods ask for half a core."""
    labels = {"app": name}
    requests = {"cpu": "500m", "memory": "512Mi"}
    container = {"name": "main", "image": "registry.example.com/app:1", "resources": {"requests": requests}}
    template = {"metadata": {"labels": labels}, "spec": {"containers": [container]}}
    spec = {"replicas": replicas, "selector": {"matchLabels": labels}, "template": template}
    metadata = {"name": name, "namespace": "default"}
    return {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata, "spec": spec}
