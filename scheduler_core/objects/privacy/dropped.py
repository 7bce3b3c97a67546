"""The list of what was dropped: by place and field, with counts, short enough to be read."""

import re
from collections import Counter, defaultdict
from typing import Any

SHOWN = 12
"""How many names a line has at most."""
SHOWN_LINES = 60
OTHERS = "others"

Counts = tuple[tuple[tuple[Any, int], ...], ...]
"""What a `Dropped` has counted: of equal objects the same."""

_NAME = re.compile(r"[A-Za-z0-9]([-A-Za-z0-9._/]{0,98}[A-Za-z0-9])?", re.ASCII)
_OBJECTS = {"Secret": ("Secret", "Secrets"), "Config": ("kubeconfig", "kubeconfigs")}


class Dropped:
    """Counts what is dropped: whole objects, fields by place, and objects of which only the metadata stay."""

    def __init__(self) -> None:
        # There is one of these for each object of an import: a Counter takes ten times as long to make.
        self._objects: dict[str, int] = defaultdict(int)
        self._fields: dict[tuple[str, str], int] = defaultdict(int)
        self._rests: dict[str, int] = defaultdict(int)

    def count_object(self, kind: str) -> None:
        """Count an object that was dropped as a whole."""
        self._objects[kind] += 1

    def count_field(self, place: str, name: str) -> None:
        """Count a field that was dropped; `place` is the path of what it stood in, such as `pod spec`."""
        self._fields[place, name] += 1

    def count_rest(self, kind: str) -> None:
        """Count an object of a kind that nothing reads, of which only the metadata were kept."""
        self._rests[kind] += 1

    def counts(self) -> Counts:
        """Return all that was counted, to be added to others."""
        return tuple(self._objects.items()), tuple(self._fields.items()), tuple(self._rests.items())

    def add(self, counts: Counts, times: int = 1) -> None:
        """Count what others did, so many times."""
        counters: tuple[dict[Any, int], ...] = (self._objects, self._fields, self._rests)
        for counter, others in zip(counters, counts, strict=True):
            for key, number in others:
                counter[key] += number * times

    def phrases(self) -> list[str]:
        """Return what was dropped, a line for each place: `pod spec.containers[]: command (3), args (1)`."""
        lines = [
            f"{number:,} {names[number != 1]}"
            for kind, names in _OBJECTS.items()
            if (number := self._objects.get(kind))
        ]
        places: dict[str, Counter[str]] = {}
        for (place, name), count in sorted(self._fields.items()):
            places.setdefault(place, Counter())[name] = count
        lines += [f"{place}: {_listed(counts)}" for place, counts in places.items()]
        if self._rests:
            number = sum(self._rests.values())
            objects = "object" if number == 1 else "objects"
            lines.append(f"all but the metadata of {number:,} {objects}: {_listed(self._rests)}")
        if len(lines) > SHOWN_LINES:
            lines[SHOWN_LINES:] = [f"and more in {len(lines) - SHOWN_LINES} other places"]
        return lines


def with_more(lines: list[str], others: list[str]) -> list[str]:
    """Return phrases with those names of other ones that they lack; the counts are those of the first."""
    known = dict(map(_split, lines))
    for line in others:
        place, names = _split(line)
        lacking = [name for name in names if _plain(name) not in map(_plain, known.get(place, []))]
        known[place] = [*known.get(place, []), *lacking]
    return [f"{place}: {', '.join(names)}" if names else place for place, names in known.items()]


def _split(line: str) -> tuple[str, list[str]]:
    place, colon, names = line.rpartition(": ")
    return (place, names.split(", ")) if colon else (line, [])


def _plain(name: str) -> str:
    return name.partition(" (")[0]


def shown_name(name: str) -> str:
    """Return a name as it may stand in the list; what is no plain name may be private itself."""
    return name if _NAME.fullmatch(name) else OTHERS


def _listed(counts: dict[str, int]) -> str:
    """Return names with counts, the most frequent first."""
    shown: Counter[str] = Counter()
    for name, count in counts.items():
        shown[shown_name(name)] += count
    ranked = sorted(shown.items(), key=lambda entry: (-entry[1], entry[0]))
    rest = len(ranked) - SHOWN
    more = [f"and {rest} more"] if rest > 0 else []
    return ", ".join([*(f"{name} ({count:,})" for name, count in ranked[:SHOWN]), *more])
