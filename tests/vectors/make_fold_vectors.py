"""Write the vectors by which both folds, in Python and in the browser, are held to the engine.

`python -m tests.vectors.make_fold_vectors` plays a few recorded clusters and stores base, decisions and the
engine's own state after each of them.
"""

import gzip
import json
from pathlib import Path

import msgspec

from scheduler_core.world import RunInput, Simulation

HERE = Path(__file__).parent
CASES = [
    ("kube", "gates", 3, {}),
    ("kube", "pdb", 1, {}),
    ("kube", "nominated", 2, {}),
    ("kube-1.11", "grace", 2, {"profile": "kube-1.11", "driver": "grace"}),
]
"""Folder, family, number of the case, and what decides."""


def main() -> None:
    """Write one file a family."""
    for folder, family, number, settings in CASES:
        with gzip.open(HERE / folder / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
            case = [json.loads(line) for line in lines][number]
        simulation = Simulation(
            RunInput(objects=case["cluster"]["items"], schedule=case["schedule"], **settings)
        )
        decisions, states = [], {"0": msgspec.to_builtins(simulation.base)}
        for decision in simulation:
            decisions.append(msgspec.to_builtins(decision))
            states[str(decision.seq)] = msgspec.to_builtins(simulation.state())
        vector = {"base": states["0"], "decisions": decisions, "states": states}
        target = HERE / "fold" / f"{family}.json"
        target.write_text(json.dumps(vector, separators=(",", ":"), sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
