"""CPU time of HAMi's filter for pods in sequence, beside what the real one took on the same.

The input: nodes with eight A100 each, and 500 pods that ask for one card and one of ten sizes of memory;
every pod is placed and stays. The node policy is binpack, the policy among cards spread.

And a whole run: the GPU trace in the order of arrival under each combination of policies, log included.
"""

import json
import statistics
import time
from collections.abc import Iterator
from typing import Any

from benchmarks.figures import Figure
from samples.hami.sample import hami_scenarios
from samples.openb.sample import openb_hami_files
from scheduler_core.events.decisions import encoder
from scheduler_core.hami.configuration.settings import read_configuration
from scheduler_core.hami.extender.api_client import StoredObjects
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.state.journal import Journal
from scheduler_core.world import RunInput, Simulation

Object = dict[str, Any]

GROUP = "HAMi 2.10, CPU time of a filter"
PODS, RUNS = 500, 3
REAL_SECONDS = {100: 3.001, 1000: 24.457}
"""CPU seconds of the real HAMi for all pods, by nodes.

Median of three runs of v2.10.0, built with Go 1.26, on two cores of the machine on which these benchmarks
were first run: direct calls of its filter function, logs discarded, patches answered at once.
"""
NOW = 1_787_293_240 * 10**9


def measure() -> Iterator[Figure]:
    """Measure the filter on clusters of every size, and the pass that registers their cards."""
    for nodes, theirs in REAL_SECONDS.items():
        runs = [filter_seconds(nodes, PODS) for _ in range(RUNS)]
        registering, filtering = (statistics.median(run[part] for run in runs) for part in (0, 1))
        name = f"{nodes:,} nodes of 8 cards, {PODS} pods"
        yield Figure(GROUP, f"{name}: a pod", filtering / PODS * 1000, "ms")
        yield Figure(GROUP, f"{name}: the real one", theirs / PODS * 1000, "ms")
        yield Figure(GROUP, f"{name}: multiple of ours", theirs / filtering, "x", "> 10")
        yield Figure(GROUP, f"{name}: registering all nodes", registering * 1000, "ms")
    for name, seconds in trace_seconds():
        yield Figure(GROUP, f"GPU trace, 1,523 nodes and 8,152 pods, {name}", seconds, "s", "< 20")


def trace_seconds() -> Iterator[tuple[str, float]]:
    """Return the CPU seconds of a run of the GPU trace for each combination of policies, by its name."""
    objects = json.loads(openb_hami_files()[0][1])["items"]
    for scenario in hami_scenarios():
        name = scenario.pop("name")
        start = time.process_time()
        for decision in Simulation(RunInput(objects=objects, **scenario)):
            encoder.encode(decision)
        yield name, time.process_time() - start


def filter_seconds(nodes: int, pods: int) -> tuple[float, float]:
    """Return the CPU seconds of a registration pass and of all filters. Raises RuntimeError if one fails."""
    journal = Journal()
    objects = StoredObjects(journal, map(cluster_node, range(nodes)))
    hami = Hami(journal, read_configuration(None), objects, lambda: NOW)
    start = time.process_time()
    hami.register()
    registered = time.process_time()
    names = [node["metadata"]["name"] for node in objects.nodes()]
    waiting = [waiting_pod(number) for number in range(pods)]
    begin = time.process_time()
    placed = 0
    for pod in waiting:
        placed += bool(hami.filter(pod, names).chosen)
        journal.forget()
    took = time.process_time() - begin
    if placed != pods:
        raise RuntimeError(f"{placed} of {pods} pods were placed")
    return registered - start, took


def cluster_node(number: int) -> Object:
    """Return a node of eight cards."""
    cards = [
        {
            "id": f"GPU-{number:04d}-{card}",
            "index": card,
            "count": 10,
            "devmem": 81920,
            "devcore": 100,
            "type": "NVIDIA A100-SXM4-80GB",
            "numa": card // 4,
            "mode": "hami-core",
            "health": True,
        }
        for card in range(8)
    ]
    annotations = {
        "hami.io/node-handshake": "Reported 2026-08-21 06:20:39",
        "hami.io/node-nvidia-register": json.dumps(cards),
    }
    return {
        "kind": "Node",
        "metadata": {"name": f"node-{number:04d}", "annotations": annotations},
        "status": {"allocatable": {"nvidia.com/gpu": "80"}},
    }


def waiting_pod(number: int) -> Object:
    """Return a pod that asks for one card."""
    limits = {"nvidia.com/gpu": "1", "nvidia.com/gpumem": str(2048 * (1 + number * 7 % 10))}
    return {
        "kind": "Pod",
        "metadata": {"namespace": "default", "name": f"pod-{number:04d}", "uid": f"uid-{number:04d}"},
        "spec": {
            "schedulerName": "hami-scheduler",
            "containers": [{"name": "main", "resources": {"limits": limits}}],
        },
    }
