"""A small cluster of shared cards for the pages: two kinds, pods of all sorts, two that fit nowhere."""

from typing import Any

from tests.browser.clusters import import_by_rest, run_by_rest, scenario_by_rest
from tests.dashboard.rows import listing
from tests.fixtures.stack import Stack
from tests.scheduler_core.hami import cards as hami

A100, L40S = "NVIDIA-A100-SXM4-80GB", "NVIDIA-L40S"


def hami_run(stack: Stack, name: str = "cards", objects: list[dict[str, Any]] | None = None) -> int:
    """The number of a finished run of the cluster, or of another one."""
    snapshot = import_by_rest(stack, name, listing(*(objects or shared_cards())))
    fields = {"name": name, "scheduler": {"profile": "hami-2.10"}, "controllers": "none"}
    return run_by_rest(stack, scenario_by_rest(stack, snapshot, **fields))


def shared_cards() -> list[dict[str, Any]]:
    """Nodes and pods, by their order of arrival."""
    nodes = [machine(f"gpu-a0{i}", "a100", 8, A100, 81920) for i in (1, 2, 3)]
    nodes += [machine(f"gpu-l0{i}", "l40s", 4, L40S, 46068) for i in (1, 2)]
    nodes.append(machine("cpu-01", "cpu", 0, "", 0))
    pods = [asking(f"chat-{i}", 16384, 10, priority=1000) for i in range(6)]
    pods += [asking(f"embed-{i}", 4096, 4, priority=500) for i in range(11)]
    pods.append(asking("whole", 0, 100, percentage=100))
    pods.append(asking("tune", 24576, 30, number=2, numa=True, priority=500))
    pods.append(asking("l40s", 8192, 20, use="L40S"))
    pods.append(asking("train", 81920, 100, number=8, use="L40S", priority=2000))
    pods.append(asking("last", 40960, 50, number=8, priority=200))
    pods.append(asking("too-late", 81920, 100, number=8, priority=100))
    pods.append(asking("nowhere", 70000, 100, number=4, priority=50))
    return [*nodes, *pods]


def many_nodes() -> list[dict[str, Any]]:
    """Thirty nodes of eight cards each, nine of them small, and a pod that these have no room for."""
    nodes = [machine(f"small-{i}", "l40s", 8, L40S, 46068) for i in range(9)]
    nodes += [machine(f"large-{i}", "a100", 8, A100, 81920) for i in range(21)]
    return [*nodes, asking("big", 60000, 50)]


def machine(name: str, pool: str, count: int, kind: str, memory: int) -> dict[str, Any]:
    """A node with cards on two NUMA nodes."""
    half = {"numa": lambda index: index * 2 // count}
    made: dict[str, Any] = (
        hami.nvidia(name, count, kind=kind, memory=memory, **half) if count else hami.node(name)
    )
    room = {"cpu": "64", "memory": "256Gi", "pods": "110"}
    amounts = made.get("status", {}).get("allocatable", {}) | room
    made["metadata"] |= {"uid": f"uid-{name}", "labels": {"pool": pool, "kubernetes.io/hostname": name}}
    ready = [{"type": "Ready", "status": "True"}]
    status = {"allocatable": amounts, "capacity": amounts, "conditions": ready}
    return {"apiVersion": "v1", "kind": "Node", **made, "status": status}


def asking(
    name: str,
    memory: int,
    cores: int,
    *,
    number: int = 1,
    percentage: int = 0,
    numa: bool = False,
    use: str = "",
    priority: int = 0,
) -> dict[str, Any]:
    """A pod that asks for cards."""
    limits: dict[str, Any] = {"nvidia.com/gpu": number, "nvidia.com/gpucores": cores}
    limits |= {"nvidia.com/gpumem-percentage": percentage} if percentage else {"nvidia.com/gpumem": memory}
    wishes = {"nvidia.com/numa-bind": "true"} if numa else {}
    wishes |= {"nvidia.com/use-gputype": use} if use else {}
    made = hami.pod(name, limits, wishes, schedulerName="default-scheduler", priority=priority)
    resources = made["spec"]["containers"][0]["resources"]
    resources["requests"] = {"cpu": "1"} | resources["limits"]
    return {"apiVersion": "v1", "kind": "Pod", **made}
