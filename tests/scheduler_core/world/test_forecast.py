"""What is told of a scenario by the objects that its edits touch is what the whole cluster tells."""

import random
from functools import partial
from typing import Any

import msgspec
import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world.forecast import Forecast, KnownCluster, is_told_by_parts
from scheduler_core.world.run_input import Companion, RunInput
from scheduler_core.world.simulation import Simulation

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
        forecast = tell()
    except BadInput as error:
        return [msgspec.to_builtins(problem) for problem in error.problems]
    return {
        "edits": msgspec.to_builtins(forecast.edit_results),
        "totals": {key: amount for key, amount in sorted(forecast.totals.items()) if amount},
        "trust": msgspec.to_builtins(forecast.trust),
        "schedulers": forecast.schedulers,
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


@pytest.mark.parametrize("seed", range(12))
def test_scenarios_of_one_cluster_are_told_by_parts_as_by_the_whole(seed):
    dice = random.Random(seed)
    objects = random_cluster(dice)
    untouched = msgspec.json.encode(objects)
    known = KnownCluster(objects)
    played = 0
    for _ in range(10):
        run_input = random_input(dice, objects)
        assert is_told_by_parts(run_input)
        by_parts = _told(partial(known.forecast, run_input))
        assert by_parts == _told(partial(_of_the_whole, run_input)), run_input.edits
        played += isinstance(by_parts, dict)
    assert played, "all were refused"
    assert msgspec.json.encode(objects) == untouched


@pytest.mark.parametrize("profile", ["kube-1.33", "kube-1.31", "kube-1.29", "kube-1.28"])
def test_a_release_that_knows_every_field_of_a_cluster_is_told_by_parts(profile):
    played = 0
    for seed in range(6):
        dice = random.Random(seed)
        objects = random_cluster(dice)
        if profile != "kube-1.33":  # those before it know no resizing
            for one in objects:
                one.get("status", {}).pop("containerStatuses", None)
        known = KnownCluster(objects)
        assert known.is_read_as_it_is(profile)
        for _ in range(5):
            run_input = msgspec.structs.replace(random_input(dice, objects), profile=profile, beside=[])
            assert is_told_by_parts(run_input)
            by_parts = _told(partial(known.forecast, run_input))
            assert by_parts == _told(partial(_of_the_whole, run_input)), run_input.edits
            played += isinstance(by_parts, dict)
    assert played, "all were refused"


def test_a_release_that_drops_a_field_of_a_pod_does_not_read_its_cluster_as_it_is():
    pod = _named("Pod", "new", "v1", "shop", spec=_template(random.Random(1), "new")["spec"])
    assert KnownCluster([pod]).is_read_as_it_is("kube-1.33")
    pod["spec"]["resources"] = {"requests": {"cpu": "3"}}
    assert not KnownCluster([pod]).is_read_as_it_is("kube-1.33")
    assert KnownCluster([pod]).is_read_as_it_is("kube-1.36")


def test_faults_of_schedulers_come_first():
    objects = random_cluster(random.Random(1))
    run_input = RunInput(objects=objects, config={"kind": "Nothing"}, edits=[{"op": "drain", "node": "no"}])
    by_parts = _told(partial(KnownCluster(objects).forecast, run_input))
    assert isinstance(by_parts, list)
    assert by_parts == _told(partial(_of_the_whole, run_input))


def test_what_decides_in_sessions_or_reads_objects_in_its_own_way_is_told_by_the_whole():
    for profile in ("volcano-1.16", "hami-2.10", "kube-1.13"):
        assert not is_told_by_parts(RunInput(objects=[], profile=profile))
    assert not is_told_by_parts(RunInput(objects=[], beside=[Companion(scheduler="volcano")]))
