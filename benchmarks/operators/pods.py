"""Pods as kubectl prints them: a template's spec with the defaults, and what the kubelet says of it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from benchmarks.operators.making import Amounts, Maker, Object, quantities, stamp
from benchmarks.operators.nodes import Place

RUNNING, SUCCEEDED, PENDING = "Running", "Succeeded", "Pending"
_KUBELET_CONDITIONS = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
_RUNTIME_FIELDS = {
    "imagePullPolicy": "IfNotPresent",
    "terminationMessagePath": "/dev/termination-log",
    "terminationMessagePolicy": "File",
}


def container(name: str, image: str, requests: Amounts, limits: Amounts | None = None, **more: Any) -> Object:
    """Return a container: amounts in milli-CPU, MiB, numbers. A limit without a request becomes one."""
    resources = {"requests": quantities({**(limits or {}), **requests})}
    if limits:
        resources["limits"] = quantities(limits)
    return {"image": image, "name": name, "resources": resources, **_RUNTIME_FIELDS, **more}


def pod_spec(containers: Sequence[Object], *, priority_class: str = "", **more: Any) -> Object:
    """Return the spec of a template, with the defaults of an API server."""
    priority = {"priorityClassName": priority_class} if priority_class else {}
    return {
        "containers": list(containers),
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "terminationGracePeriodSeconds": 30,
        **priority,
        **more,
    }


def requests_of(spec: Object) -> dict[str, int]:
    """Return what pods of the spec take, the pod itself counted: milli-CPU, MiB, numbers."""
    total: Counter[str] = Counter(pods=1)
    for one in spec["containers"]:
        for name, text in one["resources"]["requests"].items():
            total[name] += _amount(name, text)
    return dict(total)


def _amount(name: str, text: str) -> int:
    if name == "cpu":
        return int(text[:-1]) if text.endswith("m") else int(text) * 1000
    if text.endswith("Gi"):
        return int(text[:-2]) * 1024
    return int(text.removesuffix("Mi"))


def add_pod(
    maker: Maker,
    name: str,
    owner: Object,
    spec: Object,
    *,
    age: int,
    place: Place | None = None,
    phase: str = RUNNING,
    labels: Mapping[str, str] | None = None,
    annotations: Mapping[str, str] | None = None,
    why: str = "",
) -> Object:
    """Add a pod: on a node, or waiting, where `why` is what its scheduler last said (empty: nothing yet)."""
    made = {**spec, **_given(maker, spec)}
    if place is None:
        status = _waiting(spec, why, age)
    else:
        made["nodeName"] = place.name
        status = _running(maker, made, place, age, phase)
    metadata = owner["metadata"]
    pod = maker.new(
        "Pod",
        name,
        metadata["namespace"],
        age=age,
        owner=owner,
        labels=labels,
        annotations=annotations,
        spec=made,
        status=status,
    )
    if owner["kind"] in ("ReplicaSet", "DaemonSet") or owner["apiVersion"] == "batch/v1":
        pod["metadata"]["generateName"] = f"{name.rpartition('-')[0]}-"
    return pod


def _given(maker: Maker, spec: Object) -> Object:
    """Return what admission adds to a pod: its priority, its token, two tolerations."""
    token = f"kube-api-access-{maker.token()}"
    mount = {"mountPath": "/var/run/secrets/kubernetes.io/serviceaccount", "name": token, "readOnly": True}
    sources: list[Object] = [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}},
    ]
    return {
        "containers": [
            {**one, "volumeMounts": [*one.get("volumeMounts", ()), mount]} for one in spec["containers"]
        ],
        "enableServiceLinks": True,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": maker.priorities.get(spec.get("priorityClassName", ""), 0),
        "serviceAccount": "default",
        "serviceAccountName": "default",
        "tolerations": _completed(spec.get("tolerations", [])),
        "volumes": [
            *spec.get("volumes", ()),
            {"name": token, "projected": {"defaultMode": 420, "sources": sources}},
        ],
    }


def _completed(tolerations: list[Object]) -> list[Object]:
    """Return the tolerations of a pod with the two that admission gives to those that lack them."""
    known = {toleration.get("key") for toleration in tolerations}
    lost = [
        {"effect": "NoExecute", "key": key, "operator": "Exists", "tolerationSeconds": 300}
        for key in ("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")
    ]
    return tolerations if None in known else [*tolerations, *(one for one in lost if one["key"] not in known)]


def _running(maker: Maker, spec: Object, place: Place, age: int, phase: str) -> Object:
    started = stamp(max(age - 4, 0))
    is_over = phase == SUCCEEDED
    ended = stamp(max(age // 2, 0))
    state: Object = {"running": {"startedAt": started}}
    if is_over:
        state = {
            "terminated": {"exitCode": 0, "finishedAt": ended, "reason": "Completed", "startedAt": started}
        }
    over = {"Ready": "False", "ContainersReady": "False", "PodReadyToStartContainers": "False"}
    conditions = [
        {
            "lastProbeTime": None,
            "lastTransitionTime": started,
            "status": over.get(kind, "True") if is_over else "True",
            "type": kind,
            **({"reason": "PodCompleted"} if is_over and kind in over else {}),
        }
        for kind in _KUBELET_CONDITIONS
    ]
    statuses = [
        {
            "image": one["image"],
            "lastState": {},
            "name": one["name"],
            "ready": not is_over,
            "restartCount": 0,
            "started": not is_over,
            "state": state,
        }
        for one in spec["containers"]
    ]
    address = place.address if spec.get("hostNetwork") else maker.address()
    return {
        "conditions": conditions,
        "containerStatuses": statuses,
        "hostIP": place.address,
        "phase": phase,
        "podIP": address,
        "podIPs": [{"ip": address}],
        "qosClass": _quality(spec),
        "startTime": started,
    }


def _waiting(spec: Object, why: str, age: int) -> Object:
    status: Object = {"phase": PENDING, "qosClass": _quality(spec)}
    if why:
        reason = "SchedulingGated" if spec.get("schedulingGates") else "Unschedulable"
        condition = {
            "lastProbeTime": None,
            "lastTransitionTime": stamp(max(age - 1, 0)),
            "message": why,
            "reason": reason,
            "status": "False",
            "type": "PodScheduled",
        }
        status["conditions"] = [condition]
    return status


def _quality(spec: Object) -> str:
    """Return the class of quality of service, as an API server works it out."""
    resources = [one["resources"] for one in spec["containers"]]
    named = [(part.get("requests", {}), part.get("limits", {})) for part in resources]
    if all(
        name in limits and asked.get(name) == limits[name]
        for asked, limits in named
        for name in ("cpu", "memory")
    ):
        return "Guaranteed"
    return "Burstable" if any(asked or limits for asked, limits in named) else "BestEffort"
