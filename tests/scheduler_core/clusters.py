"""Small clusters for tests: builders, and a hypothesis strategy for whole clusters with pending pods."""

from hypothesis import strategies as st


def node(name, cpu="4", memory="8Gi", pods="20", **spec):
    labels = {"kubernetes.io/hostname": name, **spec.pop("labels", {})}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"node-{name}", "labels": labels},
        "spec": spec,
        "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": pods}},
    }


def pod(name, cpu="1", on=None, priority=0, labels=None, started=None, owner=None, **spec):
    metadata = {"name": name, "namespace": "default", "uid": f"pod-{name}", "labels": labels or {"app": name}}
    if owner:
        reference = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": owner, "uid": owner}
        metadata["ownerReferences"] = [{**reference, "controller": True}]
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": metadata,
        "spec": {
            "containers": [{"name": "main", "image": "app:1", "resources": {"requests": {"cpu": cpu}}}],
            "schedulerName": "default-scheduler",
            "priority": priority,
            **({"nodeName": on} if on else {}),
            **spec,
        },
        "status": {"startTime": started} if started else {},
    }


def budget(name, app, allowed):
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "default"},
        "spec": {"selector": {"matchLabels": {"app": app}}},
        "status": {"disruptionsAllowed": allowed},
    }


def _anti_affinity(app):
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": app}}}
    return {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [term]}}


@st.composite
def clusters(draw):
    """A few nodes, bound pods that fit on them, and pending pods of other priorities."""
    nodes = [
        node(f"n{number}", cpu=str(draw(st.integers(1, 4)))) for number in range(draw(st.integers(1, 4)))
    ]
    free = {item["metadata"]["name"]: int(item["status"]["allocatable"]["cpu"]) * 10 for item in nodes}
    apps = st.sampled_from(["a", "b", "c"])
    items = list(nodes)
    for number in range(draw(st.integers(0, 14))):
        where, tenths = draw(st.sampled_from(sorted(free))), draw(st.integers(1, 12))
        if tenths <= free[where]:
            free[where] -= tenths
            priority = draw(st.sampled_from([-1, 0, 5, 10]))
            app, owner = draw(apps), draw(st.sampled_from([None, "rs"]))
            items.append(pod(f"b{number}", f"{tenths}00m", where, priority, {"app": app}, owner=owner))
    for number in range(draw(st.integers(1, 8))):
        extra = {"affinity": _anti_affinity(draw(apps))} if draw(st.integers(0, 4)) == 0 else {}
        if draw(st.integers(0, 9)) == 0:
            extra["preemptionPolicy"] = "Never"
        cpu = f"{draw(st.integers(1, 30))}00m"
        items.append(
            pod(f"p{number}", cpu, None, draw(st.sampled_from([0, 5, 10, 20])), {"app": draw(apps)}, **extra)
        )
    items += [budget(f"d{app}", app, draw(st.integers(0, 2))) for app in "ab" if draw(st.booleans())]
    return items
