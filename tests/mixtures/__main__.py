"""``python -m tests.mixtures``: ask a real scheduler about mixtures, and show where the engine differs.

`KUBE_PEER` names a program that reads cases, one a line, and answers each as `python -m scheduler_core
decide` does: the scheduler that the engine is held to.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from recorded.decide import decide
from tests.mixtures.mixing import Case, mixtures
from tests.mixtures.queue_operations import queue_cases
from tests.mixtures.timelines import timed_cases

VECTORS = Path(__file__).parents[1] / "vectors"


def main() -> int:
    """Compare, print the first differences and the sums; return 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.mixtures", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="how many mixtures (500)")
    parser.add_argument(
        "--of", default="kube", help="whose recorded cases are mixed: kube (1.36), kube-1.9 …"
    )
    parser.add_argument(
        "--queue", action="store_true", help="make up operations on the scheduling queue of 1.36"
    )
    parser.add_argument("--timed", action="store_true", help="make up timelines for 1.36 in virtual time")
    chosen = parser.parse_args()
    peer = os.environ.get("KUBE_PEER")
    if peer is None:
        parser.error("KUBE_PEER must name the program that asks the real scheduler")
    make = queue_cases if chosen.queue else timed_cases if chosen.timed else mixtures
    cases = list(make(recorded(VECTORS / chosen.of), chosen.seed, chosen.count))
    sums: Counter[str] = Counter()
    for case, theirs in zip(cases, ask(peer, cases), strict=True):
        found = compare(theirs, json.loads(json.dumps({"expect": decide(case)})))
        sums[found or "identical"] += 1
        if found == "different":
            print(f"{case['id']}: {first_difference(theirs['expect'], decide(case))}")
    print(", ".join(f"{number} {what}" for what, number in sums.most_common()))
    return int(sums["different"] > 0)


def recorded(folder: Path, *families: str) -> list[Case]:
    """Return the recorded cases of a folder that can be mixed, of these families or all.

    Those of the queue schedule nothing, and the answers of extenders are about their own clusters.
    """
    cases: list[Case] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        if families and path.name.split(".")[0] not in families:
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            cases += [case for case in map(json.loads, lines) if not {"ops", "extenders"} & case.keys()]
    return cases


def ask(peer: str, cases: list[Case]) -> list[dict[str, Any]]:
    """Return the real scheduler's answers. Raises CalledProcessError where the program fails."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    answered = subprocess.run([peer, "decide"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answered.stdout.splitlines()]


def compare(theirs: dict[str, Any], ours: dict[str, Any]) -> str:
    """Return what came of it: an empty text if both say the same."""
    if "error" in theirs:
        return "refused by the real scheduler"
    return "" if in_any_order(theirs["expect"]) == in_any_order(ours["expect"]) else "different"


def in_any_order(answer: Any) -> Any:
    """Return an answer with reasons sorted: a node's missing extended resources are named by chance."""
    if isinstance(answer, dict):
        return {
            key: sorted(value) if key == "reasons" else in_any_order(value) for key, value in answer.items()
        }
    return [in_any_order(value) for value in answer] if isinstance(answer, list) else answer


def first_difference(theirs: Any, ours: Any, path: str = "") -> str:
    """Return where two answers first differ, and what each says there."""
    if isinstance(theirs, dict) and isinstance(ours, dict) and theirs.keys() == ours.keys():
        pairs = [(f"{path}.{key}", theirs[key], ours[key]) for key in theirs]
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = [(f"{path}[{place}]", *pair) for place, pair in enumerate(zip(theirs, ours, strict=True))]
    else:
        return f"{path.lstrip('.')}: {json.dumps(theirs)[:300]} (real) {json.dumps(ours)[:300]} (engine)"
    for inner, their_value, our_value in pairs:
        if in_any_order(their_value) != in_any_order(our_value):
            return first_difference(their_value, our_value, inner)
    return f"{path}: the order alone"


if __name__ == "__main__":
    sys.exit(main())
