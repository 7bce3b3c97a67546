"""A small cluster whose cards are given out by ResourceClaims."""

from typing import Any

from tests.builders import node, pod, workload

Object = dict[str, Any]
DRIVER = "gpu.example.com"


def _object(kind: str, name: str, spec: Object, namespace: str = "", **metadata: Any) -> Object:
    where = {"namespace": namespace} if namespace else {}
    named = {"name": name, **where, "uid": f"{kind} {namespace}/{name}", **metadata}
    return {"apiVersion": "resource.k8s.io/v1", "kind": kind, "metadata": named, "spec": spec}


def slice_of(on: str, cards: int, memory: str = "40Gi") -> Object:
    """What the driver offers on a node: whole cards of a model."""
    attributes = {"model": {"string": "A100"}}
    devices = [
        {"name": f"gpu-{number}", "attributes": attributes, "capacity": {"memory": {"value": memory}}}
        for number in range(cards)
    ]
    pool = {"name": on, "generation": 1, "resourceSliceCount": 1}
    return _object(
        "ResourceSlice", f"{on}-gpus", {"driver": DRIVER, "nodeName": on, "pool": pool, "devices": devices}
    )


def device_class(name: str = "gpu", **spec: Any) -> Object:
    """The class of all the driver's cards."""
    selector = {"cel": {"expression": f"device.driver == '{DRIVER}'"}}
    return _object("DeviceClass", name, {"selectors": [selector], **spec})


def asking(count: int = 1) -> Object:
    """The spec of a claim for so many cards."""
    return {
        "devices": {"requests": [{"name": "card", "exactly": {"deviceClassName": "gpu", "count": count}}]}
    }


def template(name: str = "card", count: int = 1, namespace: str = "default") -> Object:
    """A template of claims."""
    return _object("ResourceClaimTemplate", name, {"spec": asking(count)}, namespace)


def claim(name: str, count: int = 1, namespace: str = "default") -> Object:
    """A claim that several pods may name."""
    return _object("ResourceClaim", name, asking(count), namespace)


def by_template(name: str = "card") -> Object:
    """The part of a pod's spec that asks for a claim of its own."""
    return {"resourceClaims": [{"name": "card", "resourceClaimTemplateName": name}]}


def by_name(name: str) -> Object:
    """The part of a pod's spec that names a claim."""
    return {"resourceClaims": [{"name": "card", "resourceClaimName": name}]}


def cards(**on_nodes: int) -> list[Object]:
    """Nodes with so many cards each, their class and a template of claims for one card."""
    named = {name.replace("_", "-"): number for name, number in on_nodes.items()}
    return [
        *(node(name) for name in named),
        *(slice_of(name, number) for name, number in named.items() if number),
        device_class(),
        template(),
    ]


def replicas(name: str, number: int) -> tuple[Object, list[Object]]:
    """A ReplicaSet and its waiting pods, each with a claim of its own."""
    owner = workload("ReplicaSet", name, namespace="default", replicas=number, template=by_template())
    pods = [
        pod(f"{name}-{place}", owner=owner, labels={"app": name}, spec=by_template())
        for place in range(number)
    ]
    return owner, pods
