"""Edits of the start for any cluster, drawn at random."""

import copy

from hypothesis import strategies as st


def written(pod, name):
    """Return a pod like another one, as somebody writes it who wants one more."""
    metadata = {key: pod["metadata"][key] for key in ("labels", "annotations") if pod["metadata"].get(key)}
    metadata |= {"name": name, "namespace": pod["metadata"].get("namespace", "default")}
    spec = {key: value for key, value in pod["spec"].items() if key not in ("nodeName", "priority")}
    spec = copy.deepcopy(spec)
    for container in spec["containers"]:
        resources = container.get("resources", {})
        if resources.get("requests"):
            resources["limits"] = {**resources.get("limits", {}), **resources["requests"]}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": metadata, "spec": spec}


def possible_edits(objects):
    """Return edits that can be made of a cluster, some of which are refused."""
    nodes = [one["metadata"]["name"] for one in objects if one["kind"] == "Node"]
    pods = [one for one in objects if one["kind"] == "Pod"]
    queues = [one["metadata"]["name"] for one in objects if one["kind"] == "Queue"]
    edits = [
        *({"op": op, "node": node} for node in nodes for op in ("drain", "cordon")),
        *({"op": "clone-node", "node": node, "count": 2} for node in nodes),
        *({"op": "taint", "node": node, "taints": ["a=b:NoExecute"]} for node in nodes),
        *({"op": "delete", "kind": "Node", "name": node} for node in nodes),
        *(
            {"op": "patch", "kind": "Node", "name": node, "patch": {"status": {"allocatable": {"cpu": "9"}}}}
            for node in nodes
        ),
        *({"op": "set-queue", "name": queue, "weight": 5} for queue in queues),
    ]
    for number, pod in enumerate(pods):
        name, namespace = pod["metadata"]["name"], pod["metadata"].get("namespace", "default")
        edits += [
            {"op": "add", "manifest": written(pod, f"more-{number}"), "replicas": 2},
            {"op": "delete", "kind": "Pod", "name": name, "namespace": namespace},
            {
                "op": "patch",
                "kind": "Pod",
                "name": name,
                "namespace": namespace,
                "patch": {"metadata": {"labels": {"app": "b"}}},
            },
            {"op": "evict", "pod": f"{namespace}/{name}"},
        ]
    return edits


@st.composite
def some_edits(draw, objects):
    """Return up to three of them."""
    return draw(st.lists(st.sampled_from(possible_edits(objects)), max_size=3, unique_by=str))
