"""CPU time of one Volcano session over a large empty cluster, beside what the real one took on the same.

The input: nodes of fifteen sizes; four queues of weights 1 to 4; jobs of equal pods, all of which must
start together, in turn over queues, three priorities and twelve requests. The session opens, runs the actions
of the configuration that a release ships, and closes; every pod is bound.
"""

import gc
import statistics
import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from benchmarks.figures import Figure
from scheduler_core.state.build import build_state
from scheduler_core.volcano.cache.opening import open_session
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.framework.closing import close
from scheduler_core.volcano.framework.session import Memory
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Floats, Rows
from scheduler_core.volcano.model.sub_jobs import SubJob
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.registry import ACTIONS

Object = dict[str, Any]

GROUP = "Volcano 1.16, CPU time of a session"
RUNS = 3
REAL_SECONDS = {(1000, 100, 20): 7.007, (5000, 200, 50): 59.536}
"""CPU seconds of the real Volcano by nodes, jobs and pods of a job.

Median of three runs of v1.16.0-alpha.1-42-ged72c7c81, built with Go 1.26, on two cores of the machine on
which these benchmarks were first run: one session with binds that go nowhere, log verbosity 0, its own
sampling of nodes and its own choice among equals; filling its cache isn't counted.
"""
PRIORITIES = {"low": 10, "mid": 100, "high": 1000}
START = datetime(2026, 3, 1, tzinfo=UTC)


def measure() -> Iterator[Figure]:
    """Measure a session of every size."""
    for (nodes, jobs, pods), theirs in REAL_SECONDS.items():
        name = f"{nodes:,} nodes, {jobs} jobs of {pods} pods"
        objects = session_objects(nodes, jobs, pods)
        ours = statistics.median(session_seconds(objects, jobs * pods) for _ in range(RUNS))
        yield Figure(GROUP, name, ours, "s")
        yield Figure(GROUP, f"{name}: the real one", theirs, "s")
        yield Figure(GROUP, f"{name}: multiple of ours", theirs / ours, "x", "> 10")


def session_seconds(objects: list[Object], pods: int, settings: str | None = None) -> float:
    """Return the CPU seconds of a session. Raises RuntimeError unless it binds all pods.

    settings: the text of a configuration; None is the one that a release ships.
    """
    own = ("HyperNode", "PodGroup", "Queue")
    state = build_state([item for item in objects if item["kind"] not in own]).state
    cluster = VolcanoCluster(state, objects)
    view, contents, configuration = cluster.snapshot(), cluster.contents(), read_configuration(settings)
    binds = Binds()
    # What building the cluster has left behind is not the session's to sweep up.
    gc.collect()
    start = time.process_time()
    session = open_session(view, contents, configuration, binds, Memory())
    for action in configuration.actions:
        for _ in ACTIONS[action](session):
            pass
    close(session)
    took = time.process_time() - start
    if len(binds.nodes) != pods:
        raise RuntimeError(f"{len(binds.nodes)} of {pods} pods were bound")
    return took


class Binds:
    """What a session has bound: each pod's node."""

    def __init__(self) -> None:
        self.nodes: dict[str, str] = {}

    def bound(self, task: Task) -> None:
        self.nodes[task.key] = task.node

    def evicted(self, task: Task, reason: str) -> None:
        raise AssertionError(f"{task.key} was evicted: {reason}")

    def chose(self, task: Task, nodes: Rows, scores: Floats, best: Rows, chosen: int) -> None:
        pass

    def chose_hyper_node(self, of: Job | SubJob, scores: Mapping[str, float], best: Sequence[str]) -> None:
        pass


# -- the input ---------------------------------------------------------------------------------------


def session_objects(nodes: int, jobs: int, pods: int) -> list[Object]:
    """Return the cluster: nodes, priority classes, queues, and jobs with so many pods each."""
    objects = [_node(number) for number in range(nodes)]
    objects += [
        {"kind": "PriorityClass", "metadata": {"name": name}, "value": value}
        for name, value in PRIORITIES.items()
    ]
    objects += [_queue(number) for number in range(4)]
    for job in range(jobs):
        objects.append(_group(job, pods))
        objects += [_pod(job, number) for number in range(pods)]
    return objects


def _node(number: int) -> Object:
    name = f"node-{number:05d}"
    labels = {"kubernetes.io/hostname": name, "topology.kubernetes.io/zone": f"zone-{number % 3}"}
    size = {
        "cpu": f"{32000 + 1000 * (number % 5)}m",
        "memory": f"{131072 + 16384 * (number % 3)}Mi",
        "pods": "110",
    }
    return {
        "kind": "Node",
        "metadata": {"name": name, "uid": name, "labels": labels, "creationTimestamp": _stamp(0)},
        "status": {"allocatable": size},
    }


def _queue(number: int) -> Object:
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": f"q-{number}", "creationTimestamp": _stamp(number)},
        "spec": {"weight": number + 1, "reclaimable": True},
        "status": {"state": "Open"},
    }


def _request(job: int) -> tuple[int, int]:
    """Return milli-CPU and MiB."""
    return 500 + 250 * (job % 4), 1024 * (1 + job % 3)


def _group(job: int, pods: int) -> Object:
    cpu, memory = _request(job)
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"namespace": "default", "name": f"job-{job:04d}", "creationTimestamp": _stamp(job + 10)},
        "spec": {
            "minMember": pods,
            "queue": f"q-{job % 4}",
            "priorityClassName": list(PRIORITIES)[job % 3],
            "minResources": {"cpu": f"{cpu * pods}m", "memory": f"{memory * pods}Mi"},
        },
        "status": {"phase": "Pending"},
    }


def _pod(job: int, number: int) -> Object:
    cpu, memory = _request(job)
    group, name = f"job-{job:04d}", f"job-{job:04d}-worker-{number}"
    requests = {"cpu": f"{cpu}m", "memory": f"{memory}Mi"}
    marks = {"scheduling.k8s.io/group-name": group, "volcano.sh/task-spec": "worker"}
    priority = list(PRIORITIES)[job % 3]
    return {
        "kind": "Pod",
        "metadata": {
            "namespace": "default",
            "name": name,
            "uid": f"pod-{name}",
            "annotations": marks,
            "creationTimestamp": _stamp(job + 10),
        },
        "spec": {
            "schedulerName": "volcano",
            "priority": PRIORITIES[priority],
            "priorityClassName": priority,
            "containers": [{"name": "c", "image": "i", "resources": {"requests": requests}}],
        },
        "status": {"phase": "Pending"},
    }


def _stamp(seconds: int) -> str:
    return f"{START + timedelta(seconds=seconds):%Y-%m-%dT%H:%M:%SZ}"
