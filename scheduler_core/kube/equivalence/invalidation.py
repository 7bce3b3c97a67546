"""The list of changes that kept answers follow: which pods came to nodes, and which left them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from scheduler_core.objects.types import Pod
from scheduler_core.predicates.resources import FEW
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Appear, Change, Join, Leave, MoveAll, Set, Vanish
from scheduler_core.state.nodes import BoolArray, IntArray

_MOST = 200_000


def nodes_of(parts: Sequence[IntArray], nodes: int) -> IntArray:
    """Return the nodes that are in any of the parts, each once; `nodes` is how many there are."""
    every = np.zeros(nodes, dtype=np.bool_)
    for part in parts:
        every[part] = True
    return every.nonzero()[0]


class Touched:
    """Pods that came to nodes or left them, one after the other: rows of (node, pod, sign).

    `few` are the nodes if they are so few that they are asked one by one; else `nodes` has each once.
    """

    __slots__ = ("_rows", "few", "nodes", "rows")

    def __init__(self, rows: IntArray, nodes: int) -> None:
        self._rows = rows
        self.rows: list[list[int]] = rows.tolist()
        self.few = {row[0] for row in self.rows} if len(self.rows) <= FEW else None
        self.nodes = nodes_of([rows[:, 0]], nodes) if self.few is None else rows[:0, 0]

    def any_of(self, pods: BoolArray) -> bool:
        """Return whether one of these pods, shape (pods,), came or went."""
        if self.few is None:
            return bool(pods[self._rows[:, 1]].any())
        return any(pods.item(row[1]) for row in self.rows)


class Touches:
    """The pods that came and went, forwards and backwards alike.

    Sign 0 stands for a pod that began or ceased to terminate where it is; `budgets` grows when a budget's
    allowance changes.

    `epoch` grows when anything else has changed that plugins read: then nothing that was kept is good any
    more, and the list begins anew.
    """

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._placement = state.placement
        self._pod_changes = state.pod_changes
        self._budget_changes = state.budget_changes
        self._others = (state.node_changes, state.surroundings)
        self._rows: IntArray = np.zeros((_MOST, 3), dtype=np.int64)
        self._length = 0
        self._epoch = 0
        self.budgets = 0
        state.journal.listen(self)

    @property
    def epoch(self) -> tuple[int, int]:
        """What answers must have been kept under to be good."""
        return self._epoch, self._state.pods.version

    def __len__(self) -> int:
        return self._length

    def since(self, place: int) -> Touched:
        """Return who was touched from a place in the list on."""
        return Touched(self._rows[place : self._length], len(self._state.nodes))

    # -- the journal's listener ----------------------------------------------------------------------

    def changed(self, change: Change, sign: int) -> None:
        """Hear of a change."""
        if isinstance(change, Join):
            if change.lists is self._placement:
                self._note(change.of, change.key, sign)
        elif isinstance(change, Leave):
            if change.lists is self._placement:
                self._note(change.of, change.key, -sign)
        elif isinstance(change, MoveAll):
            return
        elif change.table is self._pod_changes:
            self._changed_pod(change)
        elif change.table is self._budget_changes:
            self.budgets += 1
        elif change.table in self._others:
            self.replaced()

    def _changed_pod(self, change: Set | Appear | Vanish) -> None:
        if not isinstance(change, Set):
            return
        if change.field == "start_time":
            self._restarted(change.key)
        elif change.field == "terminating" or (
            change.field == "version" and _is_terminating(change.old) != _is_terminating(change.new)
        ):
            self._note(self._state.node_of(change.key), change.key, 0)

    def _restarted(self, pod: int) -> None:
        """Count a pod whose start is another now out and in again."""
        if self._state.pod_node[pod] >= 0:
            name = self._state.node_of(pod)
            self._note(name, pod, -1)
            self._note(name, pod, 1)

    def _note(self, name: str, pod: int, sign: int) -> None:
        node = self._state.nodes.index.get(name)
        if node is not None:
            if self._length == _MOST:
                self.replaced()
            self._rows[self._length] = node, pod, sign
            self._length += 1

    def replaced(self) -> None:
        """Hear that nothing is as it was."""
        self._epoch += 1
        self._length = 0


def _is_terminating(pod: Pod) -> bool:
    return pod.metadata.deletion_timestamp is not None
