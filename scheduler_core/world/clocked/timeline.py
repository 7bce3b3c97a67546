"""What a scenario lets happen at an instant: objects come, change and go, pods run out.

An entry about something that isn't there any more does nothing.

Source: the family `timed` of the recorded cases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.queueing.watched import WATCHED
from scheduler_core.objects.imports.pods_with_devices import DEVICE_KINDS
from scheduler_core.objects.kinds import NODE, POD, POD_GROUP, WORKLOAD_KINDS
from scheduler_core.objects.pod_groups import PodGroup
from scheduler_core.objects.types import KubernetesObject, Node, ObjectMeta, Pod
from scheduler_core.schedulers.registry import own_kinds
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.register import Register
from scheduler_core.state.surroundings import KINDS as SURROUNDINGS
from scheduler_core.state.surroundings import key_of
from scheduler_core.world.clocked.actor import ClockedActor
from scheduler_core.world.clocked.happening import Happening
from scheduler_core.world.clocked.healthy_pods import allowing
from scheduler_core.world.clocked.live_cluster import Cluster
from scheduler_core.world.controllers.node_health import ready_of, taints_of, with_ready, with_taints
from scheduler_core.world.controllers.silent_kubelets import STOPPED
from scheduler_core.world.timeline_entry import ONLY_KNOWN, Entry

T = TypeVar("T", bound=msgspec.Struct)
Surplus = Callable[[Entry], list[int]]
"""Says which pods a controller deletes that is to have fewer, by row."""
OverQuota = Callable[[dict[str, Any]], str]
"""Says why the quotas of now refuse a workload's pod; empty where they don't."""


class Timeline(ClockedActor, Checkpointed):
    """Its entries happen one after another, in their order."""

    remembered = {"progress": "_progress"}

    def __init__(
        self,
        cluster: Cluster,
        entries: Sequence[Entry],
        surplus: Surplus,
        over_quota: OverQuota = lambda pod: "",
    ) -> None:
        self._cluster = cluster
        self.entries = list(entries)
        self._surplus = surplus
        self._over_quota = over_quota
        self._progress: Register[str, int] = Register(cluster.state.journal, {"entries": 0}.items())

    def due(self) -> int | None:
        place = self._progress.values["entries"]
        return self.entries[place].at if place < len(self.entries) else None

    @property
    def happened(self) -> Sequence[Entry]:
        """The entries so far."""
        return self.entries[: self._progress.values["entries"]]

    def act(self) -> Happening:
        place = self._progress.values["entries"]
        self._progress.put("entries", place + 1)
        entry = self.entries[place]
        if why := self._refusal(entry):
            return Happening("entry", None, entry=entry, why=why)
        before = self._cluster.pod_of(entry.key) if entry.kind == POD else None
        report = self._shrink(entry) if entry.verb == "shrink" else carry_out(entry, self._cluster)
        if entry.verb == "delete" and entry.kind in WORKLOAD_KINDS:
            report = self._collect(entry, report)
        pod = self._cluster.pod_of(entry.key) if entry.verb == "put" else before
        self._note(entry)
        return Happening("entry", report, entry=entry, pod=pod)

    def _refusal(self, entry: Entry) -> str:
        """Return why a pod doesn't come: since the edits were read, others have taken what its quota has.

        Its controller finds it missing, and tries again.
        """
        if entry.verb != "put" or entry.kind != POD or entry.document is None:
            return ""
        return self._over_quota(entry.document)

    def _note(self, entry: Entry) -> None:
        """Let controllers know the objects of now."""
        if entry.document is None or entry.kind in (POD, NODE):
            return
        if entry.verb in ("put", "update"):
            self._cluster.objects.put(entry.document)
        elif entry.verb == "delete":
            self._cluster.objects.drop(entry.document)

    def _shrink(self, entry: Entry) -> Report:
        report = Report()
        for pod in self._surplus(entry):
            report.extend(self._cluster.terminate(pod, "deleted"))
        return report

    def _collect(self, entry: Entry, report: Report | None) -> Report | None:
        """Delete, as the garbage collector does, a deleted workload's pods that came in the run."""
        assert entry.document is not None
        uid = (entry.document.get("metadata") or {}).get("uid")
        for pod in self._surplus(replace(entry, keep=0, related=(uid,))) if uid else ():
            report = report or Report()
            report.extend(self._cluster.terminate(pod, "deleted"))
        return report


