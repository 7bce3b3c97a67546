"""``python -m benchmarks.proof``: whole predictions of fresh clusters, held against a real control plane.

Each case is played once there and once by the engine. Where the two differ, it is played there again: what
then comes out otherwise hangs on chance and proves nothing. `CLUSTER_PEER`: see control_plane.py.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from benchmarks.proof.cases import KINDS, cases
from benchmarks.proof.control_plane import ControlPlane, running
from recorded.cluster_cases import expected, play
from scheduler_core.objects.problems import BadInput

Object = dict[str, Any]
VERDICTS = ("agree", "differ", "chance", "refused", "not played")
"""The same outcome, another one, none that is certain; refused by the engine, failed on the other side."""


def main() -> int:
    """Play, print a line a case and a table of kinds; return 1 if anything differs."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.proof", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2 * len(KINDS), help="how many cases (two of each kind)")
    parser.add_argument("--only", nargs="*", help="kinds: " + ", ".join(KINDS))
    parser.add_argument("--again", type=int, default=3, help="how often what differs is played again (3)")
    parser.add_argument("--out", type=Path, help="a file for cases that differ, one a line, as recorded")
    chosen = parser.parse_args()
    peer = os.environ.get("CLUSTER_PEER")
    if peer is None:
        parser.error("CLUSTER_PEER must name the folder of a program that runs a real control plane")
    sums: Counter[tuple[str, str]] = Counter()
    with running(Path(peer).resolve()) as control_plane:
        for case in cases(chosen.seed, chosen.count):
            if chosen.only and case["kind"] not in chosen.only:
                continue
            verdict, lines, recorded = judged(case, control_plane, chosen.again)
            sums[case["kind"], verdict] += 1
            print(f"{verdict:10} {case['id']} ({case['about']})", *lines, sep="\n    ", flush=True)
            if chosen.out and verdict == "differ":
                with chosen.out.open("a") as file:
                    file.write(json.dumps(recorded) + "\n")
    print(*table(sums), sep="\n")
    return int(any(verdict in ("differ", "refused") for _, verdict in sums))


def judged(case: Object, control_plane: ControlPlane, again: int) -> tuple[str, list[str], Object | None]:
    """Return the verdict on a case, what it rests on in words, and the case as it was recorded."""
    recorded, said = control_plane.play(case)
    if recorded is None:
        return "not played", said.splitlines()[-1:], None
    try:
        ours = play(recorded)
    except BadInput as refusal:
        return "refused", [str(problem) for problem in refusal.problems], recorded
    lines = list(differences(expected(recorded), ours))
    if not lines:
        return "agree", [], recorded
    if again and control_plane.play(case, times=again)[0] is None:
        return "chance", ["comes out otherwise each time", *lines], recorded
    return "differ", lines, recorded


def differences(theirs: Mapping[str, Any], ours: Mapping[str, Any]) -> Iterator[str]:
    """Yield in words what differs: of each workload field by field, then who was lost where, and budgets."""
    for key in sorted({*theirs["workloads"], *ours["workloads"]}):
        there, here = theirs["workloads"].get(key, {}), ours["workloads"].get(key, {})
        for field in sorted({*there, *here}):
            one, other = there.get(field), here.get(field)
            if one != other:
                yield f"{key} {field}: there {json.dumps(one)}, here {json.dumps(other)}"
    for key in sorted({*theirs["lost"], *ours["lost"]}):
        there, here = theirs["lost"].get(key), ours["lost"].get(key)
        if there != here:
            yield f"{key} lost: there {json.dumps(there)}, here {json.dumps(here)}"
    for key in sorted({*theirs["budgets"], *ours["budgets"]}):
        there, here = theirs["budgets"].get(key), ours["budgets"].get(key)
        if there != here:
            yield f"budget {key}: there {json.dumps(there)}, here {json.dumps(here)}"


def table(sums: Mapping[tuple[str, str], int]) -> Iterator[str]:
    """Yield the lines of a table: how many cases of each kind had which verdict."""
    yield "".join([f"{'kind':18}", *(f"{verdict:>12}" for verdict in VERDICTS)])
    for kind in [kind for kind in KINDS if any(one == kind for one, _ in sums)]:
        yield "".join([f"{kind:18}", *(f"{sums.get((kind, verdict), 0):12}" for verdict in VERDICTS)])
    total = (sum(number for (_, one), number in sums.items() if one == verdict) for verdict in VERDICTS)
    yield "".join([f"{'together':18}", *(f"{number:12}" for number in total)])


if __name__ == "__main__":
    sys.exit(main())
