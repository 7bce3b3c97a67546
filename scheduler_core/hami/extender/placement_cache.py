"""Keeps where pods could be placed, by what they ask: only nodes that changed since are looked at again.

Nodes whose cards differ in their ids at most give the same answer to a pod that names no cards: one of
them is looked at for all.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import count
from typing import ClassVar, NamedTuple

from msgspec.structs import replace

from scheduler_core.equivalence.cache import EquivalenceCache
from scheduler_core.hami.devices.all_vendors import Vendors
from scheduler_core.hami.extender.node_verdicts import UNKNOWN, Findings, Judged, Places
from scheduler_core.hami.extender.placing import Placement, place
from scheduler_core.hami.rules.cards import Allocated
from scheduler_core.hami.rules.charging import NodeUsage
from scheduler_core.hami.rules.constants import NODE_UNREGISTERED
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo
from scheduler_core.hami.rules.quota import Quotas
from scheduler_core.hami.rules.scheduling_policies import Weights
from scheduler_core.hami.rules.usage import Inventory, Registered
from scheduler_core.hami.rules.vendor_memory import Memory

MOST_QUESTIONS = 256
MOST_FORMS = 10_000
MOST_NAMES = 500_000
"""Who asks may name nodes that there aren't."""
UNREGISTERED = Placement(None, reason=NODE_UNREGISTERED)


class Question(NamedTuple):
    """What a pod asks. `shares`: the answer hangs on no card's name; `key` is equal for equal questions."""

    ask: Ask
    weights: Weights
    shares: bool
    key: Hashable


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
    """The answers to one question, by node and by form of nodes; `seen` is a place in the list of changes."""

    __slots__ = ("by_form", "by_place", "findings", "seen")

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.by_place: dict[int, _Looked] = {}
        self.by_form: dict[int, _Looked] = {}
        self.findings = Findings()

    def known(self, place: int) -> _Looked | None:
        """Return what was found for a node; None where that counts no more."""
        return self.by_place.get(place) if self.findings.knows(place) else None

    def keep(self, place: int, looked: _Looked) -> None:
        """Keep what was found for a node."""
        self.by_place[place] = looked
        placement = looked.placement
        if placement.devices is None:
            self.findings.fails(place, placement.reason)
        else:
            self.findings.fits(place, placement.score)


class Kept:
    """Placements by question. With `check_every` k each k-th answer is held against each node's own."""

    check_every: ClassVar[int] = 0

    def __init__(self, inventory: Inventory, vendors: Vendors, quotas: Quotas, memory: Memory) -> None:
        self._inventory = inventory
        self._vendors = vendors
        self._quotas = quotas
        self._memory = memory
        self._answers: EquivalenceCache[Hashable, _Answers] = EquivalenceCache(self.check_every)
        self._places = Places()
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
        if len(self._places.names) > MOST_NAMES:
            self._places = Places()
            self._answers.clear()
        places = self._places.of(nodes)
        answers, names = self._answers_to(question.key), self._places.names
        findings = answers.findings
        findings.room_for(len(names))
        for unknown in places[findings.codes[places] == UNKNOWN].tolist():
            answers.keep(unknown, self._look(question, names[unknown], answers.by_form))
        if self._answers.count_given():
            self._check(question, answers, places.tolist())
        return Judged(names, places, findings)

    def _check(self, question: Question, answers: _Answers, places: list[int]) -> None:
        """Raise KeptDiffers where a node would be judged otherwise now. Cards' ids may differ."""
        for place_of_node in places:
            kept, name = answers.known(place_of_node), self._places.names[place_of_node]
            plain = self.exactly(question, name)
            same = kept is not None and _verdict(kept.placement) == _verdict(plain)
            self._answers.require(same, f"node {name}")

    def given(self, question: Question, name: str) -> Allocated:
        """Return the cards that a pod gets on a node that was judged to fit."""
        at = self._places.get(name)
        found = None if at is None else self._answers_to(question.key).known(at)
        if found is None or found.cards is None:
            return self.exactly(question, name).devices or {}
        own = dict(zip(found.cards, self._inventory.usage(name).ids, strict=True))
        return {
            key: [[replace(taken, id=own[taken.id]) for taken in piece] for piece in pieces]
            for key, pieces in (found.placement.devices or {}).items()
        }

    def exactly(self, question: Question, name: str) -> Placement:
        """Return how a pod is placed on a node, with the node's own cards."""
        node = self._inventory.node(name)
        return UNREGISTERED if node is None else self._place(question, node)

    def alike(self, question: Question, node: NodeInfo, usage: NodeUsage) -> Hashable:
        """Return what is equal for nodes that give the same answer with so much used of their cards."""
        names_cards = any(map(node.annotations.get, self._node_ids))
        if names_cards or not question.shares:
            return node.name
        return usage.form, tuple(map(node.annotations.get, self._node_reads))

    def clear(self) -> None:
        """Forget all answers."""
        self._answers.clear()
        self._inventory.changes.clear()

    def _answers_to(self, key: Hashable) -> _Answers:
        changes = self._inventory.changes
        found = self._answers.find(key)
        touched = None if found is None else changes.since(found.seen)
        if found is None or touched is None or found.findings.is_crowded:
            return self._answers.keep(key, _Answers(changes.end), MOST_QUESTIONS)
        for name in set(touched):
            at = self._places.get(name)
            if at is not None:
                found.findings.forget(at)
        found.seen = changes.end
        return found

    def _look(self, question: Question, name: str, by_form: dict[int, _Looked]) -> _Looked:
        form = self._form_of(name) if question.shares else None
        if form is None:
            return _Looked(self.exactly(question, name))
        found = by_form.get(form)
        if found is None:
            if len(by_form) >= MOST_FORMS:
                by_form.clear()
            cards = self._inventory.usage(name).ids
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


def _verdict(placement: Placement) -> tuple[bool, float, str]:
    return placement.devices is None, placement.score, placement.reason
