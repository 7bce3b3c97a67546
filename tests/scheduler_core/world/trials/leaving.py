"""Clusters in which pods leave and run out by themselves, and edits of pods and of those who make them."""

import copy

MAKERS = ("Deployment", "ReplicaSet", "StatefulSet", "Job")


def with_leaving_pods(dice, objects):
    """Return a cluster with some pods that end or are asked to go, and with quotas at times."""
    objects = copy.deepcopy(objects)
    pods = [one for one in objects if one["kind"] == "Pod"]
    for one in pods:
        metadata, is_placed = one["metadata"], bool(one["spec"].get("nodeName"))
        if dice.random() < 0.3:
            metadata.setdefault("annotations", {})["sandtable/duration"] = str(dice.choice([5, 60, 300]))
        if is_placed and dice.random() < 0.15:
            metadata["deletionTimestamp"] = f"2026-06-01T00:00:{dice.randrange(60):02d}Z"
        if is_placed and dice.random() < 0.3:
            one.setdefault("status", {})["startTime"] = f"2026-06-01T00:{dice.randrange(60):02d}:00Z"
    if dice.random() < 0.3:
        namespaces = {one["metadata"].get("namespace", "default") for one in pods}
        objects += [_quota(dice, namespace) for namespace in sorted(namespaces)]
    return objects


def _quota(dice, namespace):
    hard = {"pods": str(dice.randrange(1, 9))}
    metadata = {"name": "pods", "namespace": namespace, "uid": f"quota-{namespace}"}
    quota = {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": metadata, "spec": {"hard": hard}}
    used = {"hard": hard, "used": {"pods": str(dice.randrange(1, 9))}}
    return quota | ({"status": used} if dice.random() < 0.5 else {})


def edits_of_pods(objects):
    """Return edits by which pods change and go, at the start and in the run."""
    for one in objects:
        metadata, kind = one["metadata"], one["kind"]
        about = {"kind": kind, "name": metadata["name"], "namespace": metadata.get("namespace", "default")}
        if kind in MAKERS:
            yield from ({"op": "scale", **about, "replicas": number} for number in (0, 1, 3))
            yield {"op": "delete", **about}
        if kind == "Pod":
            small = {"name": one["spec"]["containers"][0]["name"], "resources": {"requests": {"cpu": "100m"}}}
            for spec in ({"containers": [small]}, {"tolerations": [{"operator": "Exists"}]}):
                yield {"op": "patch", **about, "patch": {"spec": spec}}
            yield {"op": "delete", **about}
            yield {"op": "delete", **about, "at": 20}
