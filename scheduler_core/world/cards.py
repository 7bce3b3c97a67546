"""Nodes and pods as the screens know them, and the state of a run as a whole."""

from collections.abc import Mapping
from typing import Any

from scheduler_core.events.decisions import NodeCard, PodCard, QueuePlace, RunState, Taint
from scheduler_core.kube.attempt_event import start_time
from scheduler_core.kube.queue import SchedulingQueue
from scheduler_core.objects.identity import Owners, comes_back
from scheduler_core.objects.requests import counted_by_scheduler
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import NodeTable


class Cards:
    """Makes cards; `documents` are the pods as objects, by uid."""

    def __init__(self, owners: Owners, documents: Mapping[str, dict[str, Any]]) -> None:
        self._owners = owners
        self._documents = documents

    def card(self, state: ClusterState, pod: int, place: QueuePlace | None) -> PodCard:
        """Return a pod's card in the present state."""
        info = state.pods.infos[pod]
        document = self._documents[info.uid]
        node = int(state.pod_node[pod])
        bound = node >= 0
        return PodCard(
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
            node=state.nodes.names[node] if bound else info.pod.spec.node_name or "",
            nominated=state.nominated[pod],
            queue=place,
            start_time=start_time(state, pod) if bound else None,
            terminating=bool(state.pods.terminating[pod]),
            comes_back=comes_back(document),
        )

    def run_state(self, state: ClusterState, queue: SchedulingQueue, at: int) -> RunState:
        """Return the whole state after decision `at`."""
        present = [pod for pod in range(len(state.pods)) if pod not in state.gone]
        infos = state.pods.infos
        return RunState(
            at=at,
            nodes=[node_card(state.nodes, node) for node in range(len(state.nodes))],
            pods=[self.card(state, pod, queue.place(pod)) for pod in present],
            node_pods={
                name: [infos[pod].uid for pod in pods]
                for name, pods in zip(state.nodes.names, state.node_pods, strict=True)
            },
        )


def node_card(nodes: NodeTable, node: int) -> NodeCard:
    """Return a node's card."""
    amounts = nodes.allocatable[node].tolist()
    return NodeCard(
        name=nodes.names[node],
        labels=dict(nodes.objects[node].metadata.labels or {}),
        allocatable={
            name: amount for name, amount in zip(nodes.resources.names, amounts, strict=True) if amount
        },
        pod_limit=int(nodes.pod_limit[node]),
        unschedulable=bool(nodes.unschedulable[node]),
        taints=[Taint(*taint) for taint in nodes.taint_sets[nodes.taint_set[node]]],
    )
