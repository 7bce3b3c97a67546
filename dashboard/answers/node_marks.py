"""What a map shows of each node for which a pod does not fit: the kind of its mark, and the words for it.

The snapshot's map and the debugger's draw these marks, each in its own way; both say the same.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import msgspec

from dashboard.answers.why_words import ROOM, words_of_held
from scheduler_core.schedulers.cause import Answered, Held

MarkKind = Literal["fits", "near", "middle", "far", "closed", "closed-full", "cordoned"]
NEAR, MIDDLE = 100, 500
"""In thousandths of what is asked for: what is short up to here has a larger mark."""
_AMOUNTS: dict[MarkKind, tuple[str, str]] = {
    "near": ("short by up to 10 % of what it asks", ""),
    "middle": ("short by up to 50 % of what it asks", "up to 50 %"),
    "far": ("short by more than 50 % of what it asks", "more"),
}
"""What marks of amounts mean: the words of the first one that there is, and those of one behind another."""
_LEGEND: dict[MarkKind, str] = {
    "fits": "fits",
    "near": "",
    "middle": "",
    "far": "",
    "closed": "has room, refused for something else",
    "closed-full": "without room, and refused for something else",
    "cordoned": "cordoned",
}
"""What each kind of mark means, in the order in which they are explained; amounts have words of their own."""
_TOLD = 3
_CORDONED = frozenset({"NodeUnschedulable", "CheckNodeUnschedulable"})


class NodeMarks(msgspec.Struct, frozen=True):
    """Every node's part in a cause, column by column: the first of each is about `nodes[0]`.

    titles: what each of the cause's `held` is about, as it stands inside of a sentence. first: the place in
    it of what rejects the pod first, -1 where it fits. number: how many things stand against the pod. short:
    how much of what is asked for is missing of the scarcest resource, in thousandths, rounded up. rank: its
    place among all, the nearest first. nearest: the node that comes nearest, empty for none. legend: what
    the kinds that are there mean.
    """

    nodes: list[str]
    kinds: list[MarkKind]
    titles: list[str]
    first: list[int]
    number: list[int]
    short: list[int]
    rank: list[int]
    nearest: str
    legend: list[tuple[MarkKind, str]]


def node_marks(answered: Answered) -> NodeMarks | None:
    """Return what a map shows of an answer; None where it is not about nodes."""
    marks, cause = answered.marks, answered.cause
    if not marks.names:
        return None
    first, short = marks.first.tolist(), marks.short.tolist()
    kinds = [_kind(cause.held, by, missing) for by, missing in zip(first, short, strict=True)]
    return NodeMarks(
        marks.names,
        kinds,
        [_inside(words_of_held(held).title) for held in cause.held],
        first,
        marks.number.tolist(),
        short,
        marks.rank.tolist(),
        cause.nearest[0].node if cause.nearest else "",
        _legend(set(kinds)),
    )


def _legend(seen: set[MarkKind]) -> list[tuple[MarkKind, str]]:
    amounts = [kind for kind in _AMOUNTS if kind in seen]
    words = {kind: _AMOUNTS[kind][kind != amounts[0]] for kind in amounts}
    return [(kind, words.get(kind, said)) for kind, said in _LEGEND.items() if kind in seen]


def of_one(title: str, number: int) -> str:
    """Return what is said of one node: what rejects the pod first there, of so many things against it."""
    if not title:
        return "fits"
    others = f", and {number - 1} other {'reason' if number == 2 else 'reasons'}" if number > 1 else ""
    return f"{title}{others}"


def counted(titles: Counter[str]) -> str:
    """Return on how many nodes it is how: "fits on 6, cordoned on 1"; those that fit have no title.

    The numbers add up to all: past the first few it is something else.
    """
    if len(titles) == 1:
        [title] = titles
        if titles.total() == 1:
            return title or "fits"
        return f"all: {title}" if title else "all fit"
    told = [(title or "fits", count) for title, count in titles.most_common(_TOLD)]
    if others := titles.total() - sum(count for _, count in told):
        told.append(("something else", others))
    return ", ".join(f"{title} on {count:,}" for title, count in told)


def _kind(held: list[Held], first: int, short: int) -> MarkKind:
    """Return how a node is drawn: by who rejects first, and for lack of room by how much is short."""
    if first < 0:
        return "fits"
    if held[first].plugin in ROOM:
        return "near" if short <= NEAR else "middle" if short <= MIDDLE else "far"
    if held[first].plugin in _CORDONED:
        return "cordoned"
    return "closed-full" if short else "closed"


def _inside(title: str) -> str:
    """Return a title as it stands inside of a sentence; names of plugins and extenders stay as they are."""
    return title[:1].lower() + title[1:] if title[1:] == title[1:].lower() else title
