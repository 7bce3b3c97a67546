"""Evicted pods come back: the copy that their controller makes.

Source: docs/semantics.md "Evicted pods". When a controller replaces a terminating pod: kubernetes
pkg/controller/controller_utils.go IsPodActive, pkg/controller/statefulset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from scheduler_core.objects import types
from scheduler_core.objects.api_server.storage_defaults import with_default_class
from scheduler_core.objects.identity import is_daemon, is_recreated, keeps_name, name_of, namespace_of
from scheduler_core.objects.storage import PersistentVolumeClaim
from scheduler_core.objects.workloads.ephemeral_volumes import ephemeral_claims
from scheduler_core.objects.workloads.workload_pods import ORIGINAL_NAME_ANNOTATION, recreated_copy
from scheduler_core.predicates.tolerations import first_untolerated
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register

Document = dict[str, Any]


class Documents(Register[str, Document]):
    """Every pod as an object, by uid: those of the start, and the copies made since."""

    def __init__(self, journal: Journal, documents: Iterable[Document]) -> None:
        super().__init__(journal, ((document["metadata"]["uid"], document) for document in documents))
        self._imported = dict(self.values)

    def dump(self) -> list[list[Any]]:
        added = sorted(self.values.keys() - self._imported.keys())
        return [[uid, self.values[uid]] for uid in added]

    def load(self, values: Iterable[Any]) -> None:
        super().load(values)
        self.values = self._imported | self.values


class Controllers(Checkpointed):
    """All controllers of the cluster. `storage_classes` are those that claims of copies may be of."""

    remembered = {"copies": "_copies", "taken": "_taken", "documents": "_documents"}

    def __init__(
        self,
        state: ClusterState,
        documents: Documents,
        storage_classes: Sequence[Document],
        *,
        replacing: bool,
    ) -> None:
        self._state = state
        self._documents = documents
        self._classes = list(storage_classes)
        self._replacing = replacing
        self.others: Callable[[Document], bool] = lambda pod: False
        """Says whether a pod is another actor's, who makes it anew."""
        self.is_admitted: Callable[[Document], bool] = lambda copy: True
        """Says whether the API server takes a copy; if not, its controller tries again."""
        self._copies: Register[tuple[str, str], int] = Register(state.journal)
        self._taken: Register[tuple[str, str], bool] = Register(
            state.journal, ((_key(document), True) for document in documents.values.values())
        )

    @property
    def registers(self) -> list[Register[Any, Any]]:
        """What they remember, but for the documents."""
        return [self._copies, self._taken]

    def waits_for_name(self, pod: int) -> bool:
        """Return whether a controller replaces the pod only when its name is free."""
        document = self.document(pod)
        return self._replacing and is_recreated(document) and keeps_name(document)

    def replace(self, pod: int) -> int | None:
        """Add a copy of an evicted pod to the cluster and return it; None where nobody makes one."""
        copy = self.copy_of(pod)
        return None if copy is None else self._state.create(copy, self._state.pods.infos[pod].uid).row

    def copy_of(self, pod: int) -> types.Pod | None:
        """Make a copy of an evicted pod, with its claims; None where nobody does."""
        original = self.document(pod)
        if not self._replacing or not is_recreated(original) or self.others(original):
            return None
        if is_daemon(original) and self._is_kept_away(pod):
            return None
        line = (namespace_of(original), _first_in_line(original))
        number = (self._copies.get(line) or 0) + 1
        document = recreated_copy(original, number)
        while not keeps_name(original) and _key(document) in self._taken.values:
            number += 1
            document = recreated_copy(original, number)
        if not self.is_admitted(document):
            return None
        self._copies.put(line, number)
        self._taken.put(_key(document), True)
        self._documents.put(document["metadata"]["uid"], document)
        for claim in ephemeral_claims(document):
            self.put_claim(claim)
        return types.convert(document, types.Pod)

    def _is_kept_away(self, pod: int) -> bool:
        """Return whether a DaemonSet makes no pod on this one's node by now: it is gone, or tainted."""
        name, nodes = self._state.node_of(pod), self._state.nodes
        if not name:
            return False
        row = nodes.index.get(name)
        tolerations = self._state.pods.infos[pod].pod.spec.tolerations or ()
        return (
            row is None or first_untolerated(tolerations, nodes.taint_sets[nodes.taint_set[row]]) is not None
        )

    def has_name(self, key: tuple[str, str]) -> bool:
        """Return whether a pod of this namespace and name is or was there, or is to come by an edit."""
        return key in self._taken.values

    def add(self, document: Document) -> None:
        """Take note of a pod that another controller makes."""
        self._taken.put(_key(document), True)
        self._documents.put(document["metadata"]["uid"], document)

    def forget(self, document: Document, *, is_free: bool) -> None:
        """Forget a pod as if it had never been there; `is_free`: nobody else has its name."""
        self._documents.drop(document["metadata"]["uid"])
        if is_free and _key(document) in self._taken.values:
            self._taken.drop(_key(document))

    def put_claim(self, claim: Document) -> None:
        """Add a claim."""
        self._state.volumes.put(self.claim_of(claim), self._state.journal)

    def claim_of(self, claim: Document) -> PersistentVolumeClaim:
        """Return a claim with the default class where it names none."""
        return types.convert(with_default_class(claim, self._classes), PersistentVolumeClaim)

    def document(self, pod: int) -> Document:
        """Return a pod as an object."""
        return self._documents.values[self._state.pods.infos[pod].uid]


def _key(document: Document) -> tuple[str, str]:
    return namespace_of(document), name_of(document)


def _first_in_line(document: Document) -> str:
    annotations = (document.get("metadata") or {}).get("annotations") or {}
    return annotations.get(ORIGINAL_NAME_ANNOTATION) or name_of(document)