def carry_out(entry: Entry, cluster: Cluster) -> Report | None:
    """Let an entry happen; None if what it is about isn't there."""
    match entry.verb:
        case "put" if isinstance(entry.item, Pod):
            return cluster.add_pod(entry.item)
        case "update" if isinstance(entry.item, Pod):
            return _update_pod(entry, entry.item, cluster)
        case "put" | "update" | "delete" if entry.kind in SURROUNDINGS:
            return _surround(entry, cluster)
        case "put" | "update" | "delete" if entry.kind in own_kinds():
            return _tell_scheduler(entry, cluster)
        case "put" | "update" if entry.kind in DEVICE_KINDS:
            assert entry.document is not None
            return cluster.claims.put(entry.document)
        case "delete" if entry.kind in DEVICE_KINDS:
            return cluster.claims.drop(entry.kind, entry.key)
        case "put" | "update" if isinstance(entry.item, PodGroup):
            return cluster.tell(None, entry.item)
        case "delete" if entry.kind == POD_GROUP:
            namespace, _, name = entry.key.rpartition("/")
            return cluster.tell(PodGroup(ObjectMeta(name=name, namespace=namespace)), None)
        case "put" | "update" | "delete" if entry.kind in ONLY_KNOWN:
            return None
        case "put" | "update":
            assert entry.item is not None
            return cluster.put(_in_its_health(entry.item, cluster))
        case "stop":
            return _stop(entry, cluster)
        case "start":
            return cluster.speak(entry.key) if entry.key in cluster.kubelets else _there(entry, cluster)
        case "evict":
            return cluster.ask_to_evict(entry.key, entry.until)
        case "drain" if entry.rolls is not None:
            report = cluster.cordon(entry.key, closed=True)
            if report is not None:
                report.extend(cluster.ask_to_drain(entry.key, entry.until) or Report())
            return report
        case "uncordon":
            return cluster.cordon(entry.key, closed=False)
        case "drain":
            return cluster.ask_to_drain(entry.key, entry.until)
        case "finish":
            return _finish(entry, cluster)
        case "delete" | "remove" if entry.kind == POD:
            pod = cluster.pod_of(entry.key)
            return None if pod is None else cluster.terminate(pod, f"{entry.verb}d")
        case _:
            item = _named(entry, cluster)
            return None if item is None else cluster.drop(item)


def _in_its_health(item: KubernetesObject, cluster: Cluster) -> KubernetesObject:
    """An edit of a node leaves it as unreachable as it is by then."""
    if not isinstance(item, Node) or item.metadata.name not in cluster.kubelets:
        return item
    row = cluster.state.nodes.index.get(item.metadata.name)
    if row is None:
        return item
    present = cluster.state.nodes.objects[row]
    if (ready := ready_of(present)) is not None:
        item = with_ready(item, ready)
    if cluster.kubelets.silent.values[item.metadata.name].why == STOPPED:
        item = with_taints(item, taints_of(present))
    return item


def _stop(entry: Entry, cluster: Cluster) -> Report | None:
    """A kubelet that is silent already stays so."""
    if entry.key not in cluster.state.nodes.index or entry.key in cluster.kubelets:
        return _there(entry, cluster)
    return cluster.silence(entry.key, STOPPED, entry.until)


def _there(entry: Entry, cluster: Cluster) -> Report | None:
    return Report() if entry.key in cluster.state.nodes.index else None


def _surround(entry: Entry, cluster: Cluster) -> Report | None:
    """Nobody is woken by it: the next attempts, drains and evictions read what is there then."""
    assert entry.document is not None
    surroundings = cluster.state.surroundings
    if entry.verb == "delete":
        return Report() if surroundings.drop(key_of(entry.document)) else None
    surroundings.put(allowing(entry.document, cluster))
    return Report()


def _tell_scheduler(entry: Entry, cluster: Cluster) -> Report | None:
    """Where the scheduler that brings the kind does not act, nobody reads its objects."""
    assert entry.document is not None
    own = cluster.own_objects.get(entry.kind)
    if own is None:
        return Report()
    return own.drop(entry.document) if entry.verb == "delete" else own.put(entry.document)


def _update_pod(entry: Entry, item: Pod, cluster: Cluster) -> Report | None:
    """The entry brings metadata and spec; what the cluster has done to the pod stays."""
    pod = cluster.pod_of(entry.key)
    if pod is None:
        return None
    old = cluster.state.pods.infos[pod].pod
    gates = old.spec.scheduling_gates if old.spec.node_name else item.spec.scheduling_gates
    return cluster.update(
        pod,
        Pod(
            _with(item.metadata, uid=old.metadata.uid, deletion_timestamp=old.metadata.deletion_timestamp),
            _with(item.spec, node_name=old.spec.node_name, scheduling_gates=gates),
            old.status,
        ),
    )


def _finish(entry: Entry, cluster: Cluster) -> Report | None:
    pod = cluster.pod_of(entry.key)
    if pod is None or not cluster.state.pods.infos[pod].pod.spec.node_name:
        return None
    return cluster.vanish(pod, "finished")


def _named(entry: Entry, cluster: Cluster) -> KubernetesObject | None:
    kind = WATCHED[entry.kind]
    if kind is Node:
        row = cluster.state.nodes.index.get(entry.key)
        return None if row is None else cluster.state.nodes.objects[row]
    namespace, slash, name = entry.key.rpartition("/")
    return cluster.state.volumes.find(kind, (namespace, name) if slash else name)


def _with(struct: T, **fields: Any) -> T:
    return msgspec.structs.replace(struct, **fields)
