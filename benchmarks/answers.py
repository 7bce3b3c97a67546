"""CPU time of trials on a warm world: 5,000 nodes and 100,000 pods, of which 2,000 wait.

The cluster is that of the imports, as it is stored. A trial is what a question such as "does it fit?" comes
to: edits, the decisions that follow from them, what became of pods, and all of it taken back.
"""

import gc
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec

from benchmarks.figures import Figure
from benchmarks.kubectl_dump import kubectl_dump
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import RunInput
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.headroom.counting import headroom
from scheduler_core.world.headroom.shapes import usual_shapes
from scheduler_core.world.trials.warm_world import WarmWorld, adding

Object = dict[str, Any]

NODES, PODS, SMALL = 5_000, 100_000, 50
REPLICAS, DRAINED, SHAPES, LARGE = 40, 20, 5, 30
GROUP = f"Trials on a warm world, {NODES:,} nodes and {PODS:,} pods"


def measure() -> Iterator[Figure]:
    """Build the world once, then try edits on it."""
    objects = withhold_private(msgspec.json.decode(b"".join(kubectl_dump(NODES, PODS)))["items"])[0]
    start = time.process_time()
    world = WarmWorld(RunInput(objects=[*objects, *map(_large, range(LARGE))]))
    yield Figure(GROUP, "building the world", time.process_time() - start, "s")
    gc.collect()
    gc.freeze()  # as the worker that keeps it
    world.trial([adding([_deployment("first", 1)])], alone=True)  # what is read once for all trials
    new = [adding([_deployment("wanted", REPLICAS)])]
    yield _took(f"{REPLICAS} replicas, nobody else tried", "< 300", lambda: world.trial(new, alone=True))
    yield _took(f"{REPLICAS} replicas, and all pods that wait", "", lambda: world.trial(new))
    nodes = [name for one in objects if one["kind"] == "Node" and (name := one["metadata"]["name"])]
    drain = [{"op": "drain", "node": name} for name in nodes[:DRAINED]]
    yield _took(f"a drain of {DRAINED} nodes", "< 5000", lambda: world.trial(drain, alone=True))

    def small() -> None:
        for number in range(SMALL):
            world.trial([adding([_deployment(f"small-{number}", 1)])], alone=True)

    yield _took(f"{SMALL} small trials", "< 2000", small)
    yield from _fitting(world)
    yield from _headroom(world)


def _fitting(world: WarmWorld) -> Iterator[Figure]:
    """What would make pods fit that ask for more memory than any node has, in so many trials at most."""
    start = time.process_time()
    found = what_would_fit(world, [f"large-{number}" for number in range(LARGE)], most=SMALL)
    took = (time.process_time() - start) * 1000
    what = f"what would make {LARGE} pods fit: {found.trials} trials, {len(found.proposals)} proposals"
    yield Figure(GROUP, what, took, "ms", "< 2000")


def _headroom(world: WarmWorld) -> Iterator[Figure]:
    """How many more of the usual shapes fit."""
    start = time.process_time()
    found = headroom(world, usual_shapes(world, SHAPES))
    took = (time.process_time() - start) * 1000
    counts = ", ".join(f"{one.fit:,}" for one in found.rooms)
    yield Figure(GROUP, f"headroom of {SHAPES} shapes ({counts} more)", took, "ms", "< 3000")


def _took(what: str, target: str, act: Callable[[], object]) -> Figure:
    start = time.process_time()
    act()
    return Figure(GROUP, what, (time.process_time() - start) * 1000, "ms", target)


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
