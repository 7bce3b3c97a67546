"""Who is nominated to which node, as the scheduler knows it, apart from what the objects say.

Every write takes the pod out and appends it again, so that its place among the node's pods changes.

Source: kubernetes v1.36 pkg/scheduler/backend/queue/nominator.go.
"""

from scheduler_core.kube.queueing.pod_facts import key_of, nominated_node, uid_of
from scheduler_core.kube.queueing.queue_tables import Nomination, QueueTables
from scheduler_core.objects.types import Pod


class Nominator:
    """The nominations of a queue."""

    def __init__(self, tables: QueueTables) -> None:
        self._tables = tables

    def of_nodes(self) -> dict[str, list[str]]:
        """Return each node's nominated pods (`namespace/name`) in the order of their nominations."""
        nodes: dict[str, list[str]] = {}
        for item in sorted(self._tables.nominations.values(), key=lambda item: item.order):
            nodes.setdefault(item.node, []).append(item.key)
        return nodes

    def node_of(self, uid: str) -> str:
        """Return the node to which a pod is nominated, empty for none."""
        item = self._tables.nominations.get(uid)
        return item.node if item is not None else ""

    def add(self, pod: Pod, node: str | None = None) -> None:
        """Nominate the pod to a node (empty: to none); without one to that of its status."""
        self.remove(uid_of(pod))
        node = nominated_node(pod) if node is None else node
        if node:
            item = Nomination(key_of(pod), node, self._tables.next("nominations"))
            self._tables.put("nominations", uid_of(pod), item)

    def update(self, old: Pod, new: Pod) -> None:
        """Follow a change of the object; one that never had a nomination leaves the queue's own."""
        silent = not nominated_node(old) and not nominated_node(new)
        self.add(new, self.node_of(uid_of(old)) if silent else None)

    def remove(self, uid: str) -> None:
        """Forget the pod's nomination."""
        if uid in self._tables.nominations:
            self._tables.put("nominations", uid, None)
