"""Keeps where pods could be placed, by what they ask: only nodes that changed since are looked at again.

Nodes whose cards differ in their ids at most give the same answer to a pod that names no cards: one of
them is looked at for all.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping
from itertools import filterfalse
from typing import NamedTuple

from scheduler_core.hami.asking import Ask, NodeInfo
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.placing import Placement, place
from scheduler_core.hami.policies import Weights
from scheduler_core.hami.quota import Quotas
from scheduler_core.hami.usage import Inventory
from scheduler_core.hami.words import NODE_UNREGISTERED

MOST_QUESTIONS = 256
MOST_CHANGES = 100_000
UNREGISTERED = Placement(None, reason=NODE_UNREGISTERED)


class Question(NamedTuple):
    """What a pod asks. `shares`: the answer hangs on no card's name; `key` is equal for equal questions."""

    ask: Ask
    weights: Weights
    shares: bool
    key: Hashable


class _Answers:
    """The answers to one question, as of `seen` changes: by node, and by the form of nodes."""

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.by_node: dict[str, Placement] = {}
        self.by_form: dict[Hashable, Placement] = {}


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

    def placements(self, question: Question, nodes: Iterable[str]) -> Mapping[str, Placement]:
        """Return how a pod could be placed on each of the nodes; there may be more nodes in it.

        Scores and reasons are the nodes' own, the cards may be those of a node of the same form: `exactly`
        has the node's.
        """
        answers = self._answers_to(question.key)
        known = answers.by_node
        for name in filterfalse(known.__contains__, nodes):
            known[name] = self._answer(question, name, answers.by_form)
        return known

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
            self.clear()
        found = self._answers.get(key)
        if found is None:
            found = self._answers[key] = _Answers(len(changes))
            if len(self._answers) > MOST_QUESTIONS:
                self._answers.popitem(last=False)
            return found
        self._answers.move_to_end(key)
        for name in changes[found.seen :]:
            found.by_node.pop(name, None)
        found.seen = len(changes)
        return found

    def _answer(self, question: Question, name: str, by_form: dict[Hashable, Placement]) -> Placement:
        registered = self._inventory.nodes().get(name)
        if registered is None:
            return UNREGISTERED
        annotations = registered.annotations
        if not question.shares or any(map(annotations.get, self._node_ids)):
            return self.exactly(question, name)
        form = (self._inventory.usage(name).form, *map(annotations.get, self._node_reads))
        found = by_form.get(form)
        if found is None:
            found = by_form[form] = self.exactly(question, name)
        return found

    def _place(self, question: Question, node: NodeInfo) -> Placement:
        usage = self._inventory.usage(node.name)
        return place(question.ask, node, usage, self._vendors, question.weights)
