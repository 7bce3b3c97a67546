"""vGPUs that pods of one rule do not share with each other (`deviceshare.GPUExclusiveRules`).

A rule is a set of labels; a pod that has all of them follows it. Pods of other rules, and of none, may share.

Source: volcano v1.16 pkg/scheduler/plugins/deviceshare/gpuexclusive.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from scheduler_core.volcano.devices.vgpu import VgpuNode
from scheduler_core.volcano.model.node_devices import NodeDevices
from scheduler_core.volcano.model.tasks import Task

Rule = Mapping[str, str]


def rules_of(given: Any) -> list[Rule]:
    """Return the rules that an argument lists; what is no text in them is passed over."""
    if not isinstance(given, list):
        return []
    rules = [
        {key: value for key, value in one.items() if isinstance(key, str) and isinstance(value, str)}
        for one in given
        if isinstance(one, dict)
    ]
    return [rule for rule in rules if rule]


class ExclusiveVgpuNode(NodeDevices):
    """A node's cards, those left out that a pod's rules have taken."""

    def __init__(self, cards: VgpuNode, rules: list[Rule], pods: Iterable[Task]) -> None:
        self._cards = cards
        self._rules = rules
        self._places: dict[int, set[int]] = {}
        """By rule the cards that its pods use."""
        self._following: dict[str, frozenset[int]] = {}
        """By pod the rules that it follows, for pods that follow any."""
        self._uids: dict[str, str] = {}
        for task in pods:
            self._uids[task.key] = task.uid
            self._follow(task)

    @property
    def score(self) -> float:  # type: ignore[override]
        """What the last filter found."""
        return self._cards.score

    def asked_by(self, task: Task) -> bool:
        return self._cards.asked_by(task)

    def held_by(self, task: Task) -> Mapping[str, float]:
        return self._cards.held_by(task)

    def add(self, task: Task) -> None:
        self._cards.add(task)
        self._uids[task.key] = task.uid
        self._follow(task)

    def remove(self, task: Task) -> None:
        self._cards.remove(task)
        self._leave(task)
        self._uids.pop(task.key, None)

    def refusal(self, task: Task, policy: str) -> str:
        with self._without_taken(task):
            return self._cards.refusal(task, policy)

    def allocate(self, task: Task, policy: str) -> dict[str, str]:
        with self._without_taken(task):
            annotations = self._cards.allocate(task, policy)
        self._follow(task)
        return annotations

    def release(self, task: Task) -> tuple[str, ...]:
        keys = self._cards.release(task)
        self._leave(task)
        return keys

    @property
    def cards(self) -> VgpuNode:
        """The cards, without regard to rules."""
        return self._cards

    def taken_by_rules(self, task: Task) -> frozenset[int]:
        """Return the places of the cards that pods of the pod's rules have taken."""
        taken = (self._places.get(rule, set()) for rule in self._rules_of(task))
        return frozenset(set[int]().union(*taken))

    def copied(self) -> ExclusiveVgpuNode:
        copy = ExclusiveVgpuNode(self._cards.copied(), self._rules, ())
        copy._places = {rule: set(places) for rule, places in self._places.items()}
        copy._following = dict(self._following)
        copy._uids = dict(self._uids)
        return copy

    def without(self, task: Task) -> ExclusiveVgpuNode:
        """Return a copy on which a pod has not got what its bind in this session will say."""
        copy = self.copied()
        copy._cards = self._cards.without(task)
        copy._leave(task)
        return copy

    @contextmanager
    def _without_taken(self, task: Task) -> Iterator[None]:
        """Let the cards that the pod's rules have taken seem to be full."""
        taken = self.taken_by_rules(task)
        cards = [card for place in taken if (card := self._cards.cards.get(place)) is not None]
        shares = [card.shares for card in cards]
        for card in cards:
            card.shares = card.used_shares
        try:
            yield
        finally:
            for card, number in zip(cards, shares, strict=True):
                card.shares = number

    def _rules_of(self, task: Task) -> frozenset[int]:
        labels = (task.pod.metadata.labels or {}).items()
        return frozenset(number for number, rule in enumerate(self._rules) if rule.items() <= labels)

    def _follow(self, task: Task) -> None:
        rules = self._rules_of(task)
        if not rules:
            return
        self._following[task.key] = rules
        for place, card in self._cards.cards.items():
            if task.uid in card.pods:
                for rule in rules:
                    self._places.setdefault(rule, set()).add(place)

    def _leave(self, task: Task) -> None:
        rules = self._following.pop(task.key, None)
        if rules is None:
            return
        others = {self._uids.get(key, "") for key in self._following}
        for rule in rules:
            places = self._places.get(rule, set())
            for place in list(places):
                card = self._cards.cards.get(place)
                if card is not None and not any(uid != task.uid and uid in others for uid in card.pods):
                    places.discard(place)
            if not places:
                self._places.pop(rule, None)
