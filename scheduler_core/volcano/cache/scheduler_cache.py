"""What Volcano's cache holds of a run's cluster, and what a session sees of it.

Source: volcano v1.16 pkg/scheduler/cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import msgspec

from scheduler_core.events.state import GROUPS, QUEUES
from scheduler_core.objects import types
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.objects.types import Pod
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.log_table import Rows
from scheduler_core.state.register import Register, SortedRegister
from scheduler_core.volcano.cache.conditions import conditions_since
from scheduler_core.volcano.cache.hyper_node_cache import HyperNodeCache
from scheduler_core.volcano.cache.known_objects import KnownObjects
from scheduler_core.volcano.cache.known_topologies import KnownTopologies
from scheduler_core.volcano.cache.opening import Contents
from scheduler_core.volcano.cache.session_figures import figures, share_of
from scheduler_core.volcano.cache.tables import GroupRow, QueueRow
from scheduler_core.volcano.imports.references import with_own_queues
from scheduler_core.volcano.model.around import Around, quotas_of
from scheduler_core.volcano.model.custom_resources import (
    DEFAULT_QUEUE,
    READ_BY_SCHEDULER,
    PodGroup,
    PodGroupCondition,
    PodGroupStatus,
    PriorityClass,
    Queue,
    is_of,
)
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.label_discovery import discovery_in
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import Task, TaskStatus, make_task
from scheduler_core.volcano.numa.topology import NodeTopology
from scheduler_core.volcano.plugin_rules.queue_shares import QueueShare

Object = Mapping[str, Any]
R = TypeVar("R", bound=msgspec.Struct)
_OF_QUEUES = ("deserved", "allocated", "request", "inqueue", "share")
_OF_GROUPS = ("phase", "reason", "message", "share")
"""What sessions write into a row."""


class VolcanoCluster(Checkpointed):
    """Pod groups, queues, hyper nodes and finished pods beside the cluster's state.

    `finished` are pods that have run to their end, which the state leaves out; jobs count them. `_ended`
    numbers those that have in this run. `epoch` is the run's start in nanoseconds since 1970. `bound_with`
    has by the pod's row the annotations that binds have written.
    """

    remembered = {
        "groups": "groups",
        "queues": "queues",
        "conditions": "_conditions",
        "bound_with": "bound_with",
        "cpus": "_cpus",
        "topologies": "_topologies",
        "memory": "memory",
        "known_groups": "_groups",
        "known_queues": "_queues",
        "finished": "_finished",
        "ended": "_ended",
        "failed": "_failed",
        "hyper_nodes": "hyper_nodes",
    }

    def __init__(
        self,
        state: ClusterState,
        objects: Iterable[Object],
        epoch: int = 0,
        bound_with: Register[int, dict[str, str]] | None = None,
    ) -> None:
        self.state = state
        self.epoch = epoch
        kinds: dict[str, list[Object]] = {}
        for item in objects:
            if item["kind"] not in READ_BY_SCHEDULER or is_of(item, item["kind"]):
                kinds.setdefault(str(item["kind"]), []).append(item)
        journal = state.journal
        groups = ((_key(item), types.convert(dict(item), PodGroup)) for item in kinds.get("PodGroup", ()))
        self._groups = KnownObjects(journal, PodGroup, groups)
        queues = [types.convert(item, Queue) for item in with_own_queues(kinds.get("Queue", ()))]
        self._queues = KnownObjects(journal, Queue, ((queue.metadata.name, queue) for queue in queues))
        self._classes = {
            item["metadata"]["name"]: types.convert(dict(item), PriorityClass)
            for item in kinds.get("PriorityClass", ())
        }
        self._quotas = quotas_of(kinds.get("ResourceQuota", ()))
        self._topologies = KnownTopologies(journal, kinds.get("Numatopology", ()))
        pods = [types.convert(dict(item), Pod) for item in kinds.get("Pod", ())]
        finished = ((str(pod.metadata.uid), pod) for pod in pods if pod.status.phase in ENDED_PHASES)
        self._finished = KnownObjects(journal, Pod, finished)
        self._ended: SortedRegister[int, int] = SortedRegister(journal)
        self._failed: Register[int, bool] = Register(journal)
        rows = ((key, self._group_row(group)) for key, group in self._groups.items())
        self.groups: Rows[GroupRow] = Rows(journal, GROUPS, GroupRow, rows)
        lines = ((name, _queue_row(queue)) for name, queue in self._queues.items())
        self.queues: Rows[QueueRow] = Rows(journal, QUEUES, QueueRow, lines)
        self.config_maps = kinds.get("ConfigMap", [])
        discovery = discovery_in(self.config_maps)
        self.hyper_nodes = HyperNodeCache(state, kinds.get("HyperNode", ()), discovery)
        self._conditions: Register[str, list[dict[str, Any]]] = Register(journal)
        self.bound_with = Register[int, dict[str, str]](journal) if bound_with is None else bound_with
        self._cpus: Register[int, list[int]] = Register(journal)
        self.memory: Register[str, int] = Register(journal, {"next_node": 0}.items())

    def _group_row(self, group: PodGroup) -> GroupRow:
        default = next((one.value for one in self._classes.values() if one.global_default), 0)
        of_class = self._classes.get(group.spec.priority_class_name)
        return GroupRow(
            namespace=group.metadata.namespace or "default",
            name=group.metadata.name,
            queue=group.spec.queue or DEFAULT_QUEUE,
            priority=default if of_class is None else of_class.value,
            min_member=group.spec.min_member,
            min_resources=figures(Resource.of(group.spec.min_resources)),
            phase=group.status.phase or "Pending",
        )

    # -- what comes, changes and goes ----------------------------------------------------------------

    def put(self, document: Object) -> None:
        """Let one of Volcano's objects come or change; what sessions have written of it stays."""
        if document["kind"] == "HyperNode":
            self.hyper_nodes.put(document)
            return
        if document["kind"] == "Numatopology":
            self._topologies.take(document)
            return
        if document["kind"] == "Queue":
            queue = types.convert(dict(document), Queue)
            self._queues.know(queue.metadata.name, queue)
            name = queue.metadata.name
            self.queues.put(name, _keeping(_OF_QUEUES, self.queues.rows.get(name), _queue_row(queue)))
            return
        key, group = _key(document), types.convert(dict(document), PodGroup)
        self._groups.know(key, group)
        self.groups.put(key, _keeping(_OF_GROUPS, self.groups.rows.get(key), self._group_row(group)))

    def drop(self, document: Object) -> bool:
        """Let one of Volcano's objects go; False if it isn't there."""
        if document["kind"] == "HyperNode":
            return self.hyper_nodes.drop(document["metadata"]["name"])
        if document["kind"] == "Numatopology":
            return self._topologies.let_go(document["metadata"]["name"])
        if document["kind"] == "Queue":
            name = document["metadata"]["name"]
            if name not in self._queues:
                return False
            self._queues.drop(name)
            self.queues.drop(name)
            return True
        key = _key(document)
        if key not in self._groups:
            return False
        self._groups.drop(key)
        self.groups.drop(key)
        if self._conditions.get(key) is not None:
            self._conditions.drop(key)
        return True

    def status_of(self, key: str) -> tuple[str, list[dict[str, Any]] | None]:
        """Return phase and conditions of a pod group; None where no session has written any."""
        return self.groups.rows[key].phase, self._conditions.get(key)

    def drop_finished(self, uid: str) -> None:
        """Forget a pod that has run to its end and was deleted."""
        if uid in self._finished:
            self._finished.drop(uid)
        pod = self.state.pods.by_uid.get(uid)
        if pod is not None and self._ended.get(pod) is not None:
            self._ended.drop(pod)

    # -- a session's view ----------------------------------------------------------------------------

    def contents(self, elapsed: int = 0) -> Contents:
        """Return what a session opens with so many nanoseconds after the run's start.

        Who was bound in this run runs by then.
        """
        return Contents(
            self.state.nodes.objects,
            [*self._tasks(), *self._ended_tasks()],
            [self._group(key, group) for key, group in self._groups.items()],
            [queue for _, queue in self._queues.items()],
            self._classes,
            Around(
                self.epoch + elapsed, self._quotas, self.state.budgets, self._free_topologies(), self.epoch
            ),
            self.hyper_nodes.objects(),
            self.hyper_nodes.places(),
            self.config_maps,
        )

    def _free_topologies(self) -> dict[str, NodeTopology]:
        """Return the NUMA nodes without the cpus that this run's pods hold."""
        free = self._topologies.topologies()
        for pod, cpus in self._cpus.values.items():
            node = self.state.node_of(pod)
            has_left = pod in self.state.gone.values or self._ended.get(pod) is not None
            if node in free and not has_left:
                free[node] = replace(free[node], free=free[node].free - frozenset(cpus))
        return free

    def _tasks(self) -> Iterator[Task]:
        state = self.state
        for info in state.present():
            task = make_task(info.pod, info.row, state.nominated[info.row])
            node = state.node_of(info.row)
            if state.pods.is_terminating(info.row):
                task.status = TaskStatus.RELEASING
            elif node and not task.node:
                task.status = TaskStatus.RUNNING
            task.node = node
            task.bound_with = self.bound_with.get(info.row) or {}
            yield task

    def _ended_tasks(self) -> Iterator[Task]:
        for _, view in self._finished.items():
            yield make_task(view, None)
        for pod in self._ended.in_order():
            task = make_task(self.state.pods.infos[pod].pod, None)
            task.status = TaskStatus.FAILED if self._failed.get(pod) else TaskStatus.SUCCEEDED
            yield task

    def bind(self, task: Task) -> None:
        """Note what a bind has written into a pod's annotations, and the cpus that the pod holds."""
        assert task.row is not None
        if task.sent:
            self.bound_with.put(task.row, dict(task.sent))
        if task.cpus:
            self._cpus.put(task.row, sorted(task.cpus))

    def end(self, pod: int, *, failed: bool) -> None:
        """Note that a pod of the state has run to its end."""
        last = self._ended.last()
        self._ended.put(pod, 0 if last is None else self._ended.values[last] + 1)
        if failed:
            self._failed.put(pod, True)

    def _group(self, key: str, group: PodGroup) -> PodGroup:
        row = self.groups.rows[key]
        conditions = self._conditions.get(key)
        status = PodGroupStatus(
            phase=row.phase,
            conditions=group.status.conditions
            if conditions is None
            else msgspec.convert(conditions, list[PodGroupCondition]),
        )
        return msgspec.structs.replace(group, status=status)

    def snapshot(self) -> ClusterState:
        """Return the filters' own view of the cluster: what a session tries there changes nothing here."""
        state = self.state
        view = ClusterState(
            state.nodes,
            state.pods,
            namespaces=state.namespaces,
            groups=state.groups,
            volumes=state.volumes,
            devices=state.devices,
        )
        view.placement.load(state.placement.dump())
        for name, members in view.placement.all_members():
            for pod in members:
                view.taken_ports.take(state.pods.infos[pod].host_ports, name)
        view.forget_journal()
        return view

    # -- what a session writes -----------------------------------------------------------------------

    def write_group(self, job: Job, share: float | None, instant: str) -> None:
        """Keep a pod group's phase and conditions; what is written anew has been so since `instant`."""
        conditions = msgspec.to_builtins(conditions_since(job, instant))
        if conditions != self._conditions.get(job.uid):
            self._conditions.put(job.uid, conditions)
        self.groups.put(job.uid, self._group_after(job, share))

    def has_group(self, job: Job, share: float | None) -> bool:
        """Return whether a group's phase, conditions and share are kept already, or the group is gone."""
        if job.uid not in self.groups.rows:
            return True
        conditions = self._conditions.get(job.uid) or []
        return (
            self.groups.rows[job.uid] == self._group_after(job, share)
            and msgspec.to_builtins(conditions_since(job, None)) == conditions
        )

    def _group_after(self, job: Job, share: float | None) -> GroupRow:
        """What was written last is told until a session writes again: its place in the list is its type's."""
        row = msgspec.structs.replace(self.groups.rows[job.uid], phase=job.phase, share=share)
        told = job.written
        if told is None and not row.reason and job.conditions:
            told = job.conditions[-1]
        return row if told is None else msgspec.structs.replace(row, reason=told.reason, message=told.message)

    def write_queue(self, one: QueueShare) -> None:
        """Keep a queue's figures."""
        self.queues.put(one.queue.name, self._queue_after(one))

    def has_queue(self, one: QueueShare) -> bool:
        """Return whether a queue's figures are kept already."""
        return self.queues.rows[one.queue.name] == self._queue_after(one)

    def queues_with(self, figured: Iterable[QueueShare]) -> dict[str, QueueRow]:
        """Return the rows of all queues as they would be with these figures."""
        return dict(self.queues.rows) | {one.queue.name: self._queue_after(one) for one in figured}

    def _queue_after(self, one: QueueShare) -> QueueRow:
        return msgspec.structs.replace(
            self.queues.rows[one.queue.name],
            deserved=figures(one.deserved),
            allocated=figures(one.allocated),
            request=figures(one.request),
            inqueue=figures(one.inqueue),
            share=share_of(one),
        )


def _keeping(fields: Iterable[str], old: R | None, new: R) -> R:
    """Return a new row with what the old one has in some fields, if there was one."""
    return (
        new if old is None else msgspec.structs.replace(new, **{name: getattr(old, name) for name in fields})
    )


def _queue_row(queue: Queue) -> QueueRow:
    spec = queue.spec
    return QueueRow(
        name=queue.metadata.name,
        weight=spec.weight,
        priority=spec.priority,
        parent=spec.parent,
        reclaimable=spec.reclaimable is not False,
        state=queue.status.state,
        capability=figures(Resource.of(spec.capability)) if spec.capability else {},
        guarantee=figures(Resource.of(spec.guarantee.resource)) if spec.guarantee.resource else {},
    )


def _key(item: Object) -> str:
    return f"{item['metadata'].get('namespace') or 'default'}/{item['metadata']['name']}"
