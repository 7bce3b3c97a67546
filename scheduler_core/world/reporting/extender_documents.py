"""The cluster's pods and nodes as documents, for whoever is asked about them from outside.

What came from the snapshot is given as it was stored there, with what has changed since.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from operator import is_not
from typing import Any

import msgspec

from scheduler_core.objects.kinds import NODE, kind_of
from scheduler_core.objects.types import Pod
from scheduler_core.state.cluster import ClusterState

Document = dict[str, Any]
_CHANGING_IN_METADATA = ("labels", "annotations", "deletionTimestamp")


class ClusterDocuments:
    """Documents of a state's pods, by uid, and of its nodes, by name."""

    def __init__(
        self, state: ClusterState, pods: Mapping[str, Document], objects: Iterable[Document]
    ) -> None:
        self._state = state
        self._pods = pods
        self._objects = objects
        self._given: tuple[Any, ...] = ()
        """What the pod that was given last was made of, and that: questions about one come in a row."""

    @cached_property
    def _nodes(self) -> dict[str, Document]:
        return {item["metadata"]["name"]: item for item in self._objects if kind_of(item) == NODE}

    def pod(self, row: int) -> Document:
        """Return a pod, to be read only: its node and its nomination are those of now."""
        info = self._state.pods.infos[row]
        made_of = self._pods.get(info.uid), info.pod, self._state.node_of(row), self._state.nominated[row]
        if not self._given or any(map(is_not, made_of, self._given)):
            self._given = *made_of, _pod(*made_of)
        document: Document = self._given[-1]
        return document

    def node(self, name: str) -> Document:
        """Return a node: its labels, annotations, taints and amounts are those of now."""
        now = plain(self._state.nodes.objects[self._state.nodes.index[name]])
        stored = self._nodes.get(name) or now
        document = {**stored, "metadata": _changed(stored.get("metadata"), now.get("metadata"))}
        for part in ("spec", "status"):
            document[part] = {**(stored.get(part) or {}), **(now.get(part) or {})}
        return document


def _pod(stored: Document | None, now: Pod, node: str, nominated: str) -> Document:
    known = stored or plain(now)
    document = {**known, "metadata": _changed(known.get("metadata"), plain(now.metadata))}
    document["spec"] = _with(known.get("spec"), "nodeName", node)
    document["status"] = _with(known.get("status"), "nominatedNodeName", nominated)
    return document


def plain(item: Any) -> Document:
    """Return an object's known fields that are set."""
    plain: Document = _without_null(msgspec.to_builtins(item))
    return plain


def _without_null(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_null(one) for key, one in value.items() if one is not None}
    return [_without_null(one) for one in value] if isinstance(value, list) else value


def _changed(stored: Document | None, now: Document | None) -> Document:
    changed = {name: (now or {}).get(name) for name in _CHANGING_IN_METADATA}
    kept = {name: value for name, value in (stored or {}).items() if name not in changed}
    return kept | {name: value for name, value in changed.items() if value is not None}


def _with(part: Document | None, field: str, value: str) -> Document:
    kept = {name: one for name, one in (part or {}).items() if name != field}
    return kept | ({field: value} if value else {})
