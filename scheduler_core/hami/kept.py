"""Keeps where pods could be placed, by what they ask: only nodes that changed since are looked at again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable, Iterable, Mapping

from scheduler_core.hami.asking import Ask
from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.memory import Memory
from scheduler_core.hami.placing import Placement, place
from scheduler_core.hami.policies import Weights
from scheduler_core.hami.quota import Quotas
from scheduler_core.hami.usage import Inventory
from scheduler_core.hami.words import NODE_UNREGISTERED

MOST_QUESTIONS = 256
MOST_CHANGES = 100_000
_UNREGISTERED = Placement(None, reason=NODE_UNREGISTERED)


class Placements:
    """The answers to one question, as of `seen` changes."""

    def __init__(self, seen: int) -> None:
        self.seen = seen
        self.by_node: dict[str, Placement] = {}


class Kept:
    """Placements by question, the oldest question forgotten first."""

    def __init__(
        self, inventory: Inventory, vendors: Mapping[str, Vendor], quotas: Quotas, memory: Memory
    ) -> None:
        self._inventory = inventory
        self._vendors = vendors
        self._quotas = quotas
        self._memory = memory
        self._answers: OrderedDict[Hashable, Placements] = OrderedDict()

    def placements(self, ask: Ask, weights: Weights, nodes: Iterable[str]) -> Mapping[str, Placement]:
        """Return where a pod could be placed on each of the nodes; there may be more nodes in it."""
        found = self._answer_to(self._question(ask, weights))
        known = found.by_node
        for name in nodes:
            if name not in known:
                known[name] = self._place(ask, weights, name)
        return known

    def clear(self) -> None:
        """Forget all answers."""
        self._answers.clear()
        self._inventory.changes.clear()

    def _answer_to(self, question: Hashable) -> Placements:
        changes = self._inventory.changes
        if len(changes) > MOST_CHANGES:
            self.clear()
        found = self._answers.get(question)
        if found is None:
            found = self._answers[question] = Placements(len(changes))
            if len(self._answers) > MOST_QUESTIONS:
                self._answers.popitem(last=False)
            return found
        self._answers.move_to_end(question)
        for name in changes[found.seen :]:
            found.by_node.pop(name, None)
        found.seen = len(changes)
        return found

    def _question(self, ask: Ask, weights: Weights) -> Hashable:
        asked = dict.fromkeys(key for requests in ask.requests for key in requests)
        vendors = [self._vendors[key] for key in asked]
        wishes = tuple(
            (key, ask.annotations[key])
            for vendor in vendors
            for key in vendor.reads
            if key in ask.annotations
        )
        limited = any(self._quotas.limits(ask.namespace, key) for key in asked)
        quota = (ask.namespace, self._quotas.version) if limited else None
        remembered = self._memory.version if any(vendor.fits_by_memory for vendor in vendors) else 0
        requests = tuple(tuple(requests.values()) for requests in ask.requests)
        return (
            requests,
            ask.init_count,
            ask.gpu_policy,
            ask.node_policy,
            ask.numa_bind,
            weights,
            wishes,
            quota,
            remembered,
        )

    def _place(self, ask: Ask, weights: Weights, name: str) -> Placement:
        node = self._inventory.node(name)
        if node is None:
            return _UNREGISTERED
        return place(ask, node, self._inventory.usage(name), self._vendors, weights)
