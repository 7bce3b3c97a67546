"""Clusters on which one thing that the debugger shows can be seen."""

from typing import Any

from tests.dashboard.rows import budget, listing, node, pod

ZONE = "topology.kubernetes.io/zone"
VOLCANO = "scheduling.volcano.sh/v1beta1"


def reprieve() -> bytes:
    """Two full nodes, a preemptor, and on each node somebody who gets back in.

    `urgent` needs 2 CPU. node-1 has room for it once `small` (1 CPU) and `big` (2 CPU) are gone, and then
    `small` comes back. node-2 would cost a pod of higher priority. node-3 is tainted.
    """
    tainted = node("node-3", cpu="8", **{ZONE: "b"})
    tainted["spec"]["taints"] = [{"key": "dedicated", "value": "batch", "effect": "NoSchedule"}]
    return listing(
        node("node-1", cpu="4", **{ZONE: "a"}),
        node("node-2", cpu="4", **{ZONE: "a"}),
        tainted,
        pod("keeper", node="node-1", cpu="1", priority=2000),
        pod("small", node="node-1", cpu="1", priority=100),
        pod("big", node="node-1", cpu="2", priority=50),
        pod("valued", node="node-2", cpu="4", priority=500),
        pod("urgent", cpu="2", priority=1000),
        pod("huge", cpu="64"),
    )


def ties() -> bytes:
    """Four empty equal nodes and three pods that fit anywhere."""
    nodes = [node(f"node-{number}", **{ZONE: "a"}) for number in range(1, 5)]
    return listing(*nodes, *(pod(f"web-{number}") for number in range(1, 4)))


def cloud_name(number: int) -> str:
    """What AWS calls the node with this number, counted from 0."""
    subnet, host = number % 3 * 16 + number // 600, number // 3 % 200 + 11
    return f"ip-10-0-{subnet}-{host}.eu-central-1.compute.internal"


def cloud(nodes: int) -> bytes:
    """Nodes with AWS's names, full but for 1 CPU: an urgent pod finds a candidate on each, `web` fits on all.

    The urgent pod gets the node 0. Nodes 1 and 2 lose by the start of their victim, 3 and 4 by the sum of
    priorities, the last one by a budget, and all others by their highest victim.
    """
    last = nodes - 1
    objects: list[dict[str, Any]] = [
        node(cloud_name(number), cpu="5", **{ZONE: f"eu-central-1{'abc'[number % 3]}"})
        for number in range(nodes)
    ]
    for number in range(nodes):
        victims = 2 if number in {3, 4} else 1
        priority = 100 if number < 5 or number == last else 200
        for victim in range(victims):
            one = pod(
                f"cart-{number}-{victim}", node=cloud_name(number), cpu=str(4 / victims), priority=priority
            )
            one["status"]["startTime"] = f"2026-05-0{2 if number == 0 else 1}T08:00:00Z"
            one["metadata"]["labels"] = {"guarded": "yes"} if number == last else {}
            objects.append(one)
    budget = {
        "apiVersion": "policy/v1",
        "kind": "PodDisruptionBudget",
        "metadata": {"name": "guard", "namespace": "shop"},
        "spec": {"minAvailable": 1, "selector": {"matchLabels": {"guarded": "yes"}}},
        "status": {"disruptionsAllowed": 0, "currentHealthy": 1, "desiredHealthy": 1, "expectedPods": 1},
    }
    return listing(
        *objects,
        budget,
        pod("urgent", cpu="4", priority=1000),
        pod("web", priority=50),
        pod("huge", cpu="64"),
    )


def alike() -> bytes:
    """Twelve equal candidates, one of which loses by a victim of priority 1,000; `choosy` matches no node."""
    names = [cloud_name(number) for number in range(13)]
    choosy = pod("choosy", nodeSelector={"pool": "arm"})
    held = [
        pod(f"cart-{number}", node=name, priority=1000 if number == 12 else 100)
        for number, name in enumerate(names)
    ]
    return listing(
        *(node(name, cpu="1") for name in names), *held, pod("urgent", cpu="1", priority=2000), choosy
    )


def markup() -> bytes:
    """Names and labels as somebody would write them who wants a script to run in the reader's browser."""
    evil = "<img src=x onerror=document.title='owned'>"
    target = node("node-1", **{ZONE: evil, "pool": evil})
    target["spec"]["taints"] = [{"key": "k", "value": evil, "effect": "PreferNoSchedule"}]
    return listing(target, pod("web-1", schedulingGates=[{"name": evil}]), pod("web-2"))


