"""The API server as HAMi uses it: nodes and pods as objects, changed by patches of their annotations.

Objects are never changed in place: a patch makes a new one. So the journal can take every patch back.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from scheduler_core.hami.rules.pod_request import Object, annotations_of, key_of
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.journal import Journal
from scheduler_core.state.register import Register


class Objects(Protocol):
    """What HAMi reads of nodes and pods, and writes to them."""

    def nodes(self) -> Iterable[Object]:
        """Return all nodes in the order of their names."""

    def node(self, name: str) -> Object | None:
        """Return a node, None if there is none."""

    def pod(self, key: str) -> Object | None:
        """Return a pod by `namespace/name`, None if there is none."""

    def patch_node(self, name: str, annotations: Mapping[str, str | None]) -> None:
        """Set annotations of a node; None deletes one."""

    def patch_pod(
        self, key: str, annotations: Mapping[str, str | None], labels: Mapping[str, str] | None = None
    ) -> None:
        """Set annotations and labels of a pod; None deletes one."""


class StoredObjects(Checkpointed):
    """Objects in memory."""

    remembered = {"nodes": "_nodes", "pods": "_pods"}

    def __init__(self, journal: Journal, items: Iterable[Object] = ()) -> None:
        found = list(items)
        self._journal = journal
        self._nodes: Register[str, Object] = Register(
            journal, ((item["metadata"]["name"], item) for item in found if item["kind"] == "Node")
        )
        self._pods: Register[str, Object] = Register(
            journal, ((key_of(item), item) for item in found if item["kind"] == "Pod")
        )

    def nodes(self) -> list[Object]:
        return [item for _, item in sorted(self._nodes.values.items())]

    def pods(self) -> list[Object]:
        """Return all pods in the order of their keys."""
        return [item for _, item in sorted(self._pods.values.items())]

    @property
    def pod_count(self) -> int:
        """How many pods there are."""
        return len(self._pods.values)

    def node(self, name: str) -> Object | None:
        return self._nodes.get(name)

    def pod(self, key: str) -> Object | None:
        return self._pods.get(key)

    def put_node(self, item: Object) -> None:
        """Create or replace a node."""
        self._nodes.put(item["metadata"]["name"], item)

    def put_pod(self, item: Object) -> None:
        """Create or replace a pod."""
        self._pods.put(key_of(item), item)

    def delete_node(self, name: str) -> None:
        """Delete a node, if there is one."""
        if name in self._nodes.values:
            self._nodes.drop(name)

    def delete_pod(self, key: str) -> None:
        """Delete a pod, if there is one."""
        if key in self._pods.values:
            self._pods.drop(key)

    def patch_node(self, name: str, annotations: Mapping[str, str | None]) -> None:
        item = self._nodes.get(name)
        if item is not None and annotations:
            self._nodes.put(name, patched(item, annotations))

    def patch_pod(
        self, key: str, annotations: Mapping[str, str | None], labels: Mapping[str, str] | None = None
    ) -> None:
        item = self._pods.get(key)
        if item is not None:
            self._pods.put(key, patched(item, annotations, labels))

    def changed_nodes(self) -> dict[str, Object | None]:
        """Return the nodes that have changed since the journal was forgotten, None for one that is gone."""
        return {name: self._nodes.get(name) for name in self._journal.touched(self._nodes)}

    def changed_pods(self) -> dict[str, Object | None]:
        """Return the pods that have changed since the journal was forgotten, None for one that is gone."""
        return {key: self._pods.get(key) for key in self._journal.touched(self._pods)}


def patched(
    item: Object, annotations: Mapping[str, str | None], labels: Mapping[str, str] | None = None
) -> Object:
    """Return the object with changed annotations and labels."""
    merged = {**annotations_of(item), **annotations}
    metadata = {
        **item["metadata"],
        "annotations": {key: value for key, value in merged.items() if value is not None},
    }
    if labels:
        metadata["labels"] = {**(metadata.get("labels") or {}), **labels}
    return {**item, "metadata": metadata}
