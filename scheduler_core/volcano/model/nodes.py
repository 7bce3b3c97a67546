"""Nodes as a session sees them: what is idle, used, on its way out and promised, as columns.

Source: volcano v1.16 pkg/scheduler/api/node_info.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from scheduler_core.equivalence.invalidation import ChangeList
from scheduler_core.go.parse import parse_float
from scheduler_core.objects.types import Node
from scheduler_core.predicates.resources import FEW
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.fit_errors import Refusal, Refusals
from scheduler_core.volcano.model.node_devices import NodeDevices
from scheduler_core.volcano.model.resource import CPU, LEAST, MEMORY, PODS, Resource
from scheduler_core.volcano.model.tasks import Task, TaskStatus

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]
Mask = NDArray[np.bool_]
Wanted = tuple[Floats, Rows, list[tuple[int, float]]]

_OVERSUBSCRIBED = {"cpu": "volcano.sh/oversubscription-cpu", "memory": "volcano.sh/oversubscription-memory"}


_NOT_ON_DEVICES = (TaskStatus.PIPELINED, TaskStatus.RELEASING)


class Nodes:
    """`idle`, `used`, `releasing`, `pipelined` and `allocatable` have shape (nodes, resources).

    `attached` says by node how many volumes of each driver its CSINode allows.
    `tasks[node]` has the tasks of a node with the status in which the node counts them. A node counts a
    task that was bound in this session as allocated. `changes` has a node each time that something changes
    on it. `settled` says that nothing has been on its way out or promised yet: what will be idle is idle.
    """

    def __init__(
        self, nodes: Sequence[Node], requests: Iterable[Resource], attached: Mapping[str, Mapping[str, float]]
    ) -> None:
        self.names = [node.metadata.name for node in nodes]
        self.row = {name: row for row, name in enumerate(self.names)}
        whole = [_allocatable(node, attached.get(node.metadata.name, {})) for node in nodes]
        scalars = {name for one in (*whole, *requests) for name in one.scalars or ()}
        self.resources = [CPU, MEMORY, *sorted(scalars)]
        self._column = {name: column for column, name in enumerate(self.resources)}
        self.sizes = whole
        self.allocatable: Floats = np.zeros((len(whole), len(self.resources)))
        for row, one in enumerate(whole):
            self.allocatable[row] = self.vector(one)
        self.idle = self.allocatable.copy()
        self.used, self.releasing, self.pipelined = (np.zeros_like(self.idle) for _ in range(3))
        self._counts_scalars = [one.scalars is not None for one in whole]
        """Whether what is idle on a node has other resources than cpu and memory. Where it has none yet, as
        on a node without even `pods`, nothing is subtracted from them; what leaves it brings them."""
        self.pod_limit: Rows = np.array([int(one.get(PODS)) for one in whole], dtype=np.int64)
        self.changes: ChangeList[int] = ChangeList()
        self.settled = True
        self.tasks: list[dict[str, tuple[Task, TaskStatus]]] = [{} for _ in nodes]
        self.all: Rows = np.arange(len(self.names), dtype=np.int64)
        self.twice: Rows = np.concatenate([self.all, self.all])
        by_name = sorted(range(len(self.names)), key=self.names.__getitem__)
        self.rank: Rows = np.empty(len(self.names), dtype=np.int64)
        self.rank[by_name] = self.all
        self.devices: dict[int, list[NodeDevices]] = {}
        """What nodes have that pods share, by row."""
        self._vectors: dict[tuple[object, ...], Wanted] = {}
        self._known: dict[Resource, Wanted] = {}

    def __len__(self) -> int:
        return len(self.names)

    def vector(self, resource: Resource) -> Floats:
        """Return a resource as an array of shape (resources,)."""
        return np.array([resource.get(name) for name in self.resources])

    def as_resource(self, amounts: Floats) -> Resource:
        """Return what an array of shape (resources,) stands for."""
        cpu, memory, *scalars = amounts.tolist()
        return Resource(cpu, memory, dict(zip(self.resources[2:], scalars, strict=True)))

    def column_of(self, resource: str) -> int | None:
        """Return the column of a resource, None if neither a node nor a task names it."""
        return self._column.get(resource)

    # -- who is where --------------------------------------------------------------------------------

    def add(self, task: Task, node: int) -> None:
        """Count a task on a node, by its status."""
        self._count(node, self._asked(task.request)[2], task.status, 1)
        self.tasks[node][task.uid] = (task, task.status)
        if self.devices and task.status not in _NOT_ON_DEVICES:
            for devices in self.devices.get(node, ()):
                devices.add(task)

    def remove(self, task: Task, node: int) -> None:
        """Take a task off a node, as the node has counted it."""
        _, status = self.tasks[node].pop(task.uid)
        self._count(node, self._asked(task.request)[2], status, -1)
        if self.devices and status not in _NOT_ON_DEVICES:
            for devices in self.devices.get(node, ()):
                devices.remove(task)

    def update(self, task: Task, node: int) -> None:
        """Count a task on its node by its new status."""
        self.remove(task, node)
        self.add(task, node)

    def _count(self, node: int, asked: list[tuple[int, float]], status: TaskStatus, sign: int) -> None:
        self.changes.note(node)
        self.settled &= status not in (TaskStatus.PIPELINED, TaskStatus.RELEASING)
        idle, used, pipelined, releasing = self.idle, self.used, self.pipelined, self.releasing
        if not self._counts_scalars[node] and status is not TaskStatus.PIPELINED:
            self._counts_scalars[node] = sign < 0
            if sign > 0:
                for column, amount in asked[2:]:
                    idle[node, column] += amount
        for column, amount in asked:
            more = sign * amount
            if status is TaskStatus.PIPELINED:
                pipelined[node, column] += more
                continue
            idle[node, column] -= more
            used[node, column] += more
            if status is TaskStatus.RELEASING:
                releasing[node, column] += more

    # -- room ----------------------------------------------------------------------------------------

    def future_idle(self, nodes: Rows) -> Floats:
        """Return what will be idle: what is, plus what is on its way out, minus what is promised."""
        future: Floats = self.idle[nodes] + self.releasing[nodes] - self.pipelined[nodes]
        return future

    def fits(self, request: Resource, nodes: Rows, *, future: bool) -> Mask:
        """Return on which of the nodes there is room now, or will be."""
        asked, columns, wanted = self._asked(request)
        if len(nodes) <= FEW:
            return self._fits_few(wanted, nodes, future=future)
        room = self.future_idle(nodes) if future else self.idle[nodes]
        enough: Mask = np.all(asked[columns] - room[:, columns] < LEAST, axis=1)
        return enough

    def fits_without(self, request: Resource, node: int, leaving: Sequence[Resource]) -> bool:
        """Return whether one node will have room for a request, once what asked for `leaving` has left it."""
        idle, releasing, pipelined = self.idle.item, self.releasing.item, self.pipelined.item
        for column, amount in self._asked(request)[2]:
            room = idle(node, column) + releasing(node, column) - pipelined(node, column)
            for one in leaving:
                room += one.get(self.resources[column])
            if amount - room >= LEAST:
                return False
        return True

    def room_test(self, request: Resource) -> Callable[[int], bool]:
        """Return how one node is asked whether it will have room."""
        wanted = self._asked(request)[2]
        idle, releasing, pipelined = self.idle.item, self.releasing.item, self.pipelined.item

        def has_room(node: int) -> bool:
            for column, amount in wanted:
                room = idle(node, column) + releasing(node, column) - pipelined(node, column)
                if amount - room >= LEAST:
                    return False
            return True

        return has_room

    def _fits_few(self, wanted: Sequence[tuple[int, float]], nodes: Rows, *, future: bool) -> Mask:
        rooms = (self.future_idle(nodes) if future else self.idle[nodes]).tolist()
        fits = [all(amount - room[column] < LEAST for column, amount in wanted) for room in rooms]
        return np.array(fits, dtype=np.bool_)

    def lacking(self, request: Resource, nodes: Rows) -> dict[int, Refusals]:
        """Return the refusals of nodes that will not have room: the first resource of each that is short."""
        if not len(nodes):
            return {}
        asked, columns, _ = self._asked(request)
        short = asked[columns] - self.future_idle(nodes)[:, columns] >= LEAST
        first = columns[np.argmax(short, axis=1)].tolist()
        why = {
            column: (Refusal("Unschedulable", f"Insufficient {self.resources[column]}"),)
            for column in dict.fromkeys(first)
        }
        return {node: why[column] for node, column in zip(nodes.tolist(), first, strict=True)}

    def wants(self, request: Resource) -> list[tuple[str, Mask, float, Floats, Floats]]:
        """Return of each resource asked for on which nodes it will be short, and the amounts of all nodes.

        That is what is asked, what will be idle, and what there is in all. Shapes are (nodes,).
        """
        asked, columns, _ = self._asked(request)
        room = self.future_idle(self.all)
        return [
            (self.resources[column], short, asked.item(column), room[:, column], self.allocatable[:, column])
            for column in columns.tolist()
            if (short := asked[column] - room[:, column] >= LEAST).any()
        ]

    def refusal_to_bind(self, task: Task, node: int) -> str | None:
        """Return why the cache does not bind a task to its node: it looks at the room once more.

        What open statements hold there it doesn't know of. Source: AddTask, for the status Binding.
        """
        asked, columns, wanted = self._asked(task.request)
        for column, _ in wanted:
            if self.idle.item(node, column) <= -LEAST:
                break
        else:
            return None
        idle = self.idle[node]
        here = [one for one, _ in self.tasks[node].values()]
        held = [one.request for one in here if one.status is TaskStatus.ALLOCATED]
        known = [
            one.request for one in here if one.status not in (TaskStatus.ALLOCATED, TaskStatus.PIPELINED)
        ]
        idle = idle + sum(self.vector(request) for request in held)
        short = [
            self.resources[column] for column in columns.tolist() if asked[column] - idle[column] >= LEAST
        ]
        if not short:
            return None
        names = {name for one in (self.sizes[node], *known) for name in one.scalars or ()}
        cpu, memory, *scalars = idle.tolist()
        pairs = zip(self.resources[2:], scalars, strict=True)
        left = Resource(cpu, memory, {name: amount for name, amount in pairs if name in names})
        return (
            f"node {self.names[node]} resources [{' '.join(short)}] are not enough to put task <{task.key}>, "
            f"idle: {left.text()}, req: {task.request.text()}"
        )

    def _asked(self, request: Resource) -> Wanted:
        """Return a request as an array, its columns (always cpu and memory among them), and both in pairs."""
        known = self._known.get(request)
        if known is not None:
            return known
        amounts = (request.cpu, request.memory, *(request.scalars or {}).items())
        if amounts not in self._vectors:
            named = [CPU, MEMORY, *sorted(request.scalars or ())]
            columns = np.array([self._column[name] for name in named], dtype=np.int64)
            asked = self.vector(request)
            pairs = [(column, asked.item(column)) for column in columns.tolist()]
            self._vectors[amounts] = asked, columns, pairs
        # The very object, which is hashed sooner than its amounts.
        self._known[request] = self._vectors[amounts]
        return self._vectors[amounts]


def capacity_of(node: Node) -> Resource:
    """Return what a node has, with what it may be oversubscribed by."""
    return _oversubscribed(Resource.of(node.status.capacity), node)


def _allocatable(node: Node, attached: Mapping[str, float]) -> Resource:
    whole = Resource.of(node.status.allocatable)
    if attached:
        whole.scalars = {**(whole.scalars or {}), **attached}
    return _oversubscribed(whole, node)


def _oversubscribed(whole: Resource, node: Node) -> Resource:
    for name, key in _OVERSUBSCRIBED.items():
        text = annotation(node.metadata, key)
        if text is not None:
            setattr(whole, name, whole.get(name) + _float(text))
    return whole


def _float(text: str) -> float:
    try:
        return parse_float(text)
    except ValueError:
        return 0.0
