"""Memory of the product's processes over time: it may not grow from the first quarter to the last."""

import statistics
import threading
from collections import defaultdict

from benchmarks.soak.findings import Findings
from benchmarks.soak.processes import processes_of

SAMPLE_SECONDS = 5
WARM_UP_SAMPLES = 12
FEWEST_SAMPLES = 40
GROWTH_ALLOWED = 1.25
MEBIBYTES_ALLOWED = 20  # what a small process may gain without that meaning anything


def watch(supervisor: int, stop: threading.Event, findings: Findings) -> None:
    """Sample until told to stop, then compare the quarters."""
    samples: dict[str, list[float]] = defaultdict(list)
    while not stop.wait(SAMPLE_SECONDS):
        for process in processes_of(supervisor):
            resident = process.memory()
            if resident:
                samples[process.part].append(resident)
    for name, values in samples.items():
        compare(name, values, findings)


def compare(name: str, values: list[float], findings: Findings) -> None:
    """Compare the medians of the first and the last quarter after the warm-up."""
    steady = values[WARM_UP_SAMPLES:]
    quarter = max(1, len(steady) // 4)
    if len(steady) < FEWEST_SAMPLES:
        findings.count(f"memory of {name}: too few samples to judge", len(steady))
        steady = values
    first, last = statistics.median(steady[:quarter]), statistics.median(steady[-quarter:])
    findings.memory[name] = {"first": first, "last": last, "most": max(values)}
    grew = last > first * GROWTH_ALLOWED + MEBIBYTES_ALLOWED
    if grew and len(steady) >= FEWEST_SAMPLES:
        findings.broke("memory grew", f"{name}: from {first:.0f} to {last:.0f} MiB")