def crowd(nodes: int, pods: int, *, each: int = 8) -> bytes:
    """Many nodes in three zones, with room for `each` pods, and many pods."""
    objects: list[dict[str, Any]] = [
        node(f"node-{number:04d}", **{ZONE: "abc"[number % 3]}) for number in range(nodes)
    ]
    for one in objects:
        room = {"cpu": str(max(4, each / 10)), "memory": f"{each}Gi", "pods": str(max(110, each))}
        one["status"]["allocatable"] |= room
    return listing(*objects, *(pod(f"web-{number:05d}", cpu="100m") for number in range(pods)))


LONG = "with-a-name-as-cloud-providers-make-them-eu-central-1.compute.internal"


def wide() -> bytes:
    """Many full nodes, each a candidate, a budget that stops a drain, and long names everywhere."""
    nodes = [f"worker-{number:02d}.{LONG}" for number in range(24)]
    objects: list[dict[str, Any]] = [
        node(name, cpu="4", **{ZONE: "eu-central-1-availability-zone-a", "pool": LONG[:60]}) for name in nodes
    ]
    for number, name in enumerate(nodes):
        held = pod(f"recommendation-service-{number:02d}-{LONG[:30]}", node=name, cpu="4", priority=number)
        held["metadata"]["labels"] = {"app": "recommendation"}
        objects.append(held)
    urgent = pod(f"urgent-{LONG[:50]}", cpu="2", priority=1000)
    dotted = f"job-{LONG[:50]}".replace("-", ".")
    job = {"apiVersion": "batch/v1", "kind": "Job", "name": dotted, "uid": "job", "controller": True}
    urgent["metadata"]["ownerReferences"] = [job]
    huge = pod(f"huge-{LONG[:50]}", cpu="64")
    return listing(*objects, budget(f"budget-{LONG[:40]}", 0, app="recommendation"), urgent, huge)


def guarded(names: list[str]) -> bytes:
    """Nodes on each of which a budget of its own (`guard-1`, …) keeps the one pod; and an empty node."""
    objects: list[dict[str, Any]] = [node("spare")]
    for number, name in enumerate(names, 1):
        held = pod(f"search-{number}", node=name)
        held["metadata"]["labels"] = {"app": f"search-{number}"}
        objects += [node(name), held, budget(f"guard-{number}", 0, app=f"search-{number}")]
    return listing(*objects)


def statements() -> bytes:
    """Two nodes of two GPUs, of which queue *batch* holds three; its next job gets nothing.

    Job `sweep` of queue *research* needs two workers at once: one finds a GPU, the other none, and both are
    taken back.
    """
    gpu = "nvidia.com/gpu"

    def group(name: str, queue: str, least: int) -> dict[str, Any]:
        metadata = {"name": name, "namespace": "shop", "creationTimestamp": "2026-05-01T00:00:00Z"}
        spec = {"minMember": least, "queue": queue}
        return {"apiVersion": VOLCANO, "kind": "PodGroup", "metadata": metadata, "spec": spec}

    def queue(name: str) -> dict[str, Any]:
        metadata = {"name": name, "creationTimestamp": "2026-05-01T00:00:00Z"}
        spec, status = {"weight": 1}, {"state": "Open"}
        return {"apiVersion": VOLCANO, "kind": "Queue", "metadata": metadata, "spec": spec, "status": status}

    def worker(job: str, number: int, on: str = "") -> dict[str, Any]:
        made = pod(f"{job}-{number}", node=on, cpu="1")
        made["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": job}
        made["spec"]["schedulerName"] = "volcano"
        resources = made["spec"]["containers"][0]["resources"]
        resources["requests"][gpu] = "1"
        resources["limits"] = {gpu: "1"}
        return made

    nodes = [node(f"gpu-{number}", cpu="8", **{ZONE: "a"}) for number in (1, 2)]
    for made in nodes:
        made["status"]["allocatable"][gpu] = "2"
    return listing(
        *nodes,
        *map(queue, ("default", "research", "batch")),
        group("etl", "batch", 1), group("later", "batch", 1), group("sweep", "research", 2),
        worker("etl", 0, "gpu-1"), worker("etl", 1, "gpu-1"), worker("etl", 2, "gpu-2"),
        worker("later", 0), worker("sweep", 0), worker("sweep", 1),
    )  # fmt: skip
