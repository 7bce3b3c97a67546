"""What can change about a pod, and how the log tells it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from scheduler_core.events.state import PODS
from scheduler_core.objects.amounts.requests import counted_by_scheduler, pod_requests
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.types import Pod, convert
from scheduler_core.state.journal import Table
from scheduler_core.state.pods import NO_START_TIME, PodInfo, PodTable, asks_for_the_same


class PodChanges(Table):
    """The table of pods. `node` is spec.nodeName of each, the empty string where it has none.

    `describe` says what the log's row of a pod is; somebody sets it who knows the pods' owners.
    """

    name = PODS
    told = True

    def __init__(self, pods: PodTable) -> None:
        self._pods = pods
        self.node = [info.pod.spec.node_name or "" for info in pods.infos]
        self.nominated = [""] * len(pods)
        self.evicted = [False] * len(pods)
        self.replaces: dict[int, str] = {}
        self.describe: Callable[[int], dict[str, Any]] | None = None
        self.also: Callable[[Pod], dict[str, Any]] = lambda pod: {}
        """Says what else of a version its row has."""
        self._imported = [info.pod for info in pods.infos]

    def write(self, key: Any, field: str, value: Any) -> None:
        match field:
            case "node":
                self.node[key] = value
            case "nominated":
                self.nominated[key] = value
            case "evicted":
                self.evicted[key] = value
            case "terminating":
                self._pods.set_terminating(key, terminating=value)
            case "start_time":
                self._pods.set_start_time(key, value)
            case "version":
                self._pods.replace(key, value)
            case _:
                raise AssertionError(field)

    def insert(self, key: Any, content: Any) -> None:
        if isinstance(content, PodInfo):
            return  # The row of a pod that went is still there.
        pod, replaces = content
        self._pods.append(pod)
        self.node.append(pod.spec.node_name or "")
        self.nominated.append("")
        self.evicted.append(False)
        if replaces is not None:
            self.replaces[key] = replaces

    def remove(self, key: Any, content: Any) -> None:
        if isinstance(content, PodInfo):
            return
        self._pods.remove_last()
        self.replaces.pop(key, None)
        for column in (self.node, self.nominated, self.evicted):
            column.pop()

    # -- the log -------------------------------------------------------------------------------------

    def id_of(self, key: Any) -> str:
        uid: str = self._pods.infos[key].uid
        return uid

    def fields(self, key: Any, field: str, old: Any, new: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        if field == "start_time":
            return {field: time_of(old)}, {field: time_of(new)}
        if field == "version":
            with_amounts = not asks_for_the_same(old, new)
            before = _shown(old, with_amounts) | self.also(old)
            after = _shown(new, with_amounts) | self.also(new)
            changed = [name for name in after if before[name] != after[name]]
            return {name: before[name] for name in changed}, {name: after[name] for name in changed}
        return {field: old}, {field: new}

    def row(self, key: Any) -> dict[str, Any]:
        assert self.describe is not None
        return self.describe(key)

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return what a run has changed as plain data."""
        start, terminating = self._pods.start_time, self._pods.terminating
        created = self._pods.infos[len(self._imported) :]
        versions = zip(self._pods.infos, self._imported, strict=False)
        return {
            "created": [[_pack(info.pod), self.replaces.get(info.row)] for info in created],
            "changed": [[info.row, _pack(info.pod)] for info, pod in versions if _differs(info.pod, pod)],
            "node": self.node,
            "nominated": self.nominated,
            "evicted": [pod for pod, evicted in enumerate(self.evicted) if evicted],
            "start_time": start.tolist(),
            "terminating": terminating.tolist(),
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        while len(self._pods) > len(self._imported):
            self.remove(len(self._pods) - 1, None)
        changed = dict(data["changed"])
        for row, imported in enumerate(self._imported):
            version = _unpack(changed[row]) if row in changed else imported
            present = self._pods.infos[row].pod
            # Reading a pod anew takes far longer than to see that it is the same.
            if version is not present and (version is imported or version != present):
                self._pods.replace(row, version)
        for document, replaces in data["created"]:
            self.insert(len(self._pods), (_unpack(document), replaces))
        self.node = list(data["node"])
        self.nominated = list(data["nominated"])
        evicted = set(data["evicted"])
        self.evicted = [pod in evicted for pod in range(len(self._pods))]
        for row, (start, terminating) in enumerate(zip(data["start_time"], data["terminating"], strict=True)):
            self._pods.set_start_time(row, start)
            self._pods.set_terminating(row, terminating=terminating)


def _differs(version: Pod, imported: Pod) -> bool:
    """Tell whether a version is another one: a nomination that was taken back leaves it as it was."""
    return version is not imported and version != imported


def _unpack(packed: bytes | dict[str, Any]) -> Pod:
    """Return what `_pack` was given; older checkpoints have pods as documents."""
    return _decoder.decode(packed) if isinstance(packed, bytes) else convert(packed, Pod)


_pack = msgspec.msgpack.Encoder().encode
_decoder = msgspec.msgpack.Decoder(Pod)


def time_of(start_time: int) -> str | None:
    """Return a start time as text, None where there is none."""
    return None if start_time == NO_START_TIME else format_timestamp(start_time)


def _shown(pod: Pod, with_amounts: bool) -> dict[str, Any]:
    """Return what the log's row has of an object's version and a new version may change."""
    shown = {
        "labels": dict(pod.metadata.labels or {}),
        "priority": pod.spec.priority or 0,
        "terminating": pod.metadata.deletion_timestamp is not None,
    }
    if with_amounts:
        amounts = pod_requests(pod, running=True)
        shown["requests"] = {name: amounts[name] for name in amounts if counted_by_scheduler(name)}
    return shown
