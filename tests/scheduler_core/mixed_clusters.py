"""Small clusters by seed, with a bit of everything that answers have to heed.

Budgets, taints, cordons, affinity, spreads, priorities, gates, nominations, DaemonSets, static pods, pods
that are ending or not ready, other schedulers' pods, extended resources and host ports.
"""

import random
from typing import Any

Object = dict[str, Any]
HOST, ZONE, DEVICE = "kubernetes.io/hostname", "topology.kubernetes.io/zone", "example.com/dev"
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"
_TAINT = {"key": "dedicated", "value": "x", "effect": "NoSchedule"}
_CLOSED = {"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}
Free = dict[str, list[int]]


def named(kind: str, name: str, version: str = "v1", namespace: str | None = None, **more: Any) -> Object:
    """Return an object; `metadata` among the rest adds to its own."""
    metadata = {"name": name, "uid": f"{kind}-{name}", "creationTimestamp": "2026-05-01T00:00:00Z"}
    metadata |= more.pop("metadata", {})
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **more}


def _node(dice: random.Random, number: int) -> Object:
    amounts = {"cpu": str(dice.randint(2, 8)), "memory": f"{dice.randint(2, 8)}Gi"}
    amounts["pods"] = str(dice.choice([4, 8, 20]))
    if dice.random() < 0.4:
        amounts[DEVICE] = str(dice.randint(1, 4))
    roll, spec = dice.random(), {}
    if roll < 0.12:
        spec = {"unschedulable": True, "taints": [_CLOSED]}
    elif roll < 0.3:
        spec = {"taints": [_TAINT]}
    labels = {HOST: f"n{number}", ZONE: f"z{number % 2}"} | ({"disk": "ssd"} if dice.random() < 0.5 else {})
    return named(
        "Node", f"n{number}", metadata={"labels": labels}, spec=spec, status={"allocatable": amounts}
    )


def _apps(app: str) -> Object:
    return {"matchLabels": {"app": app}}


def spec_of(dice: random.Random, app: str) -> Object:
    """Return the spec of a pod of an app; its priority is in `priority` and, above 0, names a class."""
    requests = {"cpu": f"{dice.randint(1, 25)}00m", "memory": f"{dice.randint(1, 16)}28Mi"}
    container: Object = {"name": "main", "image": "a:1", "resources": {"requests": requests}}
    if dice.random() < 0.15:
        requests[DEVICE] = "1"
        container["resources"]["limits"] = {DEVICE: "1"}
    other, roll = f"app{dice.randint(0, 4)}", dice.random()
    spec: Object = {"containers": [container], "schedulerName": "default-scheduler", "priority": 0}
    if roll < 0.12:
        terms = [{"topologyKey": HOST, "labelSelector": _apps(app)}]
        spec["affinity"] = {"podAntiAffinity": {REQUIRED: terms}}
    elif roll < 0.26:
        kind = "podAntiAffinity" if roll < 0.18 else "podAffinity"
        spec["affinity"] = {kind: {REQUIRED: [{"topologyKey": ZONE, "labelSelector": _apps(other)}]}}
    elif roll < 0.36:
        spread = {"maxSkew": 1, "topologyKey": dice.choice([HOST, ZONE]), "labelSelector": _apps(app)}
        spec["topologySpreadConstraints"] = [{**spread, "whenUnsatisfiable": "DoNotSchedule"}]
    elif roll < 0.42:
        spec["nodeSelector"] = {"disk": "ssd"}
    elif roll < 0.46:
        container["ports"] = [{"containerPort": 80, "hostPort": 80}]
    if dice.random() < 0.25:
        spec["tolerations"] = [{"key": "dedicated", "operator": "Exists"}]
    if priority := dice.choice([0, 0, 0, 5, 10]):
        spec |= {"priority": priority, "priorityClassName": f"p{priority}"}
    return spec


def pod_of(name: str, spec: Object, app: str, owner: Object | None, on: str | None) -> Object:
    """Return a pod, running and ready where it has a node."""
    metadata: Object = {"labels": {"app": app}}
    if owner is not None:
        reference = {"apiVersion": owner["apiVersion"], "kind": owner["kind"], "controller": True}
        reference |= {key: owner["metadata"][key] for key in ("name", "uid")}
        metadata["ownerReferences"] = [reference]
    status: Object = {"phase": "Pending"}
    if on:
        status = {"phase": "Running", "startTime": "2026-05-01T00:00:00Z"}
        status["conditions"] = [{"type": "Ready", "status": "True"}]
    place = {"nodeName": on} if on else {}
    return named("Pod", name, namespace="default", metadata=metadata, spec={**spec, **place}, status=status)


def _takes_room(free: Free, name: str, spec: Object) -> bool:
    requests = spec["containers"][0]["resources"]["requests"]
    needs = [int(requests["cpu"][:-1]), int(requests["memory"][:-2]), 1, int(requests.get(DEVICE, 0))]
    if any(has < need for has, need in zip(free[name], needs, strict=True)):
        return False
    free[name] = [has - need for has, need in zip(free[name], needs, strict=True)]
    return True


