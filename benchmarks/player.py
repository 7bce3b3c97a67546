"""Plays runs with the engine of whatever tree PYTHONPATH names; told by lines of JSON, for `beside.py`."""

import json
import sys
import time
from typing import Any

try:
    from scheduler_core.world import RunInput, Simulation
except ImportError:  # A tree from before the engine was laid out anew.
    from scheduler_core.simulation import RunInput, Simulation


def play(simulation: Any, decisions: int) -> float:
    """Take so many decisions and return their CPU seconds."""
    start = time.process_time()
    for _ in range(decisions):
        if simulation.step() is None:
            raise SystemExit("the run ended too early")
    return time.process_time() - start


def main() -> None:
    """Build what is asked for and play what is asked for; answer each with a line."""
    simulation = None
    for line in sys.stdin:
        asked = json.loads(line)
        if "play" in asked:
            answer = play(simulation, asked["play"])
        else:
            simulation, answer = Simulation(RunInput(**asked)), 0.0
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
