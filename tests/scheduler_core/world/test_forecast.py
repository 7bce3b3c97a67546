"""What a warm world foretells of a scenario is what a run of it begins with, whatever its settings."""

import random
from collections import Counter
from functools import partial
from typing import Any

import msgspec
import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world.forecast import Forecast, schedulers_of
from scheduler_core.world.run_input import Companion, RunInput
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.warm_world import WarmWorld

Object = dict[str, Any]
SPACES = ("shop", "kube-system", "lab")
GPU = "nvidia.com/gpu"


def _named(kind: str, name: str, version: str = "v1", namespace: str | None = None, **more: Any) -> Object:
    metadata = {"name": name, "uid": f"{kind}-{namespace or ''}-{name}", **more.pop("metadata", {})}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def _node(dice: random.Random, number: int) -> Object:
    amounts = {"cpu": dice.choice(["4", "8"]), "memory": "16Gi", "pods": "110"}
    if dice.random() < 0.3:
        amounts[GPU] = "4"
    spec = {"unschedulable": True} if dice.random() < 0.1 else {}
    info = {"kubeletVersion": f"v1.{33 + number % 2}.4"}
    status = {"allocatable": amounts, "capacity": amounts, "nodeInfo": info}
    return _named("Node", f"node-{number}", spec=spec, status=status)


def _template(dice: random.Random, app: str) -> Object:
    requests = {"cpu": dice.choice(["100m", "1"]), "memory": dice.choice(["64Mi", "1Gi"])}
    return {
        "metadata": {"labels": {"app": app}},
        "spec": {"containers": [{"name": "main", "image": "a", "resources": {"requests": requests}}]},
    }


