"""Nodes and pods of a run as HAMi sees them: documents of the cluster, with HAMi's own annotations over them.

What HAMi writes stands here alone: kube-schedulers don't hear of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from operator import is_not
from typing import Any, Protocol

from scheduler_core.hami.extender.api_client import patched
from scheduler_core.hami.rules.pod_request import Object
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.register import Register

Texts = dict[str, str | None]


class Documents(Protocol):
    """The cluster's objects as an API server would give them out now."""

    def pod(self, row: int) -> Object:
        """Return a pod, by row."""

    def node(self, name: str) -> Object:
        """Return a node."""


class RunObjects(Checkpointed):
    """The objects of a run. Annotations and labels by pod's uid, annotations by node's name."""

    remembered = {"pods": "_pods", "labels": "_labels", "nodes": "_nodes"}

    def __init__(self, state: ClusterState, documents: Documents) -> None:
        self._state = state
        self._documents = documents
        self._pods: Register[str, Texts] = Register(state.journal)
        self._labels: Register[str, Texts] = Register(state.journal)
        self._nodes: Register[str, Texts] = Register(state.journal)
        self._known: dict[str, tuple[Any, Object]] = {}
        """Nodes' documents, each with the node that it was made of."""
        self._given: tuple[Any, ...] = ()
        """What the pod that was given last was made of, and that: questions about one come in a row."""
        self._rows: dict[str, list[int]] = {}
        self._rows_known = 0

    # -- nodes ---------------------------------------------------------------------------------------

    def nodes(self) -> Iterator[Object]:
        for name in sorted(self._state.nodes.names):
            yield self._node(name)

    def node(self, name: str) -> Object | None:
        return self._node(name) if name in self._state.nodes.index else None

    def patch_node(self, name: str, annotations: Mapping[str, str | None]) -> None:
        if annotations:
            self._nodes.put(name, {**(self._nodes.get(name) or {}), **annotations})

    def as_given(self, name: str) -> Object:
        """Return a node without what HAMi and device plugins have written in the run."""
        node = self._state.nodes.objects[self._state.nodes.index[name]]
        known = self._known.get(name)
        if known is None or known[0] is not node:
            known = self._known[name] = node, self._documents.node(name)
        return known[1]

    def _node(self, name: str) -> Object:
        patch = self._nodes.get(name)
        return patched(self.as_given(name), patch) if patch else self.as_given(name)

    # -- pods ----------------------------------------------------------------------------------------

    def pod(self, key: str) -> Object | None:
        row = self.row_of(key)
        return None if row is None else self.pod_at(row)

    def pod_at(self, row: int) -> Object:
        """Return a pod by its row, gone or not."""
        uid, document = self._state.pods.infos[row].uid, self._documents.pod(row)
        annotations, labels = self._pods.get(uid), self._labels.get(uid)
        if not annotations and not labels:
            return document
        made_of = document, annotations, labels
        if not self._given or any(map(is_not, made_of, self._given)):
            self._given = *made_of, patched(document, annotations or {}, labels)  # type: ignore[arg-type]
        given: Object = self._given[-1]
        return given

    def annotation(self, row: int, key: str) -> str | None:
        """Return what HAMi has written to an annotation of a pod."""
        return (self._pods.get(self._state.pods.infos[row].uid) or {}).get(key)

    def annotated(self) -> dict[int, Texts]:
        """Return what HAMi has written to annotations of pods, by their rows."""
        return {self._state.pods.by_uid[uid]: texts for uid, texts in self._pods.values.items()}

    def patch_pod(
        self, key: str, annotations: Mapping[str, str | None], labels: Mapping[str, str] | None = None
    ) -> None:
        row = self.row_of(key)
        if row is None:
            return
        uid = self._state.pods.infos[row].uid
        self._pods.put(uid, {**(self._pods.get(uid) or {}), **annotations})
        if labels:
            self._labels.put(uid, {**(self._labels.get(uid) or {}), **labels})

    def forget_pod(self, row: int) -> None:
        """Forget what was written to a pod that is gone."""
        uid = self._state.pods.infos[row].uid
        for texts in (self._pods, self._labels):
            if uid in texts.values:
                texts.drop(uid)

    def row_of(self, key: str) -> int | None:
        """Return the row of the pod that has this `namespace/name` now, None if there is none."""
        infos, gone = self._state.pods.infos, self._state.gone.values
        if self._rows_known > len(infos):
            self._rows, self._rows_known = {}, 0
        for info in infos[self._rows_known :]:
            self._rows.setdefault(info.key, []).append(info.row)
        self._rows_known = len(infos)
        return next((row for row in reversed(self._rows.get(key, ())) if row not in gone), None)

    # -- checkpoints ---------------------------------------------------------------------------------

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        super().load(data)
        self._known.clear()
        self._rows, self._rows_known = {}, 0
