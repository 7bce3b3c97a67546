"""CPU time of a sweep on the GPU trace: 100 runs of 1,000 decisions on 1,523 nodes, each stored with its log.

Every run of a sweep is one as any other: its cluster is built, its decisions are stored, summed up. Played
here in one process as a worker plays them, on a database of its own.
"""

import time
from collections.abc import Iterator

import msgspec
from django.test.utils import setup_databases, teardown_databases

from benchmarks.figures import Figure
from samples.openb.sample import openb_files

RUNS, DECISIONS = 100, 1_000
GROUP = f"A sweep on the GPU trace, {DECISIONS:,} decisions a run"


def measure() -> Iterator[Figure]:
    """Play the sweep, and tell what all of it takes and what a run takes."""
    old = setup_databases(verbosity=0, interactive=False)
    try:
        seconds, runs = _played()
    finally:
        teardown_databases(old, verbosity=0)
    yield Figure(GROUP, f"{runs} runs", seconds, "s", "< 40")
    yield Figure(GROUP, "a run", seconds / runs * 1000, "ms")


def _played() -> tuple[float, int]:
    from dashboard.models import Run
    from dashboard.services.background.execution import execute_run
    from dashboard.services.workspace.scenarios import create_scenario
    from dashboard.services.workspace.snapshots import import_snapshot
    from dashboard.services.workspace.sweeps.choices import choices_of
    from dashboard.services.workspace.sweeps.playing import start_sweep

    snapshot = import_snapshot(None, "openb", [("openb.json", _cluster())])
    scenario = create_scenario(None, {"name": "sweep", "snapshot": snapshot, "profile": "kube-1.37"})
    settings = {choice.dimension.title: choice.dimension for choice in choices_of(scenario)}
    dimensions = [
        {"field": "config", "path": settings[title].path, "values": values}
        for title, values in (
            ("NodeResourcesFit scoring", ["LeastAllocated", "MostAllocated"]),
            ("NodeResourcesFit weight", list(range(1, 11))),
            ("NodeResourcesBalancedAllocation weight", list(range(1, 6))),
        )
    ]
    sweep = start_sweep(None, scenario, dimensions)
    numbers = list(Run.objects.filter(sweep_points__sweep=sweep).values_list("pk", flat=True))
    start = time.process_time()
    for number in numbers:
        execute_run(number)
    seconds = time.process_time() - start
    played = Run.objects.filter(pk__in=numbers, status="finished", decisions=DECISIONS).count()
    if played != len(numbers) or played != RUNS:
        raise SystemExit(f"{played} of {len(numbers)} runs were played")
    return seconds, played


def _cluster() -> bytes:
    """Return the trace's nodes and its first pods."""
    [(_, content)] = openb_files()
    items = msgspec.json.decode(content)["items"]
    pods = [one for one in items if one["kind"] == "Pod"][:DECISIONS]
    kept = [*(one for one in items if one["kind"] != "Pod"), *pods]
    return msgspec.json.encode({"apiVersion": "v1", "kind": "List", "items": kept})
