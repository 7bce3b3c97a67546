"""``python -m tests.mixtures``: ask a real scheduler about mixtures, and show where the engine differs.

`KUBE_PEER` names a program that reads cases, one a line, and answers each as `python -m scheduler_core
decide` does: the scheduler that the engine is held to. With `--release` it makes the mixtures its own
release's too, with `adapt`: as an API server of that release would have them.
"""

import argparse
import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from recorded.decide import decide
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.plugins.dynamic_resources import DynamicResources
from scheduler_core.kube.release import Release
from tests.mixtures.many_nodes import with_many_nodes
from tests.mixtures.mixing import Case, mixtures
from tests.mixtures.of_releases import FAMILIES, as_told, without_devices
from tests.mixtures.queue_operations import playable, queue_cases
from tests.mixtures.timelines import timed_cases

VECTORS = Path(__file__).parents[1] / "vectors"
MADE_FOR_ONE = 7
"""An API server refuses most mixtures: so many are made for each that it takes."""


def main() -> int:
    """Compare, print the first differences and the sums; return 1 if anything differs."""
    chosen = _options()
    cases = list(made(chosen))
    if chosen.release is not None:
        cases = ask(chosen.peer, cases, "adapt")
        cases = cases if chosen.family is not None else cases[: chosen.count]
    sums: Counter[str] = Counter()
    steps = 0
    for case, theirs in zip(cases, ask(chosen.peer, cases), strict=True):
        if "error" in theirs:
            sums["refused by the real scheduler"] += 1
            continue
        theirs, ours = as_told_of(chosen.release, theirs), as_told_of(chosen.release, decided(case))
        sums["identical" if are_same(theirs, ours) else "different"] += 1
        if not are_same(theirs, ours):
            print(f"{case['id']}: {first_difference(theirs['expect'], ours['expect'])}")
        steps += sum(len(ours["expect"].get(key, ())) for key in ("cycles", "steps"))
    print(", ".join(f"{number} {what}" for what, number in sums.most_common()), f"({steps} steps)")
    return int(sums["different"] > 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.mixtures", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=500, help="how many mixtures (500)")
    parser.add_argument(
        "--of", default="kube", help="whose recorded cases are mixed: kube (1.36), kube-1.9 …"
    )
    parser.add_argument(
        "--release", choices=FRAMEWORK_RELEASES, help="make the cases of 1.36 another release's"
    )
    parser.add_argument("--family", help="ask a recorded family as it is, such as queue_hints, of a release")
    parser.add_argument("--queue", action="store_true", help="make up operations on the scheduling queue")
    parser.add_argument("--timed", action="store_true", help="make up timelines in virtual time")
    parser.add_argument("--gangs", action="store_true", help="with --timed: pods of pod groups")
    parser.add_argument(
        "--many-nodes",
        action="store_true",
        help="of 1.36: more than a hundred nodes, some of which are scored",
    )
    chosen = parser.parse_args()
    chosen.peer = os.environ.get("KUBE_PEER")
    if chosen.peer is None:
        parser.error("KUBE_PEER must name the program that asks the real scheduler")
    return chosen


def made(chosen: argparse.Namespace) -> Iterator[Case]:
    """Yield the cases that were asked for, more where another release is to refuse some of them."""
    make: Callable[[list[Case], int, int], Iterator[Case]] = mixtures
    if chosen.timed:
        make = partial(timed_cases, gangs=chosen.gangs)
    if chosen.release is None:
        cases = recorded(VECTORS / chosen.of)
        found = (queue_cases if chosen.queue else make)(cases, chosen.seed, chosen.count)
        if chosen.timed:  # by the clock the program stores no claims for devices
            found = map(without_devices, found)
        return with_many_nodes(found, chosen.seed) if chosen.many_nodes else found
    if chosen.family is not None:
        return of_family(VECTORS / chosen.of, chosen.family, chosen.release)
    release, cases = FRAMEWORK_RELEASES[chosen.release], recorded(VECTORS / chosen.of, *FAMILIES)
    if chosen.queue:
        found = queue_cases(cases, chosen.seed, chosen.count, release)
    else:
        found = make(cases, chosen.seed, chosen.count if chosen.timed else MADE_FOR_ONE * chosen.count)
    return found if _has_devices(release) else map(without_devices, found)


def of_family(folder: Path, family: str, minor: str) -> Iterator[Case]:
    """Yield the recorded cases of a family without their answers, for a release."""
    release = FRAMEWORK_RELEASES[minor]
    with gzip.open(folder / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for case in map(json.loads, lines):
            case["id"] = f"kube/{family}/{case.pop('id').rpartition('/')[2]}"
            case.pop("expect")
            case = case if _has_devices(release) else without_devices(case)
            yield playable(case, release) if "ops" in case else case


def _has_devices(release: Release) -> bool:
    return DynamicResources.name in release.registry.by_name


def decided(case: Case) -> dict[str, Any]:
    """Return the engine's answer as it would be read."""
    answer: dict[str, Any] = json.loads(json.dumps({"expect": decide(case)}))
    return answer


def as_told_of(release: str | None, answer: dict[str, Any]) -> dict[str, Any]:
    """Return an answer without what the queue of the release does not tell."""
    told: dict[str, Any] = answer if release is None else as_told(answer, int(release.split(".")[1]))
    return told


def recorded(folder: Path, *families: str) -> list[Case]:
    """Return the recorded cases of a folder that can be mixed, of these families or all.

    Those of the queue schedule nothing, the answers of extenders are about their own clusters, and timelines
    of gangs are mixtures already.
    """
    cases: list[Case] = []
    for path in sorted(folder.glob("*.jsonl.gz")):
        family = path.name.split(".")[0]
        if (families and family not in families) or family == "gangs_timed":
            continue
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            cases += [case for case in map(json.loads, lines) if not {"ops", "extenders"} & case.keys()]
    return cases


def ask(peer: str, cases: list[Case], verb: str = "decide") -> list[dict[str, Any]]:
    """Return what the real scheduler's program makes of cases. Raises CalledProcessError where it fails."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    answered = subprocess.run([peer, verb], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in answered.stdout.splitlines()]


def are_same(theirs: dict[str, Any], ours: dict[str, Any]) -> bool:
    """Return whether both answers say the same."""
    return bool(in_any_order(theirs["expect"]) == in_any_order(ours["expect"]))


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
