"""What is told to be sound at a look has no fault, whatever is changed in a pod."""

import random
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import msgspec
import pytest

from scheduler_core.objects.checks.cluster_checks import check_objects
from scheduler_core.objects.privacy import Dropped, keep_public
from scheduler_core.objects.validation.api_faults import api_faults
from scheduler_core.objects.validation.sound_pods import is_sound

Object = dict[str, Any]

_TIME = "2026-05-04T09:12:31Z"
_SELECTOR = {"matchLabels": {"app": "cart"}}
_AMOUNTS = {
    "requests": {"cpu": "250m", "memory": "64Mi", "example.com/gpu": "1"},
    "limits": {"memory": "1Gi", "example.com/gpu": "1"},
}
_CONTAINER: Object = {
    "name": "main", "image": "registry.example/cart:7", "imagePullPolicy": "Always", "resources": _AMOUNTS,
    "ports": [{"name": "http", "containerPort": 80, "protocol": "TCP"}, {"name": "dns", "containerPort": 53}],
    "env": [{"name": "LEVEL", "value": "a b"}],
    "volumeMounts": [{"name": "kube-api-access-x8k2p", "mountPath": "/var/run"}],
}  # fmt: skip
POD: Object = {
    "apiVersion": "v1", "kind": "Pod",
    "metadata": {
        "name": "cart-0", "generateName": "cart-", "namespace": "shop", "uid": "u", "resourceVersion": "7",
        "creationTimestamp": _TIME, "labels": {"app": "cart", "example.com/tier": "", "v": "1.2"},
        "annotations": {"example.com/note": "Ümlaut \\ and more"}, "finalizers": ["batch.kubernetes.io/job"],
        "ownerReferences": [
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "cart", "uid": "o", "controller": True}
        ],
    },
    "spec": {
        "nodeName": "node-1", "priority": 7, "preemptionPolicy": "Never", "restartPolicy": "Always",
        "dnsPolicy": "ClusterFirst", "hostname": "cart", "serviceAccountName": "cart", "schedulerName": "s",
        "priorityClassName": "high", "activeDeadlineSeconds": 60, "terminationGracePeriodSeconds": 30,
        "nodeSelector": {"pool": "a"}, "securityContext": {}, "containers": [_CONTAINER],
        "initContainers": [{"name": "first", "image": "first"}],
        "volumes": [
            {"name": "kube-api-access-x8k2p", "projected": {"sources": []}},
            {"name": "data", "persistentVolumeClaim": {"claimName": "data"}},
        ],
        "tolerations": [
            {"key": "node.kubernetes.io/not-ready", "operator": "Exists", "effect": "NoExecute",
             "tolerationSeconds": 300},
            {"key": "dedicated", "operator": "Equal", "value": "carts", "effect": "NoSchedule"},
            {"operator": "Exists"},
        ],
        "affinity": {
            "podAntiAffinity": {
                "preferredDuringSchedulingIgnoredDuringExecution": [
                    {"weight": 10, "podAffinityTerm": {"topologyKey": "zone", "labelSelector": _SELECTOR}}
                ],
                "requiredDuringSchedulingIgnoredDuringExecution": [
                    {"topologyKey": "kubernetes.io/hostname", "labelSelector": _SELECTOR}
                ],
            },
        },
        "topologySpreadConstraints": [
            {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule",
             "labelSelector": _SELECTOR},
        ],
    },
    "status": {
        "phase": "Running", "qosClass": "Burstable", "startTime": _TIME, "hostIP": "10.0.0.1",
        "conditions": [
            {"type": "Ready", "status": "True", "lastProbeTime": None, "lastTransitionTime": _TIME}
        ],
        "containerStatuses": [
            {"name": "main", "ready": True, "restartCount": 0, "state": {"running": {"startedAt": _TIME}},
             "allocatedResources": {"cpu": "250m"}, "resources": _AMOUNTS}
        ],
    },
}  # fmt: skip
_MATCHED = {"matchExpressions": [{"key": "pool", "operator": "In", "values": ["a"]}]}
_MORE: tuple[tuple[str, Any], ...] = (
    ("affinity", {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {
        "nodeSelectorTerms": [_MATCHED]}}}),
    ("affinity", {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [
        {"topologyKey": "zone", "labelSelector": _MATCHED, "namespaces": ["shop"]}]}}),
    ("overhead", {"cpu": "1"}), ("resources", {"requests": {"cpu": "2"}}),
    ("schedulingGates", [{"name": "example.com/gate"}]), ("hostNetwork", True),
    ("resourceClaims", [{"name": "gpu", "resourceClaimName": "gpu"}]), ("os", {"name": "linux"}),
    ("ephemeralContainers", [{"name": "debug", "image": "debug"}]),
)  # fmt: skip
_ODD = (
    None, "", " ", "a b", "-a", "A", "x" * 64, "x" * 300, "main", "data", "Never", "Event", "cpu", "\n",
    "a\n", "v1", "7", "0", "-1", "1e3", "2Gi", "1.5", "kubernetes.io/x", "//", "Ü", "2026-02-30T00:00:00Z",
    -1, 0, 1, 7.5, 101, 70_000, 2**31, 2**70, True, False, [], {}, [None], {"a": None}, ["a"], {"a": "b"},
)  # fmt: skip
_FIELDS = (
    "", "a", "A/b", "a/", "x" * 70, "labels", "hostPort", "limits", "requests", "memory", "hugepages-2Mi",
    "operator", "minDomains", "uid", "emptyDir", "ports", "readOnly", "deletionTimestamp", "overhead",
    "namespaceSelector", "ephemeral", "resources", "tolerationSeconds", "value",
)  # fmt: skip


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield each holder in a value with a key or index of it."""
    for key, inner in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)


def _changed(source: random.Random) -> Object:
    """Return a pod in which up to three things are others, gone, there twice or new."""
    pod = deepcopy(POD)
    if source.random() < 0.3:
        field, value = source.choice(_MORE)
        pod["spec"][field] = deepcopy(value)
    if source.random() < 0.2:
        del pod["metadata"]["resourceVersion"]
    for _ in range(source.randint(0, 3)):
        holder, key = source.choice(list(_places(pod)))
        ways = source.randrange(4)
        if ways == 0:
            del holder[key]
        elif ways == 1 and isinstance(holder, list):
            holder.append(deepcopy(holder[key]))
        elif ways == 2 and isinstance(holder, dict):
            holder[source.choice(_FIELDS)] = deepcopy(source.choice([*_ODD, holder[key]]))
        else:
            holder[key] = deepcopy(source.choice(_ODD))
    return pod


@pytest.mark.parametrize("seed", range(2))
def test_a_pod_that_is_told_to_be_sound_has_no_fault(seed: int) -> None:
    source = random.Random(seed)
    sound = faulty = 0
    for _ in range(700):
        pod = _changed(source)
        before = msgspec.json.encode(pod)
        told = is_sound(pod)
        assert msgspec.json.encode(pod) == before
        if not told:
            faulty += 1
            continue
        sound += 1
        kept = keep_public(pod, Dropped())
        assert kept is not None
        names = {"metadata": {**kept["metadata"], "name": "cart-0", "namespace": "shop", "uid": "u"}}
        faults = api_faults(pod), check_objects([{**kept, **names}])
        assert faults == ([], []), before
    assert min(sound, faulty) > 150


def test_usual_pods_are_told_to_be_sound() -> None:
    assert is_sound(POD)
    for field in ("affinity", "tolerations", "topologySpreadConstraints", "volumes", "nodeName"):
        spec = {name: value for name, value in POD["spec"].items() if name != field}
        if field == "volumes":
            spec["containers"] = [{**_CONTAINER, "volumeMounts": []}]
        assert is_sound({**POD, "spec": spec}), field
    for field, value in _MORE[:2]:
        assert is_sound({**POD, "spec": {**POD["spec"], field: value}})