def _pod(dice: random.Random, number: int, nodes: int, apps: list[Object]) -> Object:
    space = dice.choice(SPACES)
    spec: Object = _template(dice, "x")["spec"]
    metadata: Object = {"labels": {"app": f"app-{number % 3}"}, "creationTimestamp": "2026-05-01T00:00:00Z"}
    status: Object = {"phase": "Pending"}
    if dice.random() < 0.6:
        owner = dice.choice(apps)
        space = owner["metadata"]["namespace"]
        metadata["labels"] = owner["spec"]["template"]["metadata"]["labels"]
        reference = {"apiVersion": "apps/v1", "kind": owner["kind"], "controller": True}
        reference |= {"name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]}
        metadata["ownerReferences"] = [reference]
    if dice.random() < 0.7:
        spec["nodeName"] = f"node-{dice.randrange(nodes + 1)}"  # the last is not there
        status = {"phase": dice.choice(["Running"] * 5 + ["Succeeded"]), "startTime": "2026-05-01T00:00:09Z"}
        ready = dice.choice(["True", "True", "False"])
        status["conditions"] = [{"type": "Ready", "status": ready}]
        if dice.random() < 0.2:
            resources = {"requests": {"cpu": "2", "memory": "64Mi"}}
            status["containerStatuses"] = [{"name": "main", "resources": resources}]
    odd = dice.randrange(12)
    if odd == 0:
        spec["schedulerName"] = "another"
    elif odd == 1:
        spec["schedulingGates"] = [{"name": "wait"}]
    elif odd == 2:
        spec["resourceClaims"] = [{"name": "card", "resourceClaimName": "card"}]
    elif odd == 3:
        spec["priorityClassName"] = dice.choice(["high", "gone"])
    elif odd == 4:
        metadata |= {"deletionTimestamp": "2026-05-01T00:01:00Z", "deletionGracePeriodSeconds": 30}
    elif odd == 5:
        spec["containers"][0]["resources"]["requests"][GPU] = "1"
    elif odd == 6:
        spec["volumes"] = [{"name": "data", "persistentVolumeClaim": {"claimName": "data"}}]
    return _named("Pod", f"pod-{number}", "v1", space, metadata=metadata, spec=spec, status=status)


def random_cluster(dice: random.Random) -> list[Object]:
    nodes = dice.randrange(3, 7)
    apps = []
    for number, kind in enumerate(["ReplicaSet", "StatefulSet", "Deployment", "DaemonSet"]):
        app, space = f"app-{number}", dice.choice(SPACES)
        spec = {"selector": {"matchLabels": {"app": app}}, "template": _template(dice, app), "replicas": 3}
        if kind == "DaemonSet":
            del spec["replicas"]
        apps.append(_named(kind, app, "apps/v1", space, spec=spec))
    objects = [_node(dice, number) for number in range(nodes)] + apps
    objects += [_pod(dice, number, nodes, apps[:2]) for number in range(dice.randrange(20, 40))]
    if dice.random() < 0.8:
        selector = {"matchLabels": {"app": "app-0"}}
        spec = {"selector": selector, "minAvailable": dice.randrange(4)}
        status = {
            "disruptionsAllowed": dice.randrange(2),
            "currentHealthy": 2,
            "desiredHealthy": 1,
            "expectedPods": 2,
        }
        objects += [
            _named("PodDisruptionBudget", "guard", "policy/v1", space, spec=spec, status=status)
            for space in SPACES
        ]
    if dice.random() < 0.5:
        objects.append(_named("PriorityClass", "high", "scheduling.k8s.io/v1", value=1000))
    if dice.random() < 0.5:
        hard = {"hard": {"pods": str(dice.randrange(8, 20))}}
        objects.append(_named("ResourceQuota", "most", "v1", dice.choice(SPACES), spec=hard))
    if dice.random() < 0.5:
        objects += [_named("Namespace", space) for space in SPACES]
    dice.shuffle(objects)
    return objects


def _edit(dice: random.Random, objects: list[Object]) -> Object:
    def one_of(kind: str) -> Object:
        found: Object = dice.choice([one for one in objects if one["kind"] == kind])["metadata"]
        return found

    app = dice.choice(["ReplicaSet", "StatefulSet", "Deployment", "DaemonSet"])
    node, pod, workload = one_of("Node")["name"], one_of("Pod"), one_of(app)
    place = {"kind": app, "namespace": workload["namespace"], "name": workload["name"]}
    new = _named("Pod", "new", metadata={"uid": ""}, spec=_template(dice, "new")["spec"])
    del new["metadata"]["uid"]
    return dice.choice(
        [
            {"op": "drain", "node": node},
            {"op": "cordon", "node": node},
            {"op": "clone-node", "node": node, "count": dice.randrange(1, 4)},
            {"op": "delete", "kind": "Node", "name": node},
            {"op": "delete", "kind": "Pod", "namespace": pod["namespace"], "name": pod["name"]},
            {"op": "delete", **place},
            {"op": "scale", **place, "replicas": dice.randrange(9)},
            {"op": "patch", **place, "patch": {"spec": {"template": {"metadata": {"labels": {"v": "2"}}}}}},
            {"op": "patch", "kind": "Node", "name": node, "patch": {"status": {"allocatable": {"cpu": "2"}}}},
            {
                "op": "patch",
                "kind": "Node",
                "name": node,
                "patch": {"status": {"allocatable": {"cpu": "2x"}}},
            },
            {"op": "evict", "pod": f"{pod['namespace']}/{pod['name']}"},
            {"op": "add", "manifest": new, "replicas": dice.randrange(1, 5)},
            {"op": "add", "manifest": _named("Namespace", dice.choice(["shop", "far"]))},
            {"op": "add", "manifest": _named("PriorityClass", "high", "scheduling.k8s.io/v1", value=7)},
            {"op": "delete", "kind": "Namespace", "name": "shop"},
            {"op": "drain", "node": "nowhere"},
        ]
    )


def _told(tell: Any) -> Any:
    """Return all that is told, in a form that can be compared, or every problem."""
    try:
        told = tell()
    except BadInput as error:
        return [msgspec.to_builtins(problem) for problem in error.problems]
    return {
        "edits": msgspec.to_builtins(told.edit_results),
        "totals": told.totals,
        "trust": msgspec.to_builtins(told.trust),
        "schedulers": told.schedulers,
    }


def _of_the_whole(run_input: RunInput) -> Forecast:
    return Forecast.of(Simulation(run_input, foretells=True))


def random_input(dice: random.Random, objects: list[Object]) -> RunInput:
    edits = [_edit(dice, objects) for _ in range(dice.randrange(4))]
    driver = dice.choice(["instant", "timed"])
    if driver == "timed":
        edits = [edit | ({"at": 60.0} if dice.random() < 0.3 else {}) for edit in edits]
    beside = [Companion(name="other", config=_serving("another"))] if dice.random() < 0.3 else []
    controllers = dice.choice(["recreate", "none"])
    return RunInput(objects=objects, edits=edits, driver=driver, controllers=controllers, beside=beside)


def _serving(name: str) -> Object:
    kind = "KubeSchedulerConfiguration"
    return {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": kind,
        "profiles": [{"schedulerName": name}],
    }


def _totals_of_rows(simulation: Simulation) -> dict[tuple[str, str], int]:
    """Return the sums over the rows of the log's first state."""
    base, totals = simulation.base, Counter[tuple[str, str]]()
    for node in base.nodes():
        totals.update({("allocatable", name): amount for name, amount in node.allocatable.items()})
        if node.unschedulable:
            totals["cordoned", ""] += 1
            totals.update({("closed", name): amount for name, amount in node.allocatable.items()})
    for pod in base.pods():
        if pod.node:
            totals.update({("requested", name): amount for name, amount in pod.requests.items()})
        elif not pod.terminating:
            totals["pending", pod.scheduler] += 1
    totals.update({("left out", how): number for how, number in simulation.left_out.items()})
    totals.update({("nodes", ""): len(base.nodes()), ("pods", ""): len(base.pods())})
    return {key: amount for key, amount in totals.items() if amount}


PROFILES = ["kube-1.36", "kube-1.33", "kube-1.31", "kube-1.28", "kube-1.13", "volcano-1.16", "hami-2.10"]


@pytest.mark.parametrize("seed", range(10))
def test_a_warm_world_foretells_what_runs_begin_with(seed):
    dice = random.Random(seed)
    objects = random_cluster(dice)
    untouched = msgspec.json.encode(objects)
    world = WarmWorld(RunInput(objects=objects, profile=dice.choice(PROFILES), driver="instant"))
    before, played = world.simulation.checkpoint(), 0
    for _ in range(12):
        run_input = random_input(dice, objects)
        if dice.random() < 0.5:
            edits = [{key: edit[key] for key in edit if key != "at"} for edit in run_input.edits]
            profile = dice.choice(PROFILES)
            driver = "timed" if run_input.driver == "timed" and profile != "kube-1.13" else "instant"
            run_input = msgspec.structs.replace(
                run_input, profile=profile, beside=[], driver=driver, edits=edits
            )
        told = _told(partial(world.forecast, run_input))
        assert told == _told(partial(_of_the_whole, run_input)), run_input.edits
        played += isinstance(told, dict)
    assert played, "all were refused"
    assert world.simulation.checkpoint() == before
    assert msgspec.json.encode(objects) == untouched


def test_sums_are_those_over_the_rows_of_the_first_state():
    for seed in range(8):
        dice = random.Random(seed)
        simulation = Simulation(RunInput(objects=random_cluster(dice)), foretells=True)
        told = Forecast.of(simulation)
        assert {key: amount for key, amount in told.totals.items() if amount} == _totals_of_rows(simulation)
        assert told.schedulers == schedulers_of(simulation.base)


def test_a_cluster_is_built_anew_only_where_a_release_reads_it_otherwise(monkeypatch):
    objects = [_named("Pod", "new", "v1", "shop", spec=_template(random.Random(1), "new")["spec"])]

    def is_built(world: WarmWorld, profile: str) -> bool:
        with world.foretold(RunInput(objects=[], profile=profile)) as simulation:
            return simulation.ground.state is not world.simulation.ground.state

    world = WarmWorld(RunInput(objects=objects))
    assert [is_built(world, profile) for profile in PROFILES] == [False] * 4 + [True, False, True]
    objects[0]["spec"]["resources"] = {"requests": {"cpu": "3"}}
    world = WarmWorld(RunInput(objects=objects))
    assert [is_built(world, profile) for profile in PROFILES[:2]] == [False, True]


def test_faults_of_schedulers_come_first():
    objects = random_cluster(random.Random(1))
    world = WarmWorld(RunInput(objects=objects))
    run_input = RunInput(objects=[], config={"kind": "Nothing"}, edits=[{"op": "drain", "node": "no"}])
    told = _told(partial(world.forecast, run_input))
    assert isinstance(told, list)
    assert told == _told(partial(_of_the_whole, run_input))
