"""The engine alone on the large sample: no database, no worker, one process."""

import json
import time
from collections.abc import Iterator

from benchmarks.figures import Figure
from samples.openb.sample import openb_files
from scheduler_core.events.decisions import encoder
from scheduler_core.world import RunInput, Simulation

GROUP = "Engine, 1,523 nodes and 8,152 pods"


def measure() -> Iterator[Figure]:
    """Play the run to its end and yield what it took."""
    objects = json.loads(openb_files()[0][1])["items"]
    start = time.perf_counter()
    simulation = Simulation(RunInput(objects=objects))
    yield Figure(GROUP, "building the simulation", time.perf_counter() - start, "s")

    start, cpu = time.perf_counter(), time.process_time()
    decisions = list(simulation)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    yield Figure(GROUP, "decisions", len(decisions), "")
    yield Figure(GROUP, "decisions a second", len(decisions) / wall, "1/s")
    yield Figure(GROUP, "CPU time of a decision", 1000 * cpu / len(decisions), "ms")

    cpu = time.process_time()
    size = sum(len(encoder.encode(decision)) for decision in decisions)
    yield Figure(GROUP, "encoding a decision", 1e6 * (time.process_time() - cpu) / len(decisions), "µs")
    yield Figure(GROUP, "log, uncompressed", size / 2**20, "MiB")
    yield Figure(GROUP, "log of a decision, uncompressed", size / len(decisions), "B")
    start = time.perf_counter()
    simulation.checkpoint()
    yield Figure(GROUP, "checkpoint at the end", 1000 * (time.perf_counter() - start), "ms")
