"""Keeps where pods could be placed, by what they ask: only nodes that changed since are looked at again.

Nodes whose cards differ in their ids at most give the same answer to a pod that names no cards: one of
them is looked at for all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from itertools import count, filterfalse
from typing import NamedTuple

from scheduler_core.hami.asking import Ask, NodeInfo
from scheduler_core.hami.cards import Allocated
from scheduler_core.hami.charging import NodeUsage
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.placing import Placement, place
from scheduler_core.hami.policies import Weights
from scheduler_core.hami.quota import Quotas
from scheduler_core.hami.usage import Inventory, Registered
from scheduler_core.hami.words import NODE_UNREGISTERED

MOST_QUESTIONS = 256
MOST_CHANGES = 100_000
MOST_FORMS = 10_000
UNREGISTERED = Placement(None, reason=NODE_UNREGISTERED)


class Question(NamedTuple):
    """What a pod asks. `shares`: the answer hangs on no card's name; `key` is equal for equal questions."""

    ask: Ask
    weights: Weights
    shares: bool
    key: Hashable


class Judged(NamedTuple):
    """The scores of nodes that fit, and why others don't."""

    scores: dict[str, float]
    reasons: dict[str, str]


class _Looked(NamedTuple):
    """What was found by looking at a node; `cards` are its cards' ids if other nodes may share the answer."""

    placement: Placement
    cards: tuple[str, ...] | None = None


class _Known(NamedTuple):
    """The number of a node's form with what it was made of; `read` is None where a node names cards."""

    registered: Registered
    read: tuple[str | None, ...] | None
    usage: NodeUsage
    form: int | None


class _Answers:
    """The answers to one question, as of `seen` changes: by node, and by the form of nodes."""

    __slots__ = ("by_form", "by_node", "reasons", "scores", "seen")

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.by_node: dict[str, _Looked] = {}
        self.by_form: dict[int, _Looked] = {}
        self.scores: dict[str, float] = {}
        self.reasons: dict[str, str] = {}

    def keep(self, name: str, looked: _Looked) -> None:
        """Keep what was found for a node of which nothing is kept."""
        self.by_node[name] = looked
        placement = looked.placement
        if placement.devices is None:
            self.reasons[name] = placement.reason
        else:
            self.scores[name] = placement.score

    def forget(self, name: str) -> None:
        """Forget what is kept of a node."""
        if self.by_node.pop(name, None) is not None and self.scores.pop(name, None) is None:
            del self.reasons[name]

    def of(self, nodes: Sequence[str]) -> Judged:
        """Return what is kept of these nodes; those that are left out are few, as a rule."""
        scores, reasons, wanted = self.scores.copy(), self.reasons.copy(), set(nodes)
        if len(wanted) < len(self.by_node):
            for name in filterfalse(wanted.__contains__, self.by_node):
                if scores.pop(name, None) is None:
                    del reasons[name]
        return Judged(scores, reasons)


