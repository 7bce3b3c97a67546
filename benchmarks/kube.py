"""CPU time of a decision, its event built and encoded, beside the real kube-scheduler.

The workloads: pods of one spec that fit anywhere; of 200 specs by turns; a spread over three zones; one pod a
host by anti-affinity; a claim each for a device; preemption on full nodes, the first of a class and those
behind it. All nodes are scored unless the name says that they are sampled.
"""

import gc
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from benchmarks import peer
from benchmarks.figures import Figure
from benchmarks.workloads import (
    APART,
    SAMPLED,
    SPREAD,
    Object,
    claiming,
    interleaved,
    preemption_objects,
    uniform,
)
from scheduler_core.events.decisions import encoder
from scheduler_core.world import RunInput, Simulation

GROUP = "kube-scheduler 1.36, CPU time of a decision"
CLAIMS = "a claim for one of eight devices a node"
PREEMPTORS = 20
RUNS = 3


@dataclass(frozen=True)
class Workload:
    """`pods` are decided; `goal` says how many times less CPU time than the real one is promised.

    `like`: the real one's workload, where that is another. `settings` are RunInput's.
    """

    name: str
    nodes: int
    pods: int
    objects: Callable[[], list[Object]]
    goal: int
    like: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, int, bool]:
        """What the real one's figure is found by."""
        return self.like or self.name, self.nodes, bool(self.settings)

    @property
    def title(self) -> str:
        """Its name in the table."""
        return f"{self.name}, {self.nodes:,} nodes" + (", sampled" if self.settings else "")


def scheduling(
    name: str, nodes: int, pods: int, goal: int, extra: Object | None = None, **rest: Any
) -> Workload:
    """Return a workload of pods of one spec."""
    return Workload(name, nodes, pods, uniform(nodes, pods, extra or {}), goal, **rest)


WORKLOADS = [
    scheduling("basic", 1000, 1000, 25),
    scheduling("basic", 5000, 2000, 250),
    scheduling("spread over 3 zones", 5000, 1000, 100, SPREAD),
    scheduling("anti-affinity on the hostname", 5000, 1000, 150, APART),
    Workload("200 specs by turns", 5000, 2000, interleaved(5000, 2000, 200), 50, like="basic"),
    scheduling("basic", 5000, 2000, 25, settings={"config": SAMPLED}),
    Workload(CLAIMS, 5000, 1000, claiming(5000, 1000, devices=8), 20),
]


def measure() -> Iterator[Figure]:
    """Measure every workload, then the real scheduler on the same ones."""
    ours = [(one.title, one.key, decision_ms(one), one.goal) for one in WORKLOADS]
    ours += _preemptions()
    theirs = peer.measured()
    for title, key, milliseconds, goal in ours:
        real, whose = theirs[key]
        yield Figure(GROUP, title, milliseconds, "ms")
        yield Figure(GROUP, f"{title}: {whose}", real, "ms")
        yield Figure(GROUP, f"{title}: multiple of ours", real / milliseconds, "x", f"> {goal}")


def decision_ms(workload: Workload, decisions: range | None = None) -> float:
    """Return the CPU milliseconds of a decision, over the whole run or over some of its decisions."""
    simulation = Simulation(RunInput(objects=workload.objects(), **workload.settings))
    counted = decisions or range(workload.pods)
    return statistics.mean(islice(_steps(simulation), counted.start, counted.stop))


def preemptor_ms(nodes: int, classes: int = 1) -> float:
    """Return the CPU milliseconds of a preemptor on full nodes, where so many classes of them take turns.

    Each makes room on another node. The cluster's very first one isn't counted: it finds nothing prepared.
    """
    objects = preemption_objects(nodes, PREEMPTORS + 1, classes)
    return statistics.mean(islice(_steps(Simulation(RunInput(objects=objects))), 1, PREEMPTORS + 1))


def _preemptions() -> Iterator[tuple[str, tuple[str, int, bool], float, int]]:
    for nodes in (500, 5000):
        first = statistics.median(preemptor_ms(nodes, PREEMPTORS + 1) for _ in range(RUNS))
        behind = statistics.median(preemptor_ms(nodes) for _ in range(RUNS))
        title = f"preemption, {nodes:,} nodes"
        everywhere, sampled = ("preemption", nodes, False), ("preemption", nodes, True)
        yield f"{title}, the first of a class", everywhere, first, 25
        yield f"{title}, {PREEMPTORS} of a class", everywhere, behind, 50
        yield f"{title}, beside the real one's sampling", sampled, behind, 10


def _steps(simulation: Simulation) -> Iterator[float]:
    """Take one decision after the other and return each one's CPU milliseconds."""
    gc.collect()  # What building has left behind is not the decisions' to sweep up.
    while True:
        start = time.process_time()
        decision = simulation.step()
        if decision is None:
            return
        encoder.encode(decision)
        yield 1000 * (time.process_time() - start)
