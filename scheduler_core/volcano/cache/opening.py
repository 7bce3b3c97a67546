"""The beginning of a session: jobs, queues and nodes from what the cluster has.

Source: volcano v1.16 pkg/scheduler/cache/cache.go Snapshot, cache/event_handlers.go.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.objects.types import Node
from scheduler_core.state.cluster import ClusterState
from scheduler_core.volcano.configuration.scheduler_conf import Configuration
from scheduler_core.volcano.configuration.vgpu_config_map import config_map_of
from scheduler_core.volcano.devices.of_configuration import device_sharing
from scheduler_core.volcano.devices.vgpu_settings import vgpu_settings
from scheduler_core.volcano.framework.around_session import Witness
from scheduler_core.volcano.framework.session import Memory, Session
from scheduler_core.volcano.framework.whereabouts import Whereabouts, settle
from scheduler_core.volcano.model.around import Around
from scheduler_core.volcano.model.attachments import UnreadablePod, asked_by, offered_by
from scheduler_core.volcano.model.custom_resources import (
    DEFAULT_QUEUE,
    SCHEDULER_NAME,
    PodGroup,
    PriorityClass,
)
from scheduler_core.volcano.model.custom_resources import HyperNode as HyperNodeObject
from scheduler_core.volcano.model.custom_resources import Queue as QueueObject
from scheduler_core.volcano.model.hyper_nodes import Fabric, HyperNodes
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.nodes import Nodes
from scheduler_core.volcano.model.queues import Queue
from scheduler_core.volcano.model.tasks import COMPLETED, NO_TIME, Task
from scheduler_core.volcano.registry import PLUGINS


@dataclass(frozen=True)
class Contents:
    """What a scheduler's cache holds. `tasks` are all pods, also other schedulers' and finished ones.

    `places` is where jobs are, by uid, as far as earlier sessions have found out.
    """

    nodes: Sequence[Node]
    tasks: Sequence[Task]
    groups: Iterable[PodGroup]
    queues: Iterable[QueueObject]
    classes: Mapping[str, PriorityClass]
    around: Around = field(default_factory=Around)
    hyper_nodes: Iterable[HyperNodeObject] = ()
    places: Mapping[str, Whereabouts] = field(default_factory=dict)
    config_maps: Sequence[Mapping[str, Any]] = ()


def open_session(
    state: ClusterState, contents: Contents, configuration: Configuration, witness: Witness, memory: Memory
) -> Session:
    """Open a session. A pod group whose queue is not there takes no part."""
    tasks = list(_with_volumes(contents.tasks, state))
    attached = {name: offered_by(node) for name, node in state.volumes.csi_nodes.items()}
    nodes = Nodes(contents.nodes, (task.request for task in tasks), attached)
    settings = vgpu_settings(contents.config_maps, config_map_of(configuration))
    nodes.devices = device_sharing(configuration).by_row(contents.nodes, settings)
    queues = {queue.name: queue for queue in map(Queue.of, contents.queues)}
    # Where several say that they are the default, the cache has seen the last of them last.
    default = next((one.value for one in reversed([*contents.classes.values()]) if one.global_default), 0)
    jobs: dict[str, Job] = {}
    for group in contents.groups:
        job = _job(group, contents.classes, default)
        if job.queue in queues:
            jobs[job.uid] = job
    for task in tasks:
        if not task.node and task.pod.spec.scheduler_name != SCHEDULER_NAME:
            # Others' pods are known once they have a node.
            continue
        if task.node in nodes.row and task.status not in COMPLETED:
            nodes.add(task, nodes.row[task.node])
        if task.job in jobs:
            jobs[task.job].add(task)
    tree = HyperNodes(Fabric(contents.hyper_nodes, contents.nodes), nodes)
    news = settle(jobs.values(), tree, nodes, contents.places)
    plugins = PLUGINS.__getitem__
    session = Session(
        state, nodes, tree, jobs, queues, configuration, plugins, witness, memory, contents.around
    )
    session.relocated |= news
    return session


def _with_volumes(tasks: Iterable[Task], state: ClusterState) -> Iterator[Task]:
    """Yield the tasks that the cache takes in, with the volumes that they ask for."""
    for task in tasks:
        if task.pod.spec.volumes and task.status not in COMPLETED:
            try:
                task.ask(asked_by(task.pod, state.volumes))
            except UnreadablePod:
                continue
        yield task


def _job(group: PodGroup, classes: Mapping[str, PriorityClass], default: int) -> Job:
    metadata = group.metadata
    namespace = metadata.namespace or "default"
    of_class = classes.get(group.spec.priority_class_name)
    return Job(
        uid=f"{namespace}/{metadata.name}",
        namespace=namespace,
        name=metadata.name,
        queue=group.spec.queue or DEFAULT_QUEUE,
        priority=default if of_class is None else of_class.value,
        created=parse_timestamp(metadata.creation_timestamp, NO_TIME),
        group=group,
        phase=group.status.phase,
        conditions=list(group.status.conditions or ()),
    )
