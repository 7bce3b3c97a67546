"""The cluster's objects as its API server would list them at this moment of a run.

Source: kubernetes pkg/registry/core/pod/strategy.go (deletion, applySchedulingGatedCondition),
pkg/kubelet/status/generate.go (conditions), pkg/controller/podgc (pods without a node).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from scheduler_core.objects import storage
from scheduler_core.objects.identity import name_of, namespace_of, uid_of
from scheduler_core.objects.kinds import (
    NODE,
    POD,
    POD_DISRUPTION_BUDGET,
    RESOURCE_CLAIM,
    kind_of,
    kind_of_view,
)
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.schedulers.unclocked import Annotated
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.volumes import BinderView
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.controllers.controller import ClusterController
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.edits.leaving_pods import grace_of
from scheduler_core.world.reporting.bound_claims import bound_by
from scheduler_core.world.reporting.extender_documents import plain
from scheduler_core.world.timeline_entry import Entry

Document = dict[str, Any]
_SECOND = 10**9
_ENDED = ("Succeeded", "Failed")
_GATED = "Scheduling is blocked due to non-empty scheduling gates"
_STORED = {
    kind_of_view(view): view
    for view in (
        storage.PersistentVolumeClaim,
        storage.PersistentVolume,
        storage.StorageClass,
        storage.CSINode,
        storage.CSIDriver,
        storage.CSIStorageCapacity,
        storage.VolumeAttachment,
    )
}


@dataclass(frozen=True)
class Moment:
    """A run at a moment: what it started with, and what has become of that.

    `start` are the objects of the start, `made` all pods that came into being, by uid, `happened` the
    entries of the timeline so far. `now` is in nanoseconds since 1970; `cluster` is None without a clock.
    `controllers` are the cluster's, `binders` what volume binders have decided, `annotated` what binds
    and parts have written to annotations of pods.
    """

    state: ClusterState
    start: Sequence[Document]
    made: Mapping[str, Document]
    happened: Sequence[Entry]
    now: int
    cluster: Cluster | None
    controllers: Sequence[ClusterController] = ()
    binders: Sequence[BinderView] = ()
    annotated: Sequence[Annotated] = ()

    def objects(self) -> list[Document]:
        """Return the objects of now, pods last: those of the start in their order, then those that came."""
        return [*self._nodes(), *self._others(), *self._pods()]

    # -- nodes and other objects ---------------------------------------------------------------------

    def _nodes(self) -> Iterator[Document]:
        written = {name_of(item): item for item in self.start if kind_of(item) == NODE}
        for entry in self.happened:
            if entry.kind == NODE and entry.document is not None:
                written[name_of(entry.document)] = entry.document
        return (item for name, item in written.items() if name in self.state.nodes.index)

    def _others(self) -> Iterator[Document]:
        known = {key_of(item): item for item in self.start if kind_of(item) not in (POD, NODE)}
        changed = {} if self.cluster is None else self.cluster.objects.changed.values
        for key in [*known, *sorted(changed.keys() - known.keys())]:
            item = changed[key] if key in changed else known[key]
            if item is not None and (current := self._current(item)) is not None:
                yield current
        yield from self._new_claims({*known, *changed})
        yield from self._new_device_claims({*known, *changed})

    def _current(self, item: Document) -> Document | None:
        """Return an object with what its status says by now; None for one that is gone."""
        kind = kind_of(item)
        claims = self.state.device_claims
        if kind == RESOURCE_CLAIM and claims is not None:
            return claims.documents.get((namespace_of(item), name_of(item)))
        if kind in _STORED:
            view = _STORED[kind]
            spaced = view in (storage.PersistentVolumeClaim, storage.CSIStorageCapacity)
            key = (namespace_of(item), name_of(item)) if spaced else name_of(item)
            there = self.state.volumes.find(view, key) is not None
            return bound_by(item, self.binders) if there else None
        if kind != POD_DISRUPTION_BUDGET:
            return self._with_status(item)
        place = namespace_of(item), name_of(item)
        budget = next((one for one in self.state.budgets if (one.namespace, one.name) == place), None)
        if budget is None:
            return item
        status = item.get("status") or {}
        counted = {
            "currentHealthy": budget.current_healthy,
            "desiredHealthy": budget.desired_healthy,
            "expectedPods": budget.expected,
            "disruptionsAllowed": budget.allowed,
        }
        if all(status.get(name, 0) == count for name, count in counted.items()):
            return item
        return {**item, "status": {**status, **counted}}

    def _with_status(self, item: Document) -> Document:
        """Return an object with the status that its controller writes."""
        statuses = (controller.status_of(item) for controller in self.controllers)
        status = next((status for status in statuses if status is not None), None)
        if status is None or status == (item.get("status") or {}):
            return item
        return {**item, "status": status}

    def _new_claims(self, known: set[str]) -> Iterator[Document]:
        """Yield the claims that controllers made."""
        for claim in self.state.volumes.claims.values():
            document = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", **plain(claim)}
            if key_of(document) not in known:
                yield bound_by(document, self.binders)

    def _new_device_claims(self, known: set[str]) -> Iterator[Document]:
        """Yield the claims for devices that were made of templates or by a scheduler."""
        claims = self.state.device_claims
        for _, document in () if claims is None else sorted(claims.documents.values.items()):
            if key_of(document) not in known:
                yield document

    # -- pods ----------------------------------------------------------------------------------------

    def _pods(self) -> Iterator[Document]:
        rows = self.state.pods.by_uid
        for uid, item in self._written.items():
            if uid not in rows and not self._was_deleted(item, 0):
                yield item
        for row, info in enumerate(self.state.pods.infos):
            document = self._written.get(info.uid) or self.made[info.uid]
            if row not in self.state.gone.values:
                yield self._present(row, document)
            elif (ended := self._ended(row, document)) is not None:
                yield ended

    @cached_property
    def _written(self) -> dict[str, Document]:
        """The pods that the start and the timeline brought, by uid, each as it was written last."""
        written = {uid_of(item): item for item in self.start if kind_of(item) == POD}
        for entry in self.happened:
            if entry.kind == POD and entry.document is not None and entry.verb in ("put", "update"):
                written[uid_of(entry.document)] = entry.document
        return written

    @cached_property
    def _deletions(self) -> dict[str, int]:
        """When each pod was last deleted by the timeline, by its uid or `namespace/name`."""
        return {
            entry.key: entry.at
            for entry in self.happened
            if entry.kind == POD and entry.verb in ("delete", "remove")
        }

    def _was_deleted(self, pod: Document, since: int) -> bool:
        names = uid_of(pod), f"{namespace_of(pod)}/{name_of(pod)}"
        return any(self._deletions.get(name, -1) >= since for name in names)

    def _present(self, row: int, document: Document) -> Document:
        """Return a pod that is there, at its node or waiting for one."""
        version = self.state.pods.infos[row].pod
        node = version.spec.node_name or ("" if self.cluster is not None else self.state.node_of(row))
        spec, status = dict(document.get("spec") or {}), dict(document.get("status") or {})
        status.pop("nominatedNodeName", None)
        if made := version.status.resource_claim_statuses:
            status["resourceClaimStatuses"] = made
        if node and not spec.get("nodeName"):
            status |= self._running(row)
        spec |= {"nodeName": node} if node else {}
        if not node:
            status.setdefault("phase", "Pending")
            if nominated := self.state.nominated[row]:
                status["nominatedNodeName"] = nominated
            if spec.get("schedulingGates"):
                status["conditions"] = with_condition(status, not_scheduled("SchedulingGated", _GATED))
        metadata = self._metadata(row, document)
        return {**_HEAD, **document, "metadata": metadata, "spec": spec, "status": status}

    def _running(self, row: int) -> Document:
        """Return the status of a pod that started in the run; where no clock moves it is ready at once."""
        started = format_timestamp(int(self.state.pods.start_time[row]))
        since = None if self.cluster is None else self.cluster.ready_from.get(row)
        ready = self.cluster is None or self.cluster.is_ready(row)
        became = started
        if self.cluster is not None and since is not None and ready:
            became = format_timestamp(self.cluster.epoch + since)
        states = {"PodScheduled": (True, started), "Initialized": (True, started)}
        states |= {"ContainersReady": (ready, became), "Ready": (ready, became)}
        conditions = [
            {"type": name, "status": "True" if holds else "False", "lastTransitionTime": at}
            for name, (holds, at) in states.items()
        ]
        return {"phase": "Running", "startTime": started, "conditions": conditions}

    def _metadata(self, row: int, document: Document) -> Document:
        now = self.state.pods.infos[row].pod.metadata
        metadata = {**document["metadata"]}
        annotations = dict(now.annotations or {})
        for given in self.annotated:
            for key, text in (given.get(row) or {}).items():
                if text is None:
                    annotations.pop(key, None)
                else:
                    annotations[key] = text
        for name, value in (("labels", now.labels), ("annotations", annotations)):
            if (value or {}) != (metadata.get(name) or {}):
                metadata[name] = dict(value or {})
        if self.state.pods.is_terminating(row) and "deletionTimestamp" not in metadata:
            grace = grace_of(document)
            by = now.deletion_timestamp or format_timestamp(self.now + grace * _SECOND)
            metadata |= {"deletionTimestamp": by, "deletionGracePeriodSeconds": grace}
        return metadata

    def _ended(self, row: int, document: Document) -> Document | None:
        """Return a pod that has run out and was not removed since; None for any other that is gone."""
        cluster, version = self.cluster, self.state.pods.infos[row].pod
        at, why = (0, "") if cluster is None else cluster.ended.get(row) or (0, "")
        node = version.spec.node_name
        if cluster is None or why not in ("finished", "failed") or version.metadata.deletion_timestamp:
            return None
        if node not in self.state.nodes.index or self._was_deleted(document, at) or self._is_orphan(document):
            return None
        code = cluster.exit_codes.get(row) or 0
        finished = format_timestamp(cluster.epoch + at)
        ran = {"exitCode": code, "reason": "Error" if code else "Completed", "finishedAt": finished}
        spec = {**document["spec"], "nodeName": node}
        containers = [
            {"name": one["name"], "ready": False, "state": {"terminated": ran}} for one in spec["containers"]
        ]
        status = {
            **self._running(row),
            "phase": "Failed" if code else "Succeeded",
            "containerStatuses": containers,
        }
        for condition in status["conditions"]:
            if condition["type"] in ("ContainersReady", "Ready"):
                condition |= {"status": "False", "lastTransitionTime": finished}
        metadata = self._metadata(row, document)
        return {**_HEAD, **document, "metadata": metadata, "spec": spec, "status": status}

    def _is_orphan(self, pod: Document) -> bool:
        """Return whether the pod's controller was there and is no more: the garbage collector takes it."""
        assert self.cluster is not None
        gone = self.cluster.objects.changed.values
        owners = (pod["metadata"].get("ownerReferences") or ()) if gone else ()
        space = namespace_of(pod)
        keys = (
            key_of({**owner, "metadata": {"name": owner.get("name"), "namespace": space}})
            for owner in owners
            if owner.get("controller")
        )
        return any(key in gone and gone[key] is None for key in keys)


_HEAD = {"apiVersion": "v1", "kind": "Pod"}


def not_scheduled(reason: str, message: str) -> Document:
    """Return the condition of a pod that has no node."""
    return {"type": "PodScheduled", "status": "False", "reason": reason, "message": message}


def with_condition(status: Mapping[str, Any], condition: Document) -> list[Document]:
    """Return a status's conditions with this one in the place of its older self."""
    kept = [one for one in status.get("conditions") or () if one.get("type") != condition["type"]]
    return [*kept, condition]
