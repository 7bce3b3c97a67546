"""The real kube-scheduler's own speed: of a program that measures it, where one is at hand, else recorded.

`KUBE_PEER` names the program, or the folder of its Go source, which is built then.
"""

import json
import os
import subprocess
import tempfile
from pathlib import Path

Measured = dict[tuple[str, int, bool], float]
"""Milliseconds of CPU time a decision by workload, nodes, and whether nodes are sampled."""

MEASURED_ONCE: Measured = {
    ("basic", 1000, False): 2.41,
    ("basic", 1000, True): 1.43,
    ("basic", 5000, False): 15.80,
    ("basic", 5000, True): 1.36,
    ("spread over 3 zones", 5000, False): 13.96,
    ("spread over 3 zones", 5000, True): 4.08,
    ("anti-affinity on the hostname", 5000, False): 17.55,
    ("anti-affinity on the hostname", 5000, True): 3.03,
    ("a claim for one of eight devices a node", 5000, False): 181.6,
    ("preemption", 500, False): 8.32,
    ("preemption", 500, True): 2.96,
    ("preemption", 5000, False): 130.56,
    ("preemption", 5000, True): 18.50,
}
"""kube-scheduler 1.36.1, built with Go 1.26, on two idle cores of the machine on which these were first run.

Medians of three runs; its own loop with binds that go nowhere; CPU time on all cores, collecting garbage
included. Each preemptor meets the same full cluster. Pods of 200 specs by turns took it what pods of one
took (0.84 and 1.04 times as much, by turns in one call). Claims: 300 pods, of which the first isn't counted.
"""


def measured() -> dict[tuple[str, int, bool], tuple[float, str]]:
    """Return the real one's figures, each with what it is: of this call, or of that once."""
    once = {key: (figure, "the real one, measured once") for key, figure in MEASURED_ONCE.items()}
    named = os.environ.get("KUBE_PEER")
    if not named:
        return once
    with tempfile.TemporaryDirectory(prefix="sandtable-peer-") as folder:
        program = _built(Path(named), Path(folder)) if Path(named).is_dir() else Path(named)
        done = subprocess.run([program, "bench", "-runs", "1"], stdout=subprocess.PIPE, check=True, text=True)
    return once | {key: (figure, "the real one, in this call") for key, figure in read(done.stdout).items()}


def read(printed: str) -> Measured:
    """Return the figures that the program printed."""
    return {
        (result["name"], result["nodes"], _is_sampled(result)): result["cpu_ms_per_decision"]["median"]
        for result in json.loads(printed)["results"]
    }


def _is_sampled(result: dict[str, object]) -> bool:
    return result["percentage_of_nodes_to_score"] == 0 or result.get("preemption_sampling") == "default"


def _built(source: Path, folder: Path) -> Path:
    program = folder / "peer"
    subprocess.run(["go", "build", "-o", program, "."], cwd=source, check=True)
    return program
