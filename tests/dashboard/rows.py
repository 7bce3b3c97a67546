"""Rows for tests: a small cluster as an import brings it, a snapshot, a scenario and runs of a script."""

from typing import Any

import msgspec

from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.workspace import runs
from dashboard.services.workspace.snapshots import import_snapshot


def node(name: str, cpu: str = "4", **labels: str) -> dict[str, Any]:
    """A node as kubectl prints it."""
    resources = {"cpu": cpu, "memory": "8Gi", "pods": "110"}
    return {
        "apiVersion": "v1",
        "kind": "Node",
        "metadata": {"name": name, "uid": f"node-{name}", "labels": labels},
        "spec": {},
        "status": {"allocatable": resources, "capacity": resources},
    }


CREATED = "2026-05-01T10:00:00Z"


def pod(name: str, *, node: str | None = None, cpu: str = "500m", **spec: Any) -> dict[str, Any]:
    """A pod of namespace `shop`, pending unless it has a node."""
    return {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {
            "name": name, "namespace": "shop", "uid": f"uid-{name}", "creationTimestamp": CREATED,
        },
        "spec": {
            "containers": [
                {"name": "main", "image": "main:1", "resources": {"requests": {"cpu": cpu, "memory": "1Gi"}}}
            ],
            "schedulerName": "default-scheduler",
            **({"nodeName": node} if node else {}),
            **spec,
        },
        "status": {"phase": "Running" if node else "Pending"},
    }  # fmt: skip


def controlled(name: str, kind: str = "ReplicaSet", **spec: Any) -> dict[str, Any]:
    """A pod on half of node-1 that the controller `web` makes anew."""
    made = pod(name, node="node-1", cpu="2", **spec)
    owner = {"apiVersion": "apps/v1", "kind": kind, "name": "web", "uid": "uid-web", "controller": True}
    made["metadata"]["ownerReferences"] = [owner]
    return made


def budget(name: str, allowed: int, **labels: str) -> dict[str, Any]:
    """A PodDisruptionBudget of namespace `shop` over the pods with these labels."""
    return {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": name, "namespace": "shop", "uid": f"budget-{name}"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": labels}},
        "status": {
            "disruptionsAllowed": allowed, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1,
        },
    }  # fmt: skip


def guarded_node() -> list[dict[str, Any]]:
    """node-1 with two pods of which the budget `search` keeps one, and a node with room for both."""
    kept = pod("search-0", node="node-1")
    kept["metadata"]["labels"] = {"app": "search"}
    return [
        node("node-1"), node("node-2"), pod("cart-1", node="node-1"), kept, budget("search", 0, app="search"),
    ]  # fmt: skip


def listing(*objects: dict[str, Any]) -> bytes:
    """The objects as a List in JSON."""
    return msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": list(objects)})


def small_cluster() -> bytes:
    """Two nodes, one of them used, and a pending pod."""
    return listing(node("node-1"), node("node-2"), pod("cart-1", node="node-1"), pod("cart-2"))


def new_snapshot(user: Any = None, name: str = "prod") -> Snapshot:
    """A ready snapshot of the small cluster."""
    return import_snapshot(user, name, [("cluster.json", small_cluster())])


def new_scenario(user: Any = None, snapshot: Snapshot | None = None, **script: Any) -> Scenario:
    """A scenario whose configuration is the stand-in engine's script."""
    return Scenario.objects.create(
        name="what if", snapshot=snapshot or new_snapshot(user), config=script or None, created_by=user
    )


def new_run(user: Any = None, rate: float | None = None, **script: Any) -> Run:
    """A queued run of a script."""
    return runs.start_run(user, new_scenario(user, **script), rate=rate)


def whole_log(run: Run) -> bytes:
    """Everything that is stored of the run's log, as JSON lines."""
    return b"\n".join(line for chunk in run.chunks.order_by("number") for line in chunk.lines())