def cluster(dice: random.Random) -> list[Object]:
    """Return nodes, workloads with their pods, of which some wait, and budgets."""
    nodes = [_node(dice, number) for number in range(dice.randint(2, 6))]
    amounts = {one["metadata"]["name"]: one["status"]["allocatable"] for one in nodes}
    free = {
        name: [int(of["cpu"]) * 1000, int(of["memory"][:-2]) * 1024, int(of["pods"]), int(of.get(DEVICE, 0))]
        for name, of in amounts.items()
    }
    classes = [named("PriorityClass", f"p{value}", "scheduling.k8s.io/v1", value=value) for value in (5, 10)]
    objects = [*nodes, *classes, *_that_stay(dice, free)]
    there: dict[str, set[str]] = {name: set() for name in free}
    for number in range(dice.randint(2, 6)):
        objects += _workload(dice, f"app{number}", free, there)
    return objects


def _that_stay(dice: random.Random, free: Free) -> list[Object]:
    """Return static pods, and those of a DaemonSet."""
    small: Object = {"name": "main", "image": "a:1"}
    small["resources"] = {"requests": {"cpu": "100m", "memory": "64Mi"}}
    spec: Object = {"containers": [small], "schedulerName": "default-scheduler", "priority": 0}
    spec["tolerations"] = [{"operator": "Exists"}]
    template = {"metadata": {"labels": {"app": "agent"}}, "spec": {"containers": [small]}}
    body = {"selector": _apps("agent"), "template": template}
    daemon = named("DaemonSet", "agent", "apps/v1", "default", spec=body)
    found: list[Object] = []
    for name in free if dice.random() < 0.5 else ():
        if _takes_room(free, name, spec):
            found.append(pod_of(f"agent-{name}", spec, "agent", daemon, name))
    for name in free:
        if dice.random() < 0.15 and _takes_room(free, name, spec):
            static = pod_of(f"static-{name}", spec, "static", None, name)
            static["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "x"}
            found.append(static)
    return [daemon, *found] if any("agent" in one["metadata"]["name"] for one in found) else found


def _workload(dice: random.Random, app: str, free: Free, there: dict[str, set[str]]) -> list[Object]:
    spec, replicas = spec_of(dice, app), dice.randint(1, 4)
    if dice.random() < 0.06:
        spec["schedulerName"] = "somebody"
    kind = dice.choice(["Deployment", "StatefulSet", "ReplicaSet", ""])
    template = {key: value for key, value in spec.items() if key != "priority"}
    body = {"replicas": replicas, "selector": _apps(app)}
    body["template"] = {"metadata": {"labels": {"app": app}}, "spec": template}
    owners = [named(kind, app, "apps/v1", "default", spec=body)] if kind else []
    if kind == "Deployment":
        owners.append(named("ReplicaSet", f"{app}-1", "apps/v1", "default", spec=body))
        owners[1]["metadata"]["ownerReferences"] = pod_of("", {}, app, owners[0], None)["metadata"][
            "ownerReferences"
        ]
    is_apart = "podAntiAffinity" in spec.get("affinity", {}) or "ports" in spec["containers"][0]
    pods, healthy = [], 0
    for number in range(replicas):
        names = [name for name in free if not (is_apart and app in there[name])]
        tried = dice.sample(sorted(names), len(names)) if dice.random() < 0.75 else []
        on = next((name for name in tried if _takes_room(free, name, spec)), None)
        one = pod_of(f"{app}-{number}", spec, app, owners[-1] if owners else None, on)
        if on:
            there[on].add(app)
        healthy += _changed(dice, one, sorted(free))
        pods.append(one)
    return [*owners, *pods, *_budgets(dice, app, replicas, healthy)]


def _changed(dice: random.Random, pod: Object, nodes: list[str]) -> bool:
    """Let a pod be as pods are at times; return whether it is healthy."""
    if not pod["spec"].get("nodeName"):
        if dice.random() < 0.08:
            pod["spec"]["schedulingGates"] = [{"name": "wait"}]
        elif dice.random() < 0.08:
            pod["status"]["nominatedNodeName"] = dice.choice(nodes)
        return False
    roll = dice.random()
    if roll < 0.06:
        pod["status"]["conditions"] = [{"type": "Ready", "status": "False"}]
    elif roll < 0.1:
        pod["metadata"] |= {"deletionTimestamp": "2026-05-01T00:00:30Z", "deletionGracePeriodSeconds": 30}
    return roll >= 0.1


def _budgets(dice: random.Random, app: str, replicas: int, healthy: int) -> list[Object]:
    if dice.random() >= 0.45:
        return []
    least = dice.randint(0, replicas)
    status = {"disruptionsAllowed": max(0, healthy - least), "desiredHealthy": least}
    status |= {"currentHealthy": healthy, "expectedPods": replicas, "observedGeneration": 1}
    spec = {"minAvailable": least, "selector": _apps(app)}
    return [named("PodDisruptionBudget", f"of-{app}", "policy/v1", "default", spec=spec, status=status)]
