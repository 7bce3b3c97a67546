"""Which recorded cases `make test` plays: those that together show all that any of them shows.

    .venv/bin/python -m tests.chosen_cases

plays every case in `tests/vectors/` under branch coverage and writes `tests/vectors/chosen.json`:

- `decided`: of each scheduler (and release of kube-scheduler), cases by which every branch of the engine
  that any case takes is taken `THRICE`, or as often as there are cases for it;
- `rest`: cases in which each field and each word of a closed set, of what is sent and of what is recorded,
  comes once. Through REST a case is imported, stored and read; its decisions are those of `decided`.

Cases are taken greedily, the one first that adds most for its size. To be made anew when vectors or the
engine have changed; EVERY_CASE=1 plays all cases.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import coverage
import msgspec
import numpy as np

from recorded.decide import decide
from tests.api.recorded import FAMILIES, OF_RELEASES
from tests.api.recorded_sessions import FAMILIES as OF_SESSIONS
from tests.portions import CHOSEN, VECTORS, recorded_cases

THRICE = 3
FOLDERS = ("volcano", *sorted(folder.name for folder in VECTORS.glob("kube*")))
NAMED = re.compile(r"[a-z][A-Za-z]*(\.[a-z0-9.-]+/[a-zA-Z.-]+)?")
"""Fields and well-known labels; other keys are names that the recording made up."""
CLOSED = {
    "kind", "reason", "phase", "result", "type", "operator", "effect", "action", "name", "policy", "event",
}  # fmt: skip
"""Fields whose words are of a closed set; of `name` those that plugins and actions have."""
BASE_BYTES = 20_000
"""A case costs something however small it is: as much as one of so many bytes more."""
WORD = re.compile(r"[A-Za-z]+")

Key = tuple[str, str]
"""Family, as `kube/preempt`, and id of a case."""
Chosen = dict[str, list[str]]
"""Ids by family."""


def main() -> None:
    chosen = {"decided": _decided(), "rest": _rest()}
    CHOSEN.write_text(json.dumps(chosen, indent=1) + "\n")


def _decided() -> Chosen:
    found: list[Key] = []
    for folder in FOLDERS:
        met = _Met()
        for path in sorted((VECTORS / folder).glob("*.jsonl.gz")):
            met.add_family(f"{folder}/{path.name.split('.')[0]}", _branches)
        found += _told(folder, met, _covering(met, THRICE))
    return _by_family(found)


def _rest() -> Chosen:
    of_kube = [family if "/" in family else f"kube/{family}" for family in (*FAMILIES, "gangs", *OF_RELEASES)]
    found: list[Key] = []
    for families in (of_kube, [f"volcano/{family}" for family in OF_SESSIONS]):
        met = _Met()
        for family in families:
            met.add_family(family, _shapes)
        found += _told("through REST", met, _covering(met, 1))
    return _by_family(found)


def _told(what: str, met: "_Met", taken: set[Key]) -> set[Key]:
    print(f"{what}: {len(taken)} of {len(met.sizes)} cases", flush=True)
    return taken


def _by_family(keys: Iterable[Key]) -> Chosen:
    chosen: Chosen = {}
    for family, case_id in sorted(keys):
        chosen.setdefault(family, []).append(case_id)
    return chosen


class _Met:
    """What each case shows, as numbers: a set of tuples for each would take gigabytes."""

    def __init__(self) -> None:
        self.numbers: dict[Any, int] = {}
        self.shown: dict[Key, Any] = {}
        self.sizes: dict[Key, int] = {}

    def add_family(self, family: str, features_of: Callable[[dict[str, Any]], Iterable[Any]]) -> None:
        """Take in what each case of a family such as `kube/preempt` shows."""
        for case in recorded_cases(family):
            key = family, case["id"]
            numbers = [self.numbers.setdefault(one, len(self.numbers)) for one in set(features_of(case))]
            self.shown[key] = np.array(numbers, dtype=np.int32)
            self.sizes[key] = len(msgspec.json.encode(case))


def _branches(case: dict[str, Any]) -> Iterator[tuple[str, int, int]]:
    """Every branch of the engine that the case takes, as (file, from line, to line)."""
    measured = coverage.Coverage(branch=True, source_pkgs=["scheduler_core", "recorded"], data_file=None)
    measured.set_option("run:disable_warnings", ["module-not-measured"])
    measured.start()
    try:
        decide({name: part for name, part in case.items() if name != "expect"})
    finally:
        measured.stop()
    data = measured.get_data()
    return ((file, *arc) for file in data.measured_files() for arc in data.arcs(file) or ())


def _shapes(case: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    """Every path of fields of the case, with the words of closed sets."""
    return _paths(case, ())


def _paths(value: Any, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _paths(part, (*path, key if NAMED.fullmatch(key) else "*"))
    elif isinstance(value, list):
        for part in value:
            yield from _paths(part, (*path, "[]"))
    elif path and path[-1] in CLOSED and isinstance(value, str) and WORD.fullmatch(value):
        yield (*path, value)
    else:
        yield (*path, type(value).__name__)


def _covering(met: _Met, often: int) -> set[Key]:
    """Cases by which each feature comes as often as asked, or as cases have it; one of a family at least."""
    left, taken, sizes = dict(met.shown), set(), met.sizes
    times = np.bincount(np.concatenate(list(left.values())), minlength=len(met.numbers))
    lacks = np.minimum(times, often)

    def take(key: Key) -> None:
        taken.add(key)
        lacks[left.pop(key)] -= 1

    for family in sorted({family for family, _ in left}):
        take(min((sizes[key], key) for key in left if key[0] == family)[1])
    while True:
        gains = {key: int(np.count_nonzero(lacks[shown] > 0)) for key, shown in left.items()}
        left = {key: shown for key, shown in left.items() if gains[key]}
        if not left:
            return taken
        take(max(left, key=lambda key: (gains[key] / (BASE_BYTES + sizes[key]), key)))


if __name__ == "__main__":
    main()
