"""Why a pod does not fit on one node: what each plugin that has something against it anywhere says there."""

from __future__ import annotations

from typing import NamedTuple

from dashboard.answers.sentence import Name, Place, Sentence, number, sentence, strong
from dashboard.answers.why_words import words_of_held
from scheduler_core.events.explanation import Figure
from scheduler_core.schedulers.cause import Answered

_NAMED = 3


class Asked(NamedTuple):
    """What a plugin says of the node; `figure` where it is about an amount."""

    who: str
    title: str
    rejects: bool
    figure: Figure | None


class OfNode(NamedTuple):
    """What is said of a node that somebody named; no steps where there is none of the name."""

    says: Sentence
    steps: list[Asked]


def of_node(answered: Answered, named: str, snapshot: int) -> OfNode:
    """Return what stands against the pod on the node of this name, or whose name alone has this in it."""
    found = _named(answered.marks.names, named)
    if not found:
        return OfNode(sentence("There is no node ", strong(named), "."), [])
    if len(found) > 1:
        first = ", ".join(found[:_NAMED])
        more = f" and {len(found) - _NAMED:,} more" if len(found) > _NAMED else ""
        return OfNode(
            sentence(number(len(found), "node"), " have ", strong(named), f" in their names: {first}{more}."),
            [],
        )
    steps = _steps(answered, answered.marks.names.index(found[0]))
    against = sum(one.rejects for one in steps)
    node = Name("node", found[0], at=Place(snapshot=snapshot))
    if not against:
        return OfNode(sentence("Would fit on ", node, "."), steps)
    things = strong("1 reason" if against == 1 else f"{against:,} reasons")
    return OfNode(sentence("Does not fit on ", node, ", for ", things, "."), steps)


def _named(names: list[str], named: str) -> list[str]:
    return [named] if named in names else sorted(name for name in names if named in name)


def _steps(answered: Answered, row: int) -> list[Asked]:
    held = answered.cause.held
    return [
        Asked(
            "extender" if "://" in held[one.place].plugin else held[one.place].plugin,
            words_of_held(held[one.place]).title,
            bool(one.mask[row]),
            None if one.wanted is None else one.wanted.at(row),
        )
        for one in answered.marks.against
    ]
