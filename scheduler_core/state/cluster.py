"""ClusterState: where every pod is, and what every node holds.

All changes go through the journal (`journal.py`); the methods here put together what a bind or an eviction
changes. `undo_to(mark)` restores the state bit by bit, the order of every list included.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from scheduler_core.objects.imports.pods_with_devices import Devices
from scheduler_core.objects.types import Node, Pod
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.device_claims import DeviceClaims
from scheduler_core.state.journal import Appear, Join, Journal, Set, Table, Vanish
from scheduler_core.state.listed_order import ListedOrder
from scheduler_core.state.node_changes import NodeChanges
from scheduler_core.state.node_pods import NodePods
from scheduler_core.state.nodes import IntArray, NodeTable
from scheduler_core.state.ordered_lists import OrderedLists
from scheduler_core.state.pod_changes import PodChanges
from scheduler_core.state.pods import PodInfo, PodTable
from scheduler_core.state.register import Register
from scheduler_core.state.seen_images import SeenImages
from scheduler_core.state.surroundings import Budget, Groups, Surroundings
from scheduler_core.state.taken_ports import TakenPorts
from scheduler_core.state.volumes import Volumes

__all__ = ["Budget", "ClusterState", "Groups"]


class ClusterState(Checkpointed):
    """Nodes, pods and what binds them. Pods are named by row; nodes by row too, but in changes by name.

    `pod_node[pod]` is the node on which the pod takes room, or NO_NODE; `node_pods[node]` the pods of a node
    in the scheduler's order; `requested` int64 (nodes, resources), `non_zero_cpu` and `non_zero_memory` and
    `pod_count` int64 (nodes,). `nominated[pod]` is status.nominatedNodeName; `nominations` the waiting pods
    nominated to a node, by its name, in the order of nomination; `gone` numbers the pods that are no
    more, in the order in which they went.
    """

    remembered = {
        "nodes": "node_changes",
        "pods": "pod_changes",
        "placement": "placement",
        "nominations": "nominations",
        "gone": "gone",
        "taken_ports": "taken_ports",
        "seen_images": "seen_images",
        "listed_order": "listed_order",
        "surroundings": "surroundings",
        "claims": "volumes",
    }

    def __init__(
        self,
        nodes: NodeTable,
        pods: PodTable,
        budgets: Sequence[Budget] = (),
        namespaces: Mapping[str, Mapping[str, str]] | None = None,
        groups: Groups | None = None,
        volumes: Volumes | None = None,
        devices: Devices | None = None,
        surroundings: Sequence[dict[str, Any]] = (),
    ) -> None:
        self.journal = Journal()
        self.nodes = nodes
        self.pods = pods
        self.budgets = list(budgets)
        self.namespaces: Mapping[str, Mapping[str, str]] = dict(namespaces or {})
        self.groups = groups or Groups()
        self.surroundings = Surroundings(self, surroundings)
        self.volumes = volumes or Volumes()
        self.devices = devices or Devices()
        self.device_claims: DeviceClaims | None = None
        """Claims for devices, where they are played."""
        self.unheard: tuple[set[int], set[int]] = set(), set()
        """Pods tried on a node whose required anti-affinity isn't heard there, and those without any term."""
        self.placement = NodePods(nodes, pods)
        self.nominations: OrderedLists[int] = OrderedLists(self.journal)
        self.gone: Register[int, int] = Register(self.journal)
        self.taken_ports = TakenPorts(self.journal, nodes)
        self.seen_images = SeenImages(self.journal, nodes, list(nodes.objects))
        self.listed_order = ListedOrder(self.journal, nodes)
        self.budget_changes = _BudgetChanges()
        self.pod_changes = PodChanges(pods)
        self.node_changes = NodeChanges(nodes, self.placement)

    @property
    def pod_node(self) -> IntArray:
        """The node of each pod, NO_NODE where it has none, shape (pods,)."""
        return self.placement.pod_node

    @property
    def node_pods(self) -> list[list[int]]:
        """The pods of each node."""
        return self.placement.node_pods

    @property
    def requested(self) -> IntArray:
        """What the pods of each node ask for, shape (nodes, resources)."""
        return self.placement.requested

    @property
    def non_zero_cpu(self) -> IntArray:
        """Milli-CPU that the pods of each node weigh in scores."""
        return self.placement.non_zero_cpu

    @property
    def non_zero_memory(self) -> IntArray:
        """Bytes of memory that the pods of each node weigh in scores."""
        return self.placement.non_zero_memory

    @property
    def pod_count(self) -> IntArray:
        """How many pods each node has."""
        return self.placement.pod_count

    @property
    def nominated(self) -> list[str]:
        """Each pod's nominated node, the empty string where there is none."""
        return self.pod_changes.nominated

    def pods_on(self, name: str) -> Iterator[Pod]:
        """Yield the pods that take room on a node."""
        row = self.nodes.index.get(name)
        for pod in () if row is None else self.node_pods[row]:
            yield self.pods.infos[pod].pod

    def present(self) -> Iterator[PodInfo]:
        """Yield the pods that there are, those on their way out too."""
        gone = self.gone.values
        return (info for info in self.pods.infos if info.row not in gone) if gone else iter(self.pods.infos)

    def node_of(self, pod: int) -> str:
        """Return the name of the node that the pod is bound to, whether it is there or not; or ''."""
        return self.pod_changes.node[pod]

    # -- the journal ---------------------------------------------------------------------------------

    def mark(self) -> int:
        """Return the present point of the journal."""
        return self.journal.mark()

    def undo_to(self, mark: int) -> None:
        """Take back every change since `mark`, the latest first."""
        self.journal.undo_to(mark)

    def forget_journal(self) -> None:
        """Make all changes so far final."""
        self.journal.forget()

    @contextmanager
    def aside(self, more: Iterable[Table] = ()) -> Iterator[None]:
        """Let a block do with the cluster what it likes, and have it as it was afterwards.

        So are `more` tables; what the block makes for itself is left alone.
        """
        seen, listed, rows = self.seen_images, self.listed_order, self.pod_changes
        described = rows.describe, rows.also
        ours = (
            *(self.node_changes, self.pod_changes, self.budget_changes, self.placement, self.nominations),
            *(self.gone, self.taken_ports, self.surroundings, self.volumes),
        )
        try:
            with self.journal.aside([*ours, *self._tables_of_claims, *more]):
                yield
        finally:
            self.seen_images, self.listed_order = seen, listed
            rows.describe, rows.also = described

    @property
    def _tables_of_claims(self) -> tuple[Table, ...]:
        return () if self.device_claims is None else self.device_claims.journaled

    def join(self, viewer: str, scheduler_names: Iterable[str]) -> None:
        """Let a scheduler look at nodes by itself, for the pods that ask for one of these names."""
        names = list(scheduler_names)
        self.seen_images.join(viewer, names)
        self.listed_order.join(viewer, names)

    def look(self, viewer: str) -> None:
        """Note that a scheduler begins an attempt: it looks at all nodes that have changed."""
        self.seen_images.look(viewer)
        self.listed_order.look(viewer)

    def look_anew(self) -> None:
        """Let the nodes of now be those of a beginning, at which no scheduler has looked."""
        self.seen_images = SeenImages(self.journal, self.nodes, list(self.nodes.objects))
        self.listed_order = ListedOrder(self.journal, self.nodes)

    # -- pods ----------------------------------------------------------------------------------------

    def bind(self, pod: int, node: int, start_time: int | None = None) -> None:
        """Put the pod at the end of a node's list; `start_time` (nanoseconds) replaces its own if given."""
        name = self.nodes.names[node]
        self._set(pod, "node", self.pod_changes.node[pod], name)
        if start_time is not None:
            self._set(pod, "start_time", int(self.pods.start_time[pod]), start_time)
        self.take_room(pod, name)

    def unbind(self, pod: int) -> None:
        """Take a pod that was put on a node, and has not started there, off it again."""
        self.free_room(pod)
        self._set(pod, "node", self.pod_changes.node[pod], "")

    def start(self, pod: int, start_time: int) -> None:
        """Note when the pod started, in nanoseconds since the epoch."""
        self._set(pod, "start_time", int(self.pods.start_time[pod]), start_time)

    def take_room(self, pod: int, name: str) -> None:
        """Let a pod that is bound to a node of this name take room there."""
        self.journal.do(Join(self.placement, name, pod, self.placement.length(name)))
        self.taken_ports.take(self.pods.infos[pod].host_ports, name)
        self.seen_images.touch(name)

    def free_room(self, pod: int, name: str | None = None) -> None:
        """Take the pod out of a node's list, its own by default; the last pod takes its place there."""
        if name is None:
            name = self.pod_changes.node[pod]
        self.journal.do(self.placement.leaving(name, pod))
        self.taken_ports.free(self.pods.infos[pod].host_ports, name)
        self.seen_images.touch(name)

    def evict(self, pod: int) -> None:
        """Ask the pod to go, and let it go at once."""
        self.mark_evicted(pod)
        self.remove(pod)

    def forget_claim_writes(self) -> None:
        """Let another decision begin: nothing is written into claims in it yet."""
        if self.device_claims is not None:
            self.device_claims.written.clear()

    def make_claims(self, pod: int) -> None:
        """Make the claims that a pod lacks and that are made of templates, where claims are played."""
        old = self.pods.infos[pod].pod
        new = old if self.device_claims is None else self.device_claims.with_claims(old)
        self._set(pod, "version", old, new)

    def remove(self, pod: int) -> None:
        """Let the pod cease to be; its claims for devices are free again."""
        if self.placement.has(self.pod_changes.node[pod], pod):
            self.free_room(pod)
        self.journal.do(Vanish(self.pod_changes, pod, self.pods.infos[pod]))
        self.gone.put(pod, len(self.gone.values))
        self.release_claims(pod)

    def release_claims(self, pod: int) -> None:
        """Take back the devices of a pod that is gone, where claims are played."""
        claims, info = self.device_claims, self.pods.infos[pod]
        if claims is not None and claims.may_hold(info.pod, info.requests):
            claims.release(info.uid)

    def terminate(self, pod: int) -> None:
        """Ask the pod to go, with a grace period: it gets a deletion timestamp and goes on taking room.

        The scheduler's cache takes an updated pod out (the list's last takes its place) and puts it back.
        """
        self.mark_evicted(pod)
        # Also where it was terminating: the log's readers tell the two apart.
        before = self.pods.is_terminating(pod)
        self.journal.do(Set(self.pod_changes, pod, "terminating", before, True))
        name = self.pod_changes.node[pod]
        self.journal.do(self.placement.leaving(name, pod))
        self.journal.do(Join(self.placement, name, pod, self.placement.length(name)))

    def change_pod(self, pod: int, version: Pod) -> None:
        """Put a new version of a pod in the place of the old one.

        The scheduler's cache takes an updated pod out of its node's list and puts it back, at the end.
        """
        name = self.pod_changes.node[pod]
        listed = self.placement.has(name, pod)
        if listed:
            self.free_room(pod)
        self._set(pod, "version", self.pods.infos[pod].pod, version)
        if listed:
            self.take_room(pod, name)

    def nominate(self, pod: int, node_name: str) -> None:
        """Set the pod's nominated node, or clear it with the empty string."""
        before = self.nominated[pod]
        if pod in self.nominations.orders.get(before, ()):
            self.nominations.take_out(before, pod)
        self.note_nomination(pod, node_name)
        if node_name:
            self.nominations.append(node_name, pod)

    def note_nomination(self, pod: int, node_name: str) -> None:
        """Set the pod's nominated node without telling any scheduler."""
        self._set(pod, "nominated", self.nominated[pod], node_name)

    def create(self, pod: Pod, replaces: str | None = None) -> PodInfo:
        """Add a pending pod with its claims; `replaces` is the uid of the evicted pod whose copy it is."""
        row = len(self.pods)
        if self.device_claims is not None:
            pod = self.device_claims.with_claims(pod)
        self.journal.do(Appear(self.pod_changes, row, (pod, replaces)))
        return self.pods.infos[row]

    def mark_evicted(self, pod: int) -> None:
        """Note that the pod was asked to go."""
        if not self.pod_changes.evicted[pod]:
            self._set(pod, "evicted", False, True)

    def _set(self, pod: int, name: str, old: Any, new: Any) -> None:
        if old is not new and (name == "version" or old != new):
            self.journal.do(Set(self.pod_changes, pod, name, old, new))

    # -- nodes ---------------------------------------------------------------------------------------

    def add_node(self, node: Node) -> None:
        """Add a node behind all others; pods that are bound to its name take room on it."""
        self.seen_images.node_changes(None, node)
        name, turn = node.metadata.name, self.nodes.newcomer(node)
        self.listed_order.add(name, turn)
        content = len(self.nodes), node, turn
        self.journal.do(Appear(self.node_changes, name, content))

    def remove_node(self, name: str) -> None:
        """Take a node away. Its pods stay, bound to its name; they take room nowhere."""
        row = self.nodes.index[name]
        self.seen_images.node_changes(self.nodes.objects[row], None)
        self.listed_order.remove(name, self.nodes.turns[row])
        content = row, self.nodes.objects[row], self.nodes.turns[row]
        self.journal.do(Vanish(self.node_changes, name, content))

    def change_node(self, node: Node) -> None:
        """Put a new version of a node in the place of the old one."""
        name = node.metadata.name
        row = self.nodes.index[name]
        old = self.nodes.objects[row], self.nodes.turns[row]
        new = node, self.nodes.changed(row, node)
        self.seen_images.node_changes(old[0], node)
        self.listed_order.change(name, old[1], new[1])
        self.journal.do(Set(self.node_changes, name, "version", old, new))

    def replace_nodes(self, nodes: Sequence[Node]) -> None:
        """Put these nodes in the place of all, as if there had never been others."""
        old, new = tuple(self.nodes.objects), tuple(nodes)
        self.journal.do(Set(self.node_changes, "", "all", (old, tuple(self.nodes.turns)), (new, None)))

    # -- budgets -------------------------------------------------------------------------------------

    def charge_budget(self, budget: Budget) -> None:
        """Use up one allowed disruption."""
        self._set_budget(budget, "allowed", budget.allowed - 1)

    def count_budget(self, budget: Budget, expected: int, desired: int, healthy: int) -> None:
        """Note how many pods there should be of a budget, how many must be healthy and are: others may go."""
        self._set_budget(budget, "expected", expected)
        self._set_budget(budget, "desired_healthy", desired)
        self._set_budget(budget, "current_healthy", healthy)
        self._set_budget(budget, "allowed", max(0, healthy - desired) if expected > 0 else 0)

    def _set_budget(self, budget: Budget, field: str, value: int) -> None:
        if (old := getattr(budget, field)) != value:
            self.journal.do(Set(self.budget_changes, budget, field, old, value))

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data what is remembered."""
        if self.device_claims is None:
            return super().dump()
        return {**super().dump(), "device_claims": self.device_claims.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` of the same cluster returned."""
        super().load(data)
        if self.device_claims is not None:
            self.device_claims.load(data["device_claims"])
        self.journal.replace()


class _BudgetChanges(Table):
    """What a budget's status says by now. Budgets are known by themselves.

    `writes` counts: who looks again and again compares it before so many budgets.
    """

    writes = 0

    def write(self, key: Any, field: str, value: Any) -> None:
        setattr(key, field, value)
        self.writes += 1
