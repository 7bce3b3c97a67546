"""ClusterState: where every pod is, what every node holds, and the journal of changes.

All changes go through the methods of `ClusterState`, each of which notes how to take itself back.
`undo_to(mark)` restores the state bit by bit, the order of every list included.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain

import numpy as np

from scheduler_core.objects.devices import Devices
from scheduler_core.objects.host_ports import HostPort
from scheduler_core.objects.selectors import Selector
from scheduler_core.objects.types import Pod
from scheduler_core.state.nodes import IntArray, NodeTable
from scheduler_core.state.pods import PodInfo, PodTable
from scheduler_core.state.volumes import Volumes

NO_NODE = -1


@dataclass
class Budget:
    """A PodDisruptionBudget: `allowed` is its status.disruptionsAllowed.

    `selector` is None where the budget covers nobody (an absent, empty or unreadable selector).
    """

    namespace: str
    name: str
    selector: Selector | None
    allowed: int
    disrupted_pods: frozenset[str]
    desired_healthy: int = 0
    current_healthy: int = 0
    always_allow_unhealthy: bool = False


@dataclass(frozen=True)
class Groups:
    """What says which pods belong together.

    `services` maps a namespace to the selectors of its Services, `replication_controllers` and `selectors`
    map (kind, namespace, name) to a controller's selector.
    """

    services: Mapping[str, Sequence[Mapping[str, str]]] = field(default_factory=dict)
    replication_controllers: Mapping[tuple[str, str, str], Mapping[str, str]] = field(default_factory=dict)
    selectors: Mapping[tuple[str, str, str], Selector | None] = field(default_factory=dict)


class ClusterState:
    """Nodes, pods and what binds them.

    `pod_node[pod]` is the pod's node or NO_NODE; `node_pods[node]` the pods of a node in the scheduler's
    order; `requested` int64 (nodes, resources), `non_zero_cpu` and `non_zero_memory` and `pod_count`
    int64 (nodes,). `nominated[pod]` is status.nominatedNodeName; `nominations` maps a node's name to the
    waiting pods nominated to it, in the order of nomination; `gone` holds the evicted pods in the order in
    which they went. `taken_ports` names the nodes on which a host port is taken; a node does not count how
    often.
    """

    def __init__(
        self,
        nodes: NodeTable,
        pods: PodTable,
        budgets: Sequence[Budget] = (),
        namespaces: Mapping[str, Mapping[str, str]] | None = None,
        groups: Groups | None = None,
        volumes: Volumes | None = None,
        devices: Devices | None = None,
    ) -> None:
        self.nodes = nodes
        self.pods = pods
        self.budgets = list(budgets)
        self.namespaces = dict(namespaces or {})
        self.groups = groups or Groups()
        self.volumes = volumes or Volumes()
        self.devices = devices or Devices()
        self.node_pods: list[list[int]] = [[] for _ in range(len(nodes))]
        self.requested = np.zeros_like(nodes.allocatable)
        self.non_zero_cpu = np.zeros(len(nodes), dtype=np.int64)
        self.non_zero_memory = np.zeros(len(nodes), dtype=np.int64)
        self.pod_count = np.zeros(len(nodes), dtype=np.int64)
        self.nominated: list[str] = [""] * len(pods)
        self.nominations: dict[str, list[int]] = {}
        self.gone: dict[int, None] = {}
        self.taken_ports: dict[HostPort, set[int]] = {}
        self._pod_node = np.full(max(64, len(pods)), NO_NODE, dtype=np.int64)
        self._journal: list[Callable[[], None]] = []

    @property
    def pod_node(self) -> IntArray:
        """The node of each pod, NO_NODE where it has none, shape (pods,)."""
        return self._pod_node[: len(self.pods)]

    # -- the journal ---------------------------------------------------------------------------------

    def mark(self) -> int:
        """Return the present point of the journal."""
        return len(self._journal)

    def undo_to(self, mark: int) -> None:
        """Take back every change since `mark`, the latest first."""
        while len(self._journal) > mark:
            self._journal.pop()()

    def record(self, undo: Callable[[], None]) -> None:
        """Note how to take back a change that was made elsewhere."""
        self._journal.append(undo)

    def forget_journal(self) -> None:
        """Make all changes so far final."""
        self._journal.clear()

    # -- changes -------------------------------------------------------------------------------------

    def bind(self, pod: int, node: int, start_time: int | None = None) -> None:
        """Put the pod at the end of a node's list; `start_time` (nanoseconds) replaces its own if given."""
        before = int(self.pods.start_time[pod])
        if start_time is not None:
            self.pods.start_time[pod] = start_time
        self.node_pods[node].append(pod)
        self._pod_node[pod] = node
        self._count(pod, node, 1)
        self._set_ports(pod, node, taken=True)

        def undo() -> None:
            self._count(pod, node, -1)
            self._pod_node[pod] = NO_NODE
            self.node_pods[node].pop()
            self.pods.start_time[pod] = before

        self._journal.append(undo)

    def evict(self, pod: int) -> int:
        """Take the pod off its node and return its place in the list, which the last pod takes."""
        node = int(self._pod_node[pod])
        members = self.node_pods[node]
        position = members.index(pod)
        members[position] = members[-1]
        members.pop()
        self._pod_node[pod] = NO_NODE
        self.gone[pod] = None
        self._count(pod, node, -1)
        self._set_ports(pod, node, taken=False)

        def undo() -> None:
            self._count(pod, node, 1)
            del self.gone[pod]
            self._pod_node[pod] = node
            if position < len(members):
                members.append(members[position])
                members[position] = pod
            else:
                members.append(pod)

        self._journal.append(undo)
        return position

    def terminate(self, pod: int) -> int:
        """Give the pod a deletion timestamp and return its place in its node's list; it goes to the end.

        It goes on taking room. The scheduler's cache takes an updated pod out (the list's last takes its
        place) and puts it back.
        """
        members = self.node_pods[int(self._pod_node[pod])]
        before, was = list(members), bool(self.pods.terminating[pod])
        position = members.index(pod)
        members[position] = members[-1]
        members[-1] = pod
        self.pods.set_terminating(pod, terminating=True)

        def undo() -> None:
            members[:] = before
            self.pods.set_terminating(pod, terminating=was)

        self._journal.append(undo)
        return position

    def nominate(self, pod: int, node_name: str) -> None:
        """Set the pod's nominated node, or clear it with the empty string."""
        before = self.nominated[pod]
        old_list = list(self.nominations.get(before, ()))
        self._withdraw(pod)
        new_list = list(self.nominations.get(node_name, ()))
        self.nominated[pod] = node_name
        if node_name:
            self.nominations.setdefault(node_name, []).append(pod)

        def undo() -> None:
            self.nominated[pod] = before
            if node_name:
                self._set_nominations(node_name, new_list)
            if before:
                self._set_nominations(before, old_list)

        self._journal.append(undo)

    def replace_placement(self, node_pods: Sequence[Sequence[int]]) -> None:
        """Put every pod where the lists say and nowhere else, at once. This is not journalled."""
        self.node_pods = [list(pods) for pods in node_pods]
        owner = np.repeat(np.arange(len(node_pods)), [len(pods) for pods in node_pods])
        placed = np.fromiter(chain.from_iterable(node_pods), dtype=np.int64, count=len(owner))
        self._pod_node[:] = NO_NODE
        self._pod_node[placed] = owner
        columns = (
            (self.requested, self.pods.requests[placed]),
            (self.non_zero_cpu, self.pods.non_zero_cpu[placed]),
            (self.non_zero_memory, self.pods.non_zero_memory[placed]),
            (self.pod_count, np.ones(len(placed), dtype=np.int64)),
        )
        for column, amounts in columns:
            column[:] = 0
            np.add.at(column, owner, amounts)

    def create(self, pod: Pod) -> PodInfo:
        """Add a pending pod."""
        info = self.pods.append(pod)
        self.nominated.append("")
        if len(self.pods) > len(self._pod_node):
            self._pod_node = np.concatenate([self._pod_node, np.full_like(self._pod_node, NO_NODE)])
        self._pod_node[info.row] = NO_NODE

        def undo() -> None:
            self.nominated.pop()
            self.pods.remove_last()

        self._journal.append(undo)
        return info

    def charge_budget(self, budget: Budget) -> None:
        """Use up one allowed disruption."""
        budget.allowed -= 1

        def undo() -> None:
            budget.allowed += 1

        self._journal.append(undo)

    def _set_ports(self, pod: int, node: int, *, taken: bool) -> None:
        for port in self.pods.infos[pod].host_ports:
            nodes = self.taken_ports.setdefault(port, set())
            if (node in nodes) != taken:
                self._toggle(nodes, node)
                self._journal.append(partial(self._toggle, nodes, node))

    @staticmethod
    def _toggle(nodes: set[int], node: int) -> None:
        nodes.symmetric_difference_update((node,))

    def _withdraw(self, pod: int) -> None:
        name = self.nominated[pod]
        if name and pod in self.nominations.get(name, ()):
            self._set_nominations(name, [other for other in self.nominations[name] if other != pod])

    def _set_nominations(self, node_name: str, pods: list[int]) -> None:
        if pods:
            self.nominations[node_name] = pods
        else:
            self.nominations.pop(node_name, None)

    def _count(self, pod: int, node: int, sign: int) -> None:
        self.requested[node] += sign * self.pods.requests[pod]
        self.non_zero_cpu[node] += sign * self.pods.non_zero_cpu[pod]
        self.non_zero_memory[node] += sign * self.pods.non_zero_memory[pod]
        self.pod_count[node] += sign
