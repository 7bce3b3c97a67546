"""Recorded operations on the scheduling queue since the framework, with its cluster events and hints.

The clock starts at 0 and moves on by a millisecond before every operation.

Source: docs/verification.md, the family `queue`.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from recorded.kube.moves import in_seconds, recorded_move, with_hints
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.queueing.backoff import SECOND, backoff_of
from scheduler_core.kube.queueing.queued_pod import QueuedPod
from scheduler_core.kube.queueing.report import EventHeard, Report
from scheduler_core.kube.queueing.scheduling_queue import Failure
from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.kube.release import Release
from scheduler_core.objects.imports.pods_with_devices import Devices
from scheduler_core.objects.kinds import (
    DEVICE_CLASS,
    NAMESPACE,
    POD,
    REPLICA_SET,
    REPLICATION_CONTROLLER,
    SERVICE,
    STATEFUL_SET,
    Kind,
    kind_named,
    kind_of,
)
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.types import KubernetesObject, ObjectMeta, Pod, convert
from scheduler_core.state.build import build_state, object_name
from scheduler_core.state.cluster import Groups
from scheduler_core.state.journal import Journal

_MILLISECOND = 10**6
_EARLY = "SchedulerPopFromBackoffQ"
_ASKED_KINDS = (NAMESPACE, SERVICE, REPLICATION_CONTROLLER, REPLICA_SET, STATEFUL_SET, DEVICE_CLASS)
"""What hints ask of the cluster is made from these."""
_Key = tuple[Kind, str]
"""A kind, and `name` or `namespace/name`."""


def play(case: Mapping[str, Any], release: Release = V1_36) -> dict[str, Any]:
    """Do a case's operations and return its steps. Raises BadInput where one cannot be done."""
    player = QueuePlayer(case, release)
    return {"steps": [player.step(op) for op in case["ops"]]}


class _Cluster:
    """The objects as they are now; what the hints may ask."""

    device_claims = None

    def __init__(self) -> None:
        self.objects: dict[_Key, KubernetesObject] = {}
        self._asked: dict[_Key, dict[str, Any]] = {}

    @property
    def groups(self) -> Groups:
        """Which pods belong together."""
        return build_state(list(self._asked.values())).state.groups

    @property
    def namespaces(self) -> dict[str, dict[str, str]]:
        """The labels of each namespace."""
        return {
            document["metadata"]["name"]: document["metadata"].get("labels") or {}
            for kind, document in ((key[0], document) for key, document in self._asked.items())
            if kind == NAMESPACE
        }

    def pods_on(self, node: str) -> list[Pod]:
        """Return the pods on a node."""
        return [
            item for item in self.objects.values() if isinstance(item, Pod) and item.spec.node_name == node
        ]

    @property
    def devices(self) -> Devices:
        """What DeviceClasses stand for."""
        return Devices(self._asked.values())

    def put(self, document: dict[str, Any]) -> tuple[KubernetesObject | None, KubernetesObject | None]:
        """Take an object in; return it as it was and as it is. An unwatched kind is nothing.

        Raises BadInput where the object cannot be read.
        """
        key = _key_of_document(document)
        if key[0] in _ASKED_KINDS:
            self._asked[key] = document
        if key[0] not in WATCHED:
            return None, None
        old = self.objects.get(key)
        try:
            self.objects[key] = convert(document, WATCHED[key[0]])
        except msgspec.ValidationError as error:
            raise BadInput([Problem(object_name(document), "", str(error))]) from error
        return old, self.objects[key]

    def drop(self, key: _Key) -> KubernetesObject | None:
        """Forget an object and return it."""
        self._asked.pop(key, None)
        return self.objects.pop(key, None)

    def pod(self, key: str) -> Pod | None:
        """Return the pod of a name."""
        pod = self.objects.get((POD, key))
        return pod if isinstance(pod, Pod) else None


