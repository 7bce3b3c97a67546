"""Two runs that differ in the release of kube-scheduler alone: what the newer release changes for these pods.

A difference of the releases is named as one that mattered only where the first decision that differs shows
it: its plugin gives other points to a node, or judges one otherwise. All others are listed as possible.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec

from dashboard.errors import Refused
from dashboard.models import Run
from dashboard.queries.comparison import Differences
from dashboard.queries.comparison_rows import PodDifference, PodEnd
from dashboard.queries.comparison_words import different_settings
from dashboard.queries.replay import explanation
from dashboard.queries.session_words import pods_in_words
from scheduler_core.kube.framework_releases.between import ReleaseChange, changes_between
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES

KEPT = 16
"""First differences whose plugins are kept in memory."""

_AREAS = {"scores": ("scores",), "filter": ("filters", "preemption"), "dry run": ("preemption",)}
_PREEMPTION = "DefaultPreemption"

Parts = frozenset[tuple[str, str]]
"""Parts of an attempt and plugins whose answers differ there."""


class Releases(msgspec.Struct, frozen=True):
    """Two releases, run `a` under the first and `b` under the second.

    sentence: what changes. mattered: the differences that the first decision which differs shows; possible:
    the others, oldest first.
    """

    a: str
    b: str
    sentence: str
    mattered: list[ReleaseChange]
    possible: list[ReleaseChange]


def compared_releases(a: Run, b: Run, found: Differences) -> Releases | None:
    """Return what the release changes where nothing else differs and both runs finished; else None."""
    one, other = minors = [run.profile.removeprefix("kube-") for run in (a, b)]
    if different_settings(a, b) != ["profile"] or not all(minor in FRAMEWORK_RELEASES for minor in minors):
        return None
    if any(run.status != Run.Status.FINISHED for run in (a, b)):
        return None
    changes = changes_between(one, other)
    mattered = _mattered(changes, _differing(a, b, found))
    possible = [change for change in changes if change not in mattered]
    return Releases(one, other, _sentence(minors, found, mattered), mattered, possible)


def _sentence(minors: list[str], found: Differences, mattered: list[ReleaseChange]) -> str:
    """Say how many pods land elsewhere, because of what, and whether more wait."""
    moved = sum(_on_other_node(row) for row in found.pods)
    lands = f"{pods_in_words(moved)} {'lands on another node' if moved == 1 else 'land on other nodes'}"
    because = ""
    if mattered:
        names = dict.fromkeys(f"{change.plugin} (changed in {change.release})" for change in mattered)
        because = f", because of {' and '.join(names)}"
    more = sum(_waits(row.b) and not _waits(row.a) for row in found.pods)
    fewer = sum(_waits(row.a) and not _waits(row.b) for row in found.pods)
    waits = ["nobody more waits"]
    if more:
        waits = [f"{more:,} more {'pod waits' if more == 1 else 'pods wait'}"]
    if fewer:
        waits.append(f"{fewer:,} that waited {'does' if fewer == 1 else 'do'} not")
    what = lands if moved else "no pod lands on another node"
    return f"Under {minors[1]} instead of {minors[0]}, {what}{because}; {' and '.join(waits)}."


def _on_other_node(row: PodDifference) -> bool:
    if row.a is None or row.b is None:
        return False
    return row.a.place == row.b.place == "node" and row.a.node != row.b.node


def _waits(end: PodEnd | None) -> bool:
    return end is not None and end.place == "pending"


def _mattered(changes: list[ReleaseChange], differing: Parts) -> list[ReleaseChange]:
    return [
        change
        for change in changes
        if any(change.plugin == plugin and change.area in _AREAS[part] for part, plugin in differing)
    ]


def _differing(a: Run, b: Run, found: Differences) -> Parts:
    """Return whose answers differ at the first decision that differs; nothing where that can't be told."""
    first = found.first
    if first is None or first.a is None or first.b is None:
        return frozenset()
    if first.a.kind != "attempt" or first.a.uid != first.b.uid:
        return frozenset()
    try:
        return _differing_at(_Named.of(a), _Named.of(b), first.a.seq)
    except Refused:  # too long a way, or recorded by another engine
        return frozenset()


class _Named(NamedTuple):
    """A run, by what no other one ever has."""

    pk: int
    created: str

    @classmethod
    def of(cls, run: Run) -> "_Named":
        return cls(run.pk, run.created_at.isoformat())


@lru_cache(maxsize=KEPT)
def _differing_at(a: _Named, b: _Named, seq: int) -> Parts:
    sides = [explanation(Run.objects.get(pk=one.pk), seq) for one in (a, b)]
    if sides[0] is None or sides[1] is None:
        return frozenset()
    return differing_plugins(sides[0], sides[1])


def differing_plugins(a: Mapping[str, Any], b: Mapping[str, Any]) -> Parts:
    """Return in which parts of an attempt, explained in full by both runs, which plugins differ.

    Points of nodes that both score count, unless a plugin gives all of them as much more or less. So do
    verdicts on nodes that both looked at. What a dry run comes to counts only where verdicts are the same,
    since it follows from them.
    """
    scores = _preferring_others(a["scores"], b["scores"])
    verdicts = _differing_in(a["filter"], b["filter"], _verdict)
    found = {("scores", plugin) for plugin in scores} | {("filter", plugin) for plugin in verdicts}
    if not verdicts and _came_to(a) != _came_to(b):
        found.add(("dry run", _PREEMPTION))
    return frozenset(found)


def _differing_in(
    one: Mapping[str, Any], other: Mapping[str, Any], answers: Callable[[Any], dict[str, Any]]
) -> set[str]:
    found = set()
    for node in one.keys() & other.keys():
        here, there = answers(one[node]), answers(other[node])
        found |= {plugin for plugin in here.keys() | there.keys() if here.get(plugin) != there.get(plugin)}
    return found


def _preferring_others(one: Mapping[str, Any], other: Mapping[str, Any]) -> set[str]:
    """Return the plugins whose points set the nodes that both score apart in another way."""
    both = sorted(one.keys() & other.keys())
    here, there = ([side[node]["plugins"] for node in both] for side in (one, other))
    found = set()
    for plugin in {name for points in (*here, *there) for name in points}:
        pairs = zip(here, there, strict=True)
        more = {mine.get(plugin, 0) - theirs.get(plugin, 0) for mine, theirs in pairs}
        if len(more) > 1 or (len(both) == 1 and more != {0}):
            found.add(plugin)
    return found


def _came_to(attempt: Mapping[str, Any]) -> Any:
    """Return on which nodes evictions would help, and which was nominated."""
    dry_run = attempt.get("dry_run")
    return dry_run and (sorted(dry_run["candidates"]), dry_run["nominated"])


def _verdict(status: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the rejection's code by its plugin. Reasons are words: they decide nothing."""
    return {status["plugin"]: status["code"]} if status else {}
