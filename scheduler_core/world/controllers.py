"""Evicted pods come back: the copy that their controller makes enters the queue's end.

Source: docs/semantics.md "Evicted pods".
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from scheduler_core.events.decisions import Change, Create
from scheduler_core.kube.driver import InstantDriver
from scheduler_core.objects import types
from scheduler_core.objects.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.identity import is_recreated, keeps_name, name_of, namespace_of
from scheduler_core.objects.storage_defaults import with_default_class
from scheduler_core.objects.workloads import ORIGINAL_NAME_ANNOTATION, recreated_copy
from scheduler_core.world.cards import Cards


@dataclass
class RecreatingDriver(InstantDriver):
    """The instant driver with controllers that replace what is evicted, if it has `cards` to make copies.

    `documents` holds every pod as an object; `created` the copies in the order in which they were made;
    `storage_classes` are the classes that their claims may be of.
    """

    cards: Cards | None = None
    documents: dict[str, dict[str, Any]] = field(default_factory=dict)
    created: list[dict[str, Any]] = field(default_factory=list)
    storage_classes: list[dict[str, Any]] = field(default_factory=list)
    _copies: dict[tuple[str, str], int] = field(default_factory=dict)
    _claims: list[Callable[[], None]] = field(default_factory=list)

    def recreate(self, pod: int) -> list[Change]:
        if self.cards is None:
            return []
        original = self.documents[self.state.pods.infos[pod].uid]
        if not is_recreated(original):
            return []
        line = (namespace_of(original), _first_in_line(original))
        number = self._copies.get(line, 0) + 1
        document = recreated_copy(original, number)
        while not keeps_name(original) and _key(document) in self._taken:
            number += 1
            document = recreated_copy(original, number)
        row = self.add_copy(document, line, number)
        info = self.state.pods.infos[row]
        created = Create(self.cards.card(self.state, row, None))
        return [created, self._enter(row, "active")] if info.scheduler_name in self.profiles else [created]

    @cached_property
    def _taken(self) -> set[tuple[str, str]]:
        """The names that pods have, or had: none is given twice."""
        return set(map(_key, self.documents.values()))

    def forget_copies(self) -> None:
        """Take all copies out of the cluster again; they must be on no node and in no queue."""
        while self._claims:
            self._claims.pop()()
        for document in self.created:
            self._forget(document)
            self.state.pods.remove_last()
        self.created, self._copies = [], {}

    def add_copy(self, document: dict[str, Any], line: tuple[str, str] | None = None, number: int = 0) -> int:
        """Add a copy to the cluster and return its row."""
        line = line or (namespace_of(document), _first_in_line(document))
        before = self._copies.get(line, 0)
        info = self.state.create(types.convert(document, types.Pod))
        self.documents[info.uid] = document
        self.created.append(document)
        self._taken.add(_key(document))
        self._copies[line] = number or before + 1
        claims = [with_default_class(claim, self.storage_classes) for claim in ephemeral_claims(document)]
        self._claims += map(self.state.volumes.add_claim, claims)

        def undo() -> None:
            for _ in claims:
                self._claims.pop()()
            self._copies[line] = before
            self.created.pop()
            self._forget(document)

        self.state.record(undo)
        return info.row

    def _forget(self, document: dict[str, Any]) -> None:
        """Drop a copy's document; its name is free again unless it is its original's."""
        if not keeps_name(document):
            self._taken.discard(_key(document))
        del self.documents[document["metadata"]["uid"]]


def _key(document: dict[str, Any]) -> tuple[str, str]:
    return namespace_of(document), name_of(document)


def _first_in_line(document: dict[str, Any]) -> str:
    annotations = (document.get("metadata") or {}).get("annotations") or {}
    return annotations.get(ORIGINAL_NAME_ANNOTATION) or name_of(document)