class QueuePlayer:
    """A queue, the cluster around it, and the clock in nanoseconds."""

    def __init__(self, case: Mapping[str, Any], release: Release = V1_36) -> None:
        gates, config = case.get("gates") or {}, case.get("config")
        if set(gates) - {_EARLY}:
            raise BadInput([Problem("case", "gates", f"only {_EARLY} can be set here")])
        self.cluster, self.now = _Cluster(), 0
        self.journal = Journal()
        self.queue = release.queue(
            build_profiles(config, gates=release.gates, release=release),
            self.cluster,
            backoff_of(config, release.queueing, pops_early=gates.get(_EARLY)),
            self.journal,
            queueing=release.queueing,
        )
        self._handlers = release.handlers(self.queue)
        self._uids: dict[str, str] = {}
        items = case["cluster"]["items"]
        for document in sorted(items, key=lambda document: kind_of(document) == POD):
            self._put(document)

    def step(self, op: Mapping[str, Any]) -> dict[str, Any]:
        """Do one operation and return what it did, with the queue's state after it."""
        self.now += _MILLISECOND
        step: dict[str, Any] = {}
        report = self._pop(step) if op["op"] == "pop" else self._do(op)
        step["at"] = in_seconds(self.now)
        if report.events:
            step["events"] = [_event(event) for event in report.events]
        step["moves"] = [recorded_move(move, self.now) for move in report.moves]
        step["state"] = self.state()
        return step

    def _do(self, op: Mapping[str, Any]) -> Report:
        match op["op"]:
            case "add" | "update":
                return self._put(op["object"])
            case "delete":
                return self._drop(op["delete"])
            case "fail":
                return self._fail(op)
            case "done":
                return self._done(op["pod"], op.get("node") or "")
            case "activate":
                return self.queue.activate([self._named(key) for key in sorted(op["pods"])], self.now)
            case "clock":
                self.now += int(op["seconds"] * SECOND)
                return Report()
            case "flush_backoff":
                return self.queue.flush_backoff(self.now)
            case "flush_unschedulable":
                return self.queue.flush_unschedulable(self.now)
        raise _bad(f"unknown operation {op['op']!r}")

    def _put(self, document: dict[str, Any]) -> Report:
        old, new = self.cluster.put(document)
        if new is None:
            return Report()
        if old is None:
            return self._handlers.added(new, self.now)
        return self._handlers.updated(old, new, self.now)

    def _drop(self, what: str) -> Report:
        kind, _, key = what.partition(" ")
        gone = self.cluster.drop((kind_named(kind), key))
        if gone is None and kind != "Pod":
            raise _bad(f"no {what}")
        return Report() if gone is None else self._handlers.deleted(gone, self.now)

    def _pop(self, step: dict[str, Any]) -> Report:
        queued = self.queue.next()
        step["returns"] = queued.key if queued is not None else ""
        if queued is None:
            return Report()
        step["from"] = queued.part
        self._uids[queued.key] = queued.uid
        return self.queue.pop()[1]

    def _fail(self, op: Mapping[str, Any]) -> Report:
        rejected = not op.get("error")
        failure = Failure(
            frozenset(op.get("plugins") or ()) if rejected else frozenset(),
            frozenset(op.get("pending") or ()) if rejected else frozenset(),
            op.get("nominate"),
        )
        return self.queue.put_back(self._landed(op["pod"]), self.cluster.pod(op["pod"]), failure, self.now)

    def _done(self, key: str, node: str) -> Report:
        report = self.queue.done(self._landed(key))
        pod = self.cluster.pod(key)
        if pod is not None and node:
            bound = msgspec.structs.replace(
                pod,
                spec=msgspec.structs.replace(pod.spec, node_name=node),
                status=msgspec.structs.replace(pod.status, nominated_node_name=None),
            )
            self.cluster.objects[POD, key] = bound
            report.extend(self._handlers.updated(pod, bound, self.now))
        return report

    def _landed(self, key: str) -> str:
        if key not in self._uids:
            raise _bad(f"{key} is not in flight")
        return self._uids.pop(key)

    def _named(self, key: str) -> Pod:
        namespace, _, name = key.partition("/")
        stranger = Pod(metadata=ObjectMeta(name=name, namespace=namespace, uid=key))
        return self.cluster.pod(key) or stranger

    # -- as it was recorded --------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """Return all of the queue as it was recorded."""
        tables = self.queue.tables
        return {
            "active": [queued.key for queued in tables.active()],
            "backoff": [_backing_off(queued) for queued in tables.backoff()],
            "unschedulable": [_parked(queued) for queued in tables.members("unschedulable")],
            "gated": [_parked(queued) for queued in tables.members("gated")],
            "in_flight": [queued.key for queued in tables.members("in_flight")],
            "nominated": self.queue.nominator.of_nodes(),
            "counts": {
                queued.key: {
                    "attempts": queued.attempts,
                    "rejections": queued.rejections,
                    "errors": queued.errors,
                }
                for queued in tables.pods.values()
            },
        }


def _key_of_document(document: Mapping[str, Any]) -> _Key:
    metadata = document.get("metadata") or {}
    name, namespace = metadata.get("name") or "", metadata.get("namespace")
    return kind_of(document), f"{namespace}/{name}" if namespace else name


def _event(event: EventHeard) -> dict[str, Any]:
    recorded: dict[str, Any] = {"event": event.event}
    if event.ignored:
        recorded["ignored"] = True
    return with_hints(recorded, event.hints)


def _backing_off(queued: QueuedPod) -> dict[str, Any]:
    recorded: dict[str, Any] = {"pod": queued.key, "expires": in_seconds(queued.expires or 0)}
    return recorded if queued.rejecters else recorded | {"error": True}


def _parked(queued: QueuedPod) -> dict[str, Any]:
    recorded: dict[str, Any] = {
        "pod": queued.key,
        "since": in_seconds(queued.since),
        "plugins": sorted(queued.plugins),
    }
    if queued.pending:
        recorded["pending"] = sorted(queued.pending)
    return recorded | {"gate": queued.gate} if queued.gate else recorded


def _bad(message: str) -> BadInput:
    return BadInput([Problem("case", "ops", message)])
