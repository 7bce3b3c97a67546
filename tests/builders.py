"""Kubernetes objects for tests, as kubectl prints them: the fewest fields that mean something."""

from typing import Any

Object = dict[str, Any]


def node(name: str, *, cpu: str = "4", memory: str = "8Gi", pods: str = "110", **parts: Any) -> Object:
    """A node; `labels` and `taints` as keywords."""
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {
            "name": name,
            "uid": f"node-{name}",
            "labels": {"kubernetes.io/hostname": name, **parts.get("labels", {})},
        },
        "spec": {"taints": parts["taints"]} if "taints" in parts else {},
        "status": {"allocatable": {"cpu": cpu, "memory": memory, "pods": pods}},
    }


def container(name: str = "app", **resources: Object) -> Object:
    """A container; `requests` and `limits` as keywords."""
    return {"name": name, "image": "app:1", **({"resources": resources} if resources else {})}


def pod(name: str, *, namespace: str = "default", on: str = "", **parts: Any) -> Object:
    """A pod: running on node `on`, or pending. Keywords: uid, labels, owner, containers, spec, status."""
    metadata: Object = {
        "name": name,
        "namespace": namespace,
        "uid": parts.get("uid", f"uid-{namespace}-{name}"),
    }
    for field in ("labels", "annotations", "creationTimestamp"):
        if field in parts:
            metadata[field] = parts[field]
    if "owner" in parts:
        metadata["ownerReferences"] = [owned_by(parts["owner"])]
    spec: Object = {"containers": parts.get("containers") or [container()], **parts.get("spec", {})}
    if on:
        spec["nodeName"] = on
    status = parts.get("status") or {"phase": "Running" if on else "Pending"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec, "status": status}


def manifest(name: str, **parts: Any) -> Object:
    """A pod as somebody writes it: no uid, no status."""
    written = pod(name, **parts)
    del written["metadata"]["uid"], written["status"]
    if "namespace" not in parts:
        del written["metadata"]["namespace"]
    return written


def owned_by(owner: Object) -> Object:
    """The controller reference to an owner."""
    metadata = owner["metadata"]
    return {
        "apiVersion": owner["apiVersion"],
        "kind": owner["kind"],
        "name": metadata["name"],
        "uid": metadata.get("uid", ""),
        "controller": True,
    }


def workload(
    kind: str, name: str, *, namespace: str = "shop", replicas: int | None = 1, **parts: Any
) -> Object:
    """A workload of pods labelled `app=<name>`. Keywords: uid, spec, template (the pods' spec), owner."""
    versions = {"Job": "batch/v1", "CronJob": "batch/v1", "ReplicationController": "v1"}
    template = {
        "metadata": {"labels": {"app": name}},
        "spec": {"containers": [container()], **parts.get("template", {})},
    }
    if kind == "Job":
        template["spec"].setdefault("restartPolicy", "Never")
    spec: Object = {"template": template, **parts.get("spec", {})}
    if kind in ("Deployment", "ReplicaSet", "StatefulSet", "DaemonSet"):
        spec.setdefault("selector", {"matchLabels": {"app": name}})
    if replicas is not None and kind in ("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController"):
        spec["replicas"] = replicas
    metadata: Object = {"name": name, "namespace": namespace}
    if "uid" in parts:
        metadata["uid"] = parts["uid"]
    if "owner" in parts:
        metadata["ownerReferences"] = [owned_by(parts["owner"])]
    return {"apiVersion": versions.get(kind, "apps/v1"), "kind": kind, "metadata": metadata, "spec": spec}


def cluster_object(
    kind: str, name: str, *, version: str = "v1", namespace: str = "", **fields: Any
) -> Object:
    """Any other object."""
    metadata = {"name": name, "uid": f"{kind}-{namespace}-{name}"}
    if namespace:
        metadata["namespace"] = namespace
    return {"apiVersion": version, "kind": kind, "metadata": metadata, **fields}
