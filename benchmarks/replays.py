"""``python -m benchmarks.replays``: CPU time of explanations in a large cluster; no part of `make bench`.

A worker's run is played, then its decisions are explained by a simulation that is warm: anywhere (from the
nearest checkpoint), the next one, and the one before.
"""

import argparse
import json
import os
import random
import statistics
import time
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import django

from benchmarks.figures import Figure, machine, print_table
from benchmarks.large_cluster import cluster

TIMES = 12
SEED = 1


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.replays", description=__doc__)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--pods", type=int, default=2000)
    parser.add_argument("--driver", default="instant")
    chosen = parser.parse_args()
    os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
    django.setup()
    print("Measuring on:", json.dumps(machine()), flush=True)
    print_table(measure(chosen.nodes, chosen.pods, chosen.driver))


def measure(nodes: int, pods: int, driver: str) -> Iterator[Figure]:
    """Play a run, explain its decisions, and yield what each took."""
    from dashboard.models import Checkpoint
    from dashboard.queries import replay
    from dashboard.services.background import execution

    group = f"CPU time at {nodes:,} nodes, driver {driver}"
    run = _run_of(nodes, pods, driver)
    took = _timed(execution.execute_run, run.pk)[0]
    run.refresh_from_db()
    assert run.status == "finished", run.error
    last = run.decisions
    yield Figure(group, "a decision of the run, with its opening and storing", took / last, "ms")
    seqs = [0, *Checkpoint.objects.filter(run=run).order_by("seq").values_list("seq", flat=True)]
    gaps = [after - before for before, after in pairwise(seqs)]
    yield Figure(group, "decisions from checkpoint to checkpoint, median", statistics.median(gaps), "")
    yield Figure(group, "the first explanation, with opening the run", _explaining(run, 1), "ms")
    lots = random.Random(SEED)
    anywhere = [_explaining(run, lots.randrange(1, last)) for _ in range(TIMES)]
    target = "< 150 ms"
    yield Figure(
        group, f"an explanation anywhere, median of {TIMES}", statistics.median(anywhere), "ms", target
    )
    yield Figure(group, "an explanation anywhere, the longest", max(anywhere), "ms")
    middle = last // 2
    replay.explanation(run, middle)
    following = [_explaining(run, middle + step) for step in range(1, TIMES)]
    yield Figure(group, "the next explanation, median", statistics.median(following), "ms")
    back = [_explaining(run, middle + TIMES - 1 - step) for step in range(1, TIMES)]
    yield Figure(group, "the explanation before, median", statistics.median(back), "ms")


def _run_of(nodes: int, pods: int, driver: str) -> Any:
    """Return a run that waits to be played in this process, without a broker."""
    from django.contrib.auth import get_user_model
    from django.core.management import call_command

    from dashboard.models import Scenario
    from dashboard.services.background import bell, dispatch
    from dashboard.services.workspace import runs
    from dashboard.services.workspace.snapshots import import_snapshot

    dispatch._send = lambda task, pk: True
    bell.ring = lambda run_id: None
    call_command("migrate", verbosity=0)
    user = get_user_model().objects.create_user("benchmark")
    snapshot = import_snapshot(user, "large", [("cluster.json", cluster(nodes, pods))])
    scenario = Scenario.objects.create(name="large", snapshot=snapshot, created_by=user, driver=driver)
    return runs.start_run(user, scenario)


def _explaining(run: Any, seq: int) -> float:
    from dashboard.queries import replay

    return _timed(replay.explanation, run, seq)[0]


def _timed(act: Any, *arguments: Any) -> tuple[float, Any]:
    """Return milliseconds of CPU, and the answer."""
    start = time.process_time()
    answer = act(*arguments)
    return 1000 * (time.process_time() - start), answer


if __name__ == "__main__":
    main()