class Kept:
    """Placements by question; those of the question that was asked longest ago are forgotten first."""

    def __init__(
        self, inventory: Inventory, vendors: Mapping[str, Vendor], quotas: Quotas, memory: Memory
    ) -> None:
        self._inventory = inventory
        self._vendors = vendors
        self._quotas = quotas
        self._memory = memory
        self._answers: OrderedDict[Hashable, _Answers] = OrderedDict()
        self._forms: dict[Hashable, int] = {}
        self._numbers = count()
        self._known: dict[str, _Known] = {}
        self._node_reads = sorted({key for vendor in vendors.values() for key in vendor.node_reads})
        self._node_ids = sorted({key for vendor in vendors.values() for key in vendor.node_ids})

    def question(self, ask: Ask, weights: Weights) -> Question:
        """Return the question that a pod asks."""
        asked = dict.fromkeys(key for requests in ask.requests for key in requests)
        vendors = [self._vendors[key] for key in asked]
        annotations = ask.annotations
        wishes = [(key, annotations[key]) for vendor in vendors for key in vendor.reads if key in annotations]
        named = any(key in annotations for vendor in vendors for key in vendor.id_keys)
        remembers = any(vendor.fits_by_memory for vendor in vendors)
        limited = any(self._quotas.limits(ask.namespace, key) for key in asked)
        key = (
            tuple(tuple(requests.values()) for requests in ask.requests),
            ask.init_count,
            ask.gpu_policy,
            ask.node_policy,
            ask.numa_bind,
            weights,
            tuple(wishes),
            (ask.namespace, self._quotas.version) if limited else None,
            self._memory.version if remembers else None,
        )
        return Question(ask, weights, not named and not remembers, key)

    def judged(self, question: Question, nodes: Sequence[str]) -> Judged:
        """Return which of the nodes a pod fits on and why it doesn't on the others."""
        answers = self._answers_to(question.key)
        for name in filterfalse(answers.by_node.__contains__, nodes):
            answers.keep(name, self._look(question, name, answers.by_form))
        return answers.of(nodes)

    def given(self, question: Question, name: str) -> Allocated:
        """Return the cards that a pod gets on a node that was judged to fit."""
        found = self._answers_to(question.key).by_node.get(name)
        if found is None or found.cards is None:
            return self.exactly(question, name).devices or {}
        own = dict(zip(found.cards, _ids(self._inventory.usage(name)), strict=True))
        return {
            key: [[replace(taken, id=own[taken.id]) for taken in piece] for piece in pieces]
            for key, pieces in (found.placement.devices or {}).items()
        }

    def exactly(self, question: Question, name: str) -> Placement:
        """Return how a pod is placed on a node, with the node's own cards."""
        node = self._inventory.node(name)
        return UNREGISTERED if node is None else self._place(question, node)

    def clear(self) -> None:
        """Forget all answers."""
        self._answers.clear()
        self._inventory.changes.clear()

    def _answers_to(self, key: Hashable) -> _Answers:
        changes = self._inventory.changes
        if len(changes) > MOST_CHANGES:
            self._forget_old_changes()
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = _Answers(len(changes))
            if len(self._answers) > MOST_QUESTIONS:
                self._answers.popitem(last=False)
            return found
        self._answers.move_to_end(key)
        for name in changes[found.seen :]:
            found.forget(name)
        found.seen = len(changes)
        return found

    def _forget_old_changes(self) -> None:
        """Forget the first half of the changes, and the answers that don't know all of them."""
        half = MOST_CHANGES // 2
        del self._inventory.changes[:half]
        for key, answers in list(self._answers.items()):
            answers.seen -= half
            if answers.seen < 0:
                del self._answers[key]

    def _look(self, question: Question, name: str, by_form: dict[int, _Looked]) -> _Looked:
        form = self._form_of(name) if question.shares else None
        if form is None:
            return _Looked(self.exactly(question, name))
        found = by_form.get(form)
        if found is None:
            if len(by_form) >= MOST_FORMS:
                by_form.clear()
            cards = _ids(self._inventory.usage(name))
            found = by_form[form] = _Looked(self.exactly(question, name), cards)
        return found

    def _form_of(self, name: str) -> int | None:
        """Return the number of a node's form, None for a node that shares no answers."""
        registered = self._inventory.nodes().get(name)
        if registered is None:
            return None
        known, usage = self._known.get(name), self._inventory.usage(name)
        if known is None or known.registered is not registered:
            annotations = registered.annotations
            named = any(map(annotations.get, self._node_ids))
            read = None if named else tuple(map(annotations.get, self._node_reads))
        elif known.usage is usage:
            return known.form
        else:
            read = known.read
        form = None if read is None else self._number_of((usage.form, read))
        self._known[name] = _Known(registered, read, usage, form)
        return form

    def _number_of(self, form: Hashable) -> int:
        if len(self._forms) >= MOST_FORMS:
            self._forms.clear()
        number = self._forms.get(form)
        if number is None:
            number = self._forms[form] = next(self._numbers)
        return number

    def _place(self, question: Question, node: NodeInfo) -> Placement:
        usage = self._inventory.usage(node.name)
        return place(question.ask, node, usage, self._vendors, question.weights)


def _ids(usage: NodeUsage) -> tuple[str, ...]:
    return tuple([one.card.id for one in usage.cards])
