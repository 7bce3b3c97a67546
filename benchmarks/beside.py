"""CPU time of a decision beside another tree's: ``python -m benchmarks.beside TREE [workload ...]``.

Both trees play the same runs, a few decisions each by turns, so that whatever else the machine does meets
both alike. A ratio is the median of all turns. All nodes are scored and the log's events are made.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.workloads import APART, SAMPLED, SPREAD, Object, interleaved, preemption_objects, uniform
from samples.hami.sample import hami_scenarios
from samples.openb.sample import openb_files, openb_hami_files

HERE = Path(__file__).parents[1]
SERVICE = {
    "kind": "Service",
    "metadata": {"namespace": "default", "name": "bench", "uid": "bench"},
    "spec": {"selector": {"app": "bench"}},
}


@dataclass(frozen=True)
class Turns:
    """`turns` times `decisions` are played of a run over these objects; `settings` are RunInput's."""

    objects: Callable[[], list[Object]]
    turns: int
    decisions: int
    settings: dict[str, Any] = field(default_factory=dict)


def _trace() -> list[Object]:
    items: list[Object] = json.loads(openb_files()[0][1])["items"]
    return items


def _hami_trace() -> list[Object]:
    items: list[Object] = json.loads(openb_hami_files()[0][1])["items"]
    return items


TIMED = {"driver": "timed"}
HAMI = {key: value for key, value in hami_scenarios()[0].items() if key != "name"}
WORKLOADS = {
    "basic, 1,000 nodes": Turns(uniform(1000, 600, {}), 24, 25),
    "basic, 2,000 nodes": Turns(uniform(2000, 600, {}), 24, 25),
    "basic, 5,000 nodes": Turns(uniform(5000, 360, {}), 24, 15),
    "basic, 15,000 nodes": Turns(uniform(15000, 240, {}), 16, 15),
    "200 interleaved specs, 5,000 nodes": Turns(interleaved(5000, 1100, 200), 24, 40),
    "basic, 5,000 nodes, sampled": Turns(uniform(5000, 360, {}), 24, 15, {"config": SAMPLED}),
    "spread over 3 zones, 5,000 nodes": Turns(uniform(5000, 360, SPREAD), 24, 15),
    "anti-affinity on the hostname, 5,000 nodes": Turns(uniform(5000, 360, APART), 24, 15),
    "Service (default spread), 2,000 nodes": Turns(uniform(2000, 360, {}, SERVICE), 24, 15),
    "preemption, 500 nodes": Turns(lambda: preemption_objects(500, 40), 20, 2),
    "preemption, 5,000 nodes": Turns(lambda: preemption_objects(5000, 20), 20, 1),
    "preemption, 5,000 nodes, no two pods alike": Turns(lambda: preemption_objects(5000, 21, 21), 20, 1),
    "GPU trace, 1,523 nodes": Turns(_trace, 40, 200),
    "GPU trace with HAMi, 1,523 nodes": Turns(_hami_trace, 24, 100, HAMI),
    "kube-scheduler 1.11, basic, 2,000 nodes": Turns(
        uniform(2000, 360, {}), 24, 15, {"profile": "kube-1.11"}
    ),
    "timed, basic, 2,000 nodes": Turns(uniform(2000, 300, {}), 24, 24, TIMED),
    "timed, GPU trace, 1,523 nodes": Turns(_trace, 24, 200, TIMED),
}


class Player:
    """A process that plays with one tree's engine."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, HERE / "benchmarks" / "player.py"],
            env=os.environ | {"PYTHONPATH": str(tree)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, question: Object) -> float:
        """Send a question and return the answer."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(question), file=self._process.stdin, flush=True)
        return float(json.loads(self._process.stdout.readline()))

    def end(self) -> None:
        """Let the process go."""
        self._process.communicate()


def compare(other: Path, workload: Turns) -> tuple[float, float, float]:
    """Return the median CPU milliseconds of a decision in the other tree and in this one, and their ratio."""
    players = [Player(other), Player(HERE)]
    question = {"objects": workload.objects(), **workload.settings}
    for player in players:
        player.ask(question)
    times: list[list[float]] = []
    for turn in range(workload.turns):
        took = [0.0, 0.0]
        for place in (0, 1) if turn % 2 else (1, 0):
            took[place] = 1000 * players[place].ask({"play": workload.decisions}) / workload.decisions
        times.append(took)
    for player in players:
        player.end()
    theirs, ours = (statistics.median(column) for column in zip(*times, strict=True))
    return theirs, ours, statistics.median(here / there for there, here in times)


def main() -> None:
    """Compare the chosen workloads, by default all, and print a line for each."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.beside", description=__doc__)
    parser.add_argument("tree", type=Path, help="the folder of the other tree")
    parser.add_argument("workload", nargs="*", choices=[*WORKLOADS, []], help="which; all by default")
    chosen = parser.parse_args()
    print(f"{'CPU time of a decision, ms':44}{'there':>9}{'here':>9}{'ratio':>8}")
    for name in chosen.workload or WORKLOADS:
        there, here, ratio = compare(chosen.tree.resolve(), WORKLOADS[name])
        print(f"{name:44}{there:9.2f}{here:9.2f}{ratio:8.2f}", flush=True)


if __name__ == "__main__":
    main()
