"""What a decision costs against the number of nodes and of waiting pods; `--record` draws it too.

One line per workload. The plots are `docs/images/cost-by-nodes.svg` and `cost-by-pods.svg`.
"""

import json
import time
from collections.abc import Iterator

from benchmarks.figures import Figure
from benchmarks.kube import Workload, decision_ms, preemptor_ms, scheduling
from benchmarks.large_cluster import cluster
from benchmarks.workloads import APART, SPREAD, Object
from scheduler_core.events.decisions import encoder
from scheduler_core.world import RunInput, Simulation

GROUP = "kube-scheduler 1.36, CPU time of a decision by size"
NODES = (500, 1000, 2000, 5000, 10_000, 15_000)
PODS = (1000, 3000, 10_000, 30_000, 100_000)
PODS_DECIDED = range(20, 520)
"""Not the first ones: with those, what is kept of the cluster comes into being."""
NODES_OF_PODS = 5000
LARGEST = 15_000, 100_000
KINDS: dict[str, Object] = {
    "basic": {},
    "spread over 3 zones": SPREAD,
    "anti-affinity on the hostname": APART,
}


def measure() -> Iterator[Figure]:
    """Measure every size."""
    for name, extra in KINDS.items():
        for nodes in NODES:
            workload = scheduling(name, nodes, PODS_DECIDED.stop, 0, extra)
            cost = decision_ms(workload, PODS_DECIDED)
            yield Figure(GROUP, f"{name}, {nodes:,} nodes", cost, "ms")
    for nodes in NODES:
        yield Figure(GROUP, f"preemption, {nodes:,} nodes", preemptor_ms(nodes), "ms")
    for pods in PODS:
        yield Figure(GROUP, f"basic, {pods:,} pods waiting", decision_ms(_waiting(pods), PODS_DECIDED), "ms")
    yield from _largest()


def _largest() -> Iterator[Figure]:
    """The whole run of the largest cluster that is promised."""
    nodes, pods = LARGEST
    simulation = Simulation(RunInput(objects=json.loads(cluster(nodes, pods))["items"]))
    start, size = time.process_time(), 0
    for decision in simulation:
        size += len(encoder.encode(decision))
    took = 1000 * (time.process_time() - start) / simulation.seq
    name = f"{nodes:,} nodes, {pods:,} pods in 50 workloads"
    yield Figure(GROUP, name, took, "ms", "< 0.06")
    yield Figure(GROUP, f"{name}: log, uncompressed", size / 2**20, "MiB", "< 300 MB")


def _waiting(pods: int) -> Workload:
    return scheduling("basic", NODES_OF_PODS, pods, 0)


def draw_all(figures: list[Figure]) -> None:
    """Draw what `measure` has yielded, if it is among these. Django must be set up."""
    from benchmarks.plots import Line, draw

    values = {figure.what: figure.value for figure in figures if figure.group == GROUP}
    if not values:
        return
    by_nodes = [
        Line(name, list(NODES), [values[f"{name}, {nodes:,} nodes"] for nodes in NODES])
        for name in (*KINDS, "preemption")
    ]
    by_pods = Line("basic", list(PODS), [values[f"basic, {pods:,} pods waiting"] for pods in PODS])
    draw("cost-by-nodes", "nodes", by_nodes)
    draw("cost-by-pods", f"pods waiting for {NODES_OF_PODS:,} nodes", [by_pods])
