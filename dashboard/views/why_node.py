"""Why a pod does not fit on one node: what each plugin that has something against it anywhere says there."""

from __future__ import annotations

from typing import NamedTuple

from dashboard.answers.answer import Line
from dashboard.answers.devices_tried import devices_tried
from dashboard.answers.sentence import Name, Place, Sentence, number, sentence, strong
from dashboard.answers.why_words import DEVICES, words_of_held
from dashboard.first_few import first_few
from dashboard.models import Snapshot
from dashboard.natural_order import natural_key
from dashboard.services.questions.of_snapshot import devices_asked
from scheduler_core.events.explanation import Figure
from scheduler_core.schedulers.cause import Against, Answered, Held

_NAMED = 3


class PluginAnswer(NamedTuple):
    """What a plugin says of the node; `figure` where it is about an amount."""

    who: str
    title: str
    rejects: bool
    figure: Figure | None


class OfNode(NamedTuple):
    """What is said of a node that somebody named; no steps where there is none of the name.

    devices: what came of each device of it, where devices stand against the pod; None while that isn't known.
    """

    says: Sentence
    steps: list[PluginAnswer]
    node: str = ""
    devices: list[Line] | None = None
    has_devices: bool = False


def of_node(answered: Answered, named: str, snapshot: int) -> OfNode:
    """Return what stands against the pod on the node of this name, or whose name alone has this in it."""
    found = _named(answered.marks.names, named)
    if not found:
        return OfNode(sentence("There is no node ", strong(named), "."), [])
    if len(found) > 1:
        names = f" in their names: {first_few(found, _NAMED)}."
        return OfNode(sentence(number(len(found), "node"), " have ", strong(named), names), [])
    steps = _steps(answered, answered.marks.names.index(found[0]))
    against = sum(one.rejects for one in steps)
    node = Name("node", found[0], at=Place(snapshot=snapshot))
    has_devices = any(one.who == DEVICES for one in steps)
    if not against:
        said = sentence("Would fit on ", node, ".")
    else:
        things = strong("1 reason" if against == 1 else f"{against:,} reasons")
        said = sentence("Does not fit on ", node, ", for ", things, ".")
    return OfNode(said, steps, found[0], has_devices=has_devices)


def with_devices(one: OfNode, snapshot: Snapshot, pod: str) -> OfNode:
    """Return the same with what came of each device for a pod (uid), as far as that is known by now."""
    told = devices_asked(snapshot, pod, one.node)
    if not told.is_ready:
        return one
    found = told.answer.devices if told.answer is not None else None
    return one._replace(devices=[] if found is None else devices_tried(found, one.node))


def _named(names: list[str], named: str) -> list[str]:
    return [named] if named in names else sorted((name for name in names if named in name), key=natural_key)


def _steps(answered: Answered, row: int) -> list[PluginAnswer]:
    return [_step(answered.cause.held[one.place], one, row) for one in answered.marks.against]


def _step(held: Held, one: Against, row: int) -> PluginAnswer:
    """Return what a plugin says: words for what it lacks elsewhere do not stand beside a node that has it."""
    rejects = bool(one.mask[row])
    figure = None if one.wanted is None else one.wanted.at(row)
    lets_pass = "nothing against it" if figure is None else figure.what
    return PluginAnswer(
        "extender" if "://" in held.plugin else held.plugin,
        words_of_held(held).title if rejects else lets_pass,
        rejects,
        figure,
    )
