"""The rows of pods and actors as the log has them, and the state of a run as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from scheduler_core.events.state import ACTORS, NODE_PODS, NODES, PODS, ActorRow, PodRow, RunState
from scheduler_core.objects.amounts.requests import counted_by_scheduler
from scheduler_core.objects.identity import Owners, comes_back
from scheduler_core.objects.types import Pod
from scheduler_core.schedulers.registry import kinds
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.ordered_lists import OrderedLists
from scheduler_core.state.pod_changes import time_of
from scheduler_core.state.register import Register


class PodRows:
    """Describes pods; `documents` are the pods as objects, by uid."""

    def __init__(self, state: ClusterState, owners: Owners, documents: Register[str, dict[str, Any]]) -> None:
        self._state = state
        self._owners = owners
        self._documents = documents

    def __call__(self, pod: int) -> dict[str, Any]:
        """Return a pod's row in the present state."""
        state, info = self._state, self._state.pods.infos[pod]
        document = self._documents.values[info.uid]
        changes = state.pod_changes
        row = PodRow(
            uid=info.uid,
            namespace=info.namespace,
            name=info.name,
            priority=info.priority,
            labels=dict(info.labels),
            workload=self._owners.workload(document),
            requests={
                name: amount for name, amount in info.running_requests.items() if counted_by_scheduler(name)
            },
            scheduler=info.scheduler_name,
            node=changes.node[pod],
            nominated=changes.nominated[pod],
            start_time=time_of(int(state.pods.start_time[pod])),
            terminating=state.pods.is_terminating(pod),
            evicted=changes.evicted[pod],
            comes_back=comes_back(document),
            replaces=changes.replaces.get(pod),
        )
        builtins: dict[str, Any] = msgspec.to_builtins(row)
        builtins.pop("group", None)
        del builtins["devices"]
        claims = state.device_claims
        devices = claims.asks_of(info.pod) if claims is not None else []
        if devices:
            builtins["devices"] = devices
        return builtins | fields_of_schedulers(info.pod)


def fields_of_schedulers(pod: Pod) -> dict[str, Any]:
    """Return what schedulers add to the row of a pod that has to do with them."""
    return {name: value for kind in kinds().values() for name, value in kind.pod_fields(pod).items()}


def run_state(
    state: ClusterState,
    queues: Iterable[OrderedLists[Any]],
    more: Mapping[str, dict[str, dict[str, Any]]],
    actors: Sequence[ActorRow],
    at: int,
    time: int | None,
) -> RunState:
    """Return the whole state after decision `at`."""
    infos = state.pods.infos
    pods = [pod for pod in range(len(infos)) if pod not in state.gone.values]
    tables = {
        **more,
        ACTORS: {actor.name: msgspec.to_builtins(actor) for actor in actors},
        NODES: {name: state.node_changes.row(name) for name in state.nodes.names},
        PODS: {infos[pod].uid: state.pod_changes.row(pod) for pod in pods},
    }
    lists = {
        NODE_PODS: {
            name: {infos[pod].uid: place for place, pod in enumerate(members)}
            for name, members in state.placement.all_members()
        }
    }
    for queue in queues:
        lists[queue.name] = {
            part: {queue.id_of(pod): order for pod, order in members.items()}
            for part, members in queue.orders.items()
        }
    return RunState.of(at, time, tables, lists)
