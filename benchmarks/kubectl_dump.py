"""A generated cluster as kubectl prints it: indented, with managed fields and statuses, some 10 kB a pod.

Most of such a file is never stored. Equal are the objects of a workload but for what a cluster makes anew for
each of them: names, uids, addresses, times, the volume of a token.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Any

WORKLOADS = 50
ZONES = 3
PENDING_EVERY = 50
"""Every so manieth pod waits for a node."""
Object = dict[str, Any]

_MADE = "2026-05-04T09:12:31Z"
_NAMESPACES = 20


def kubectl_dump(nodes: int, pods: int, workloads: int = WORKLOADS) -> Iterator[bytes]:
    """Yield, piece by piece, what `kubectl get nodes,pods,... -A -o json --show-managed-fields` prints."""
    yield b'{\n    "apiVersion": "v1",\n    "items": [\n'
    yield b",\n".join(_text(_namespace(number)) for number in range(_NAMESPACES))
    for number in range(workloads):
        yield b",\n" + _text(_replica_set(number, len(range(number, pods, workloads))))
    node = _text(_node())
    for number in range(nodes):
        yield b",\n" + _filled(node, number, number)
    patterns = [(_text(_pod(number, True)), _text(_pod(number, False))) for number in range(workloads)]
    for number in range(pods):
        bound, waiting = patterns[number % workloads]
        pattern = bound if number % PENDING_EVERY else waiting
        yield b",\n" + _filled(pattern, number, number % nodes)
    yield b'\n    ],\n    "kind": "List",\n    "metadata": {\n        "resourceVersion": ""\n    }\n}\n'


def _filled(pattern: bytes, number: int, node: int) -> bytes:
    """Return the text of one object of many: `@...@` are the places of what is its own."""
    own = {
        b"@uid@": str(uuid.uuid5(uuid.NAMESPACE_URL, f"dump/{len(pattern)}/{number}")).encode(),
        b"@name@": b"%06d" % number,
        b"@token@": b"%05x" % (number * 7919 % 0xFFFFF),
        b"@node@": b"node-%05d" % node,
        b"@zone@": b"zone-%d" % (node % ZONES),
        b"@address@": b"10.%d.%d.%d" % (number >> 16 & 255, number >> 8 & 255, number & 255),
        b"@version@": b"%d" % (1_000_000 + number),
        b"@time@": b"2026-05-%02dT%02d:%02d:%02dZ"
        % (1 + number % 28, number % 24, number // 24 % 60, number % 59),
        b"@hash@": uuid.uuid5(uuid.NAMESPACE_URL, f"hash/{number}").hex.encode() * 2,
    }
    for place, value in own.items():
        pattern = pattern.replace(place, value)
    return pattern


def _text(document: Object) -> bytes:
    lines = json.dumps(document, indent=4, sort_keys=True).splitlines()
    return "\n".join(f"        {line}" for line in lines).encode()


_NOT_OWNED = ("creationTimestamp", "generation", "name", "namespace", "resourceVersion", "uid")
"""What the API server sets itself, and so no manager owns."""


def _managed(document: Object, spec: Object, *managers: str) -> Object:
    """Add managed fields: for each manager the paths that it set, as the API server notes them."""
    metadata = {key: value for key, value in document["metadata"].items() if key not in _NOT_OWNED}
    parts = ({"metadata": metadata, "spec": spec}, {"status": document["status"]})
    document["metadata"]["managedFields"] = [
        {
            "apiVersion": document["apiVersion"],
            "fieldsType": "FieldsV1",
            "fieldsV1": _paths(owned),
            "manager": manager,
            "operation": "Update",
            "time": _MADE,
        }
        for manager, owned in zip(managers, parts, strict=True)
    ]
    return document


_WHOLE = ("containerStatuses", "hostIPs")
"""Lists that a manager owns as a whole."""


def _paths(value: Any) -> Object:
    if isinstance(value, dict):
        return {f"f:{key}": {} if key in _WHOLE else _paths(inner) for key, inner in value.items()}
    if isinstance(value, list):
        for key in ("name", "type", "uid", "ip"):
            if all(isinstance(item, dict) and key in item for item in value):
                return {f'k:{{"{key}":"{item[key]}"}}': {".": {}, **_paths(item)} for item in value}
    return {}


def _namespace(number: int) -> Object:
    name = f"team-{number:02d}"
    metadata = {
        "creationTimestamp": _MADE,
        "labels": {"kubernetes.io/metadata.name": name},
        "name": name,
        "resourceVersion": str(1000 + number),
        "uid": str(uuid.uuid5(uuid.NAMESPACE_URL, f"dump/{name}")),
    }
    spec = {"finalizers": ["kubernetes"]}
    return {
        "apiVersion": "v1",
        "kind": "Namespace",
        "metadata": metadata,
        "spec": spec,
        "status": {"phase": "Active"},
    }


def _node() -> Object:
    amounts = {
        "cpu": "64",
        "ephemeral-storage": "1843223272Ki",
        "hugepages-1Gi": "0",
        "hugepages-2Mi": "0",
        "memory": "263856212Ki",
        "pods": "110",
    }
    conditions = [
        {
            "lastHeartbeatTime": "@time@",
            "lastTransitionTime": _MADE,
            "message": f"kubelet has {reason}",
            "reason": reason,
            "status": status,
            "type": kind,
        }
        for kind, reason, status in (
            ("MemoryPressure", "KubeletHasSufficientMemory", "False"),
            ("DiskPressure", "KubeletHasNoDiskPressure", "False"),
            ("PIDPressure", "KubeletHasSufficientPID", "False"),
            ("Ready", "KubeletReady", "True"),
        )
    ]
    labels = {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": "@node@",
        "kubernetes.io/os": "linux",
        "node.kubernetes.io/instance-type": "m6i.16xlarge",
        "topology.kubernetes.io/region": "region-1",
        "topology.kubernetes.io/zone": "@zone@",
    }
    info = {
        "architecture": "amd64",
        "bootID": "@uid@",
        "containerRuntimeVersion": "containerd://2.1.4",
        "kernelVersion": "6.8.0-60-generic",
        "kubeProxyVersion": "",
        "kubeletVersion": "v1.36.1",
        "machineID": "@hash@",
        "operatingSystem": "linux",
        "osImage": "Ubuntu 24.04.2 LTS",
        "systemUUID": "@uid@",
    }
    images = [
        {
            "names": [
                f"registry.example.com/team/app-{number}@sha256:{number:064x}",
                f"registry.example.com/team/app-{number}:v1.{number}",
            ],
            "sizeBytes": 50_000_000 + number,
        }
        for number in range(20)
    ]
    document = {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "annotations": {
                "csi.volume.kubernetes.io/nodeid": '{"ebs.csi.aws.com":"i-@name@"}',
                "node.alpha.kubernetes.io/ttl": "0",
                "volumes.kubernetes.io/controller-managed-attach-detach": "true",
            },
            "creationTimestamp": _MADE,
            "labels": labels,
            "name": "@node@",
            "resourceVersion": "@version@",
            "uid": "@uid@",
        },
        "spec": {
            "podCIDR": "@address@/24",
            "podCIDRs": ["@address@/24"],
            "providerID": "aws:///zone/i-@name@",
        },
        "status": {
            "addresses": [
                {"address": "@address@", "type": "InternalIP"},
                {"address": "@node@", "type": "Hostname"},
            ],
            "allocatable": amounts,
            "capacity": {**amounts, "memory": "264856212Ki"},
            "conditions": conditions,
            "daemonEndpoints": {"kubeletEndpoint": {"Port": 10250}},
            "images": images,
            "nodeInfo": info,
        },
    }
    return _managed(document, {}, "kubelet", "kubelet")


def _replica_set(number: int, replicas: int) -> Object:
    labels = _labels(number)
    document = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {
            "annotations": {"deployment.kubernetes.io/revision": "1"},
            "creationTimestamp": _MADE,
            "generation": 1,
            "labels": labels,
            "name": _workload(number),
            "namespace": _team(number),
            "resourceVersion": str(500_000 + number),
            "uid": _owner_uid(number),
        },
        "spec": {
            "replicas": replicas,
            "selector": {"matchLabels": labels},
            "template": {"metadata": {"labels": labels}, "spec": _template_spec(number)},
        },
        "status": {
            "availableReplicas": replicas,
            "observedGeneration": 1,
            "readyReplicas": replicas,
            "replicas": replicas,
        },
    }
    return _managed(document, {"replicas": {}}, "kube-controller-manager", "kube-controller-manager")


def _pod(number: int, bound: bool) -> Object:
    spec = _template_spec(number)
    token = "kube-api-access-@token@"
    mount = {
        "mountPath": "/var/run/secrets/kubernetes.io/serviceaccount",
        "name": token,
        "readOnly": True,
    }
    for container in spec["containers"]:
        container["volumeMounts"].append(mount)
    sources = [
        {"serviceAccountToken": {"expirationSeconds": 3607, "path": "token"}},
        {"configMap": {"items": [{"key": "ca.crt", "path": "ca.crt"}], "name": "kube-root-ca.crt"}},
        {
            "downwardAPI": {
                "items": [
                    {
                        "fieldRef": {"apiVersion": "v1", "fieldPath": "metadata.namespace"},
                        "path": "namespace",
                    }
                ]
            }
        },
    ]
    spec["volumes"].append({"name": token, "projected": {"defaultMode": 420, "sources": sources}})
    if bound:
        spec["nodeName"] = "@node@"
    spec |= {
        "enableServiceLinks": True,
        "preemptionPolicy": "PreemptLowerPriority",
        "priority": 0,
        "tolerations": [
            {
                "effect": "NoExecute",
                "key": f"node.kubernetes.io/{key}",
                "operator": "Exists",
                "tolerationSeconds": 300,
            }
            for key in ("not-ready", "unreachable")
        ],
    }
    owner = {
        "apiVersion": "apps/v1",
        "blockOwnerDeletion": True,
        "controller": True,
        "kind": "ReplicaSet",
        "name": _workload(number),
        "uid": _owner_uid(number),
    }
    document = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "annotations": {"prometheus.io/scrape": "true"},
            "creationTimestamp": "@time@",
            "generateName": f"{_workload(number)}-",
            "generation": 1,
            "labels": _labels(number),
            "name": f"{_workload(number)}-@name@",
            "namespace": _team(number),
            "ownerReferences": [owner],
            "resourceVersion": "@version@",
            "uid": "@uid@",
        },
        "spec": spec,
        "status": _running(spec) if bound else _waiting(),
    }
    owned = {"containers": [{"name": "main", "image": "", "resources": {}}], "schedulerName": ""}
    return _managed(document, owned, "kube-controller-manager", "kubelet")


def _running(spec: Object) -> Object:
    kinds = ("PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled")
    statuses = [
        {
            "containerID": "containerd://@hash@",
            "image": container["image"],
            "imageID": f"{container['image']}@sha256:@hash@",
            "lastState": {},
            "name": container["name"],
            "ready": True,
            "resources": container["resources"],
            "restartCount": 0,
            "started": True,
            "state": {"running": {"startedAt": "@time@"}},
        }
        for container in spec["containers"]
    ]
    return {
        "conditions": [
            {
                "lastProbeTime": None,
                "lastTransitionTime": "@time@",
                "observedGeneration": 1,
                "status": "True",
                "type": kind,
            }
            for kind in kinds
        ],
        "containerStatuses": statuses,
        "hostIP": "@address@",
        "hostIPs": [{"ip": "@address@"}],
        "observedGeneration": 1,
        "phase": "Running",
        "podIP": "@address@",
        "podIPs": [{"ip": "@address@"}],
        "qosClass": "Burstable",
        "startTime": "@time@",
    }


def _waiting() -> Object:
    condition = {
        "lastProbeTime": None,
        "lastTransitionTime": "@time@",
        "message": "0/5000 nodes are available: 5000 Insufficient cpu. preemption: not helpful.",
        "reason": "Unschedulable",
        "status": "False",
        "type": "PodScheduled",
    }
    return {"conditions": [condition], "phase": "Pending", "qosClass": "Burstable"}


def _template_spec(number: int) -> Object:
    requests = {"cpu": f"{250 * (1 + number % 5)}m", "memory": f"{1 + number % 8}Gi"}
    container = {
        "args": ["--listen=:8080", f"--shard={number}"],
        "image": f"registry.example.com/team/app-{number % 20}:v1.{number % 20}",
        "imagePullPolicy": "IfNotPresent",
        "name": "main",
        "resources": {"limits": {"memory": requests["memory"]}, "requests": requests},
        "volumeMounts": [],
    }
    spread = {
        "labelSelector": {"matchLabels": {"app": _labels(number)["app"]}},
        "maxSkew": 1,
        "topologyKey": "topology.kubernetes.io/zone",
        "whenUnsatisfiable": "ScheduleAnyway",
    }
    return {
        "containers": [container],
        "dnsPolicy": "ClusterFirst",
        "restartPolicy": "Always",
        "schedulerName": "default-scheduler",
        "securityContext": {},
        "serviceAccount": "default",
        "serviceAccountName": "default",
        "terminationGracePeriodSeconds": 30,
        "topologySpreadConstraints": [spread],
        "volumes": [],
    }


def _labels(number: int) -> dict[str, str]:
    return {
        "app": f"app-{number:03d}",
        "app.kubernetes.io/managed-by": "Helm",
        "app.kubernetes.io/part-of": "shop",
        "pod-template-hash": f"{number:010x}",
    }


def _workload(number: int) -> str:
    return f"app-{number:03d}-{number:010x}"


def _team(number: int) -> str:
    return f"team-{number % _NAMESPACES:02d}"


def _owner_uid(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"dump/{_workload(number)}"))
