"""The list of changes that kept answers follow: which pods came to nodes, and which left them."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from scheduler_core.predicates.resources import FEW
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.journal import Change, Join, Leave, MoveAll
from scheduler_core.state.nodes import BoolArray, IntArray

_MOST = 200_000


class Touched:
    """Pods that came to nodes (sign 1) or left them (-1), one after the other; sign 0: see `Touches`.

    `few` are the nodes if they are so few that they are asked one by one, else None.
    """

    def __init__(self, touches: list[tuple[int, int, int]]) -> None:
        self._touches = touches
        self.few = {touch[0] for touch in touches} if len(touches) <= FEW else None

    @cached_property
    def columns(self) -> tuple[IntArray, IntArray, IntArray]:
        """Nodes, pods and signs, each of shape (touches,)."""
        nodes, pods, signs = np.array(self._touches, dtype=np.int64).reshape(-1, 3).T
        return nodes, pods, signs

    @cached_property
    def nodes(self) -> IntArray:
        """The nodes, each once."""
        return np.unique(self.columns[0])

    def any_of(self, pods: BoolArray) -> bool:
        """Return whether one of these pods, shape (pods,), came or went."""
        return any(bool(pods[touch[1]]) for touch in self._touches)


class Touches:
    """The pods that came and went, forwards and backwards alike.

    Sign 0 stands for a pod that began or ceased to terminate where it is.

    `epoch` grows when anything else has changed that plugins read: then nothing that was kept is good any
    more, and the list begins anew.
    """

    def __init__(self, state: ClusterState) -> None:
        self._state = state
        self._placement = state.placement
        self._pod_changes = state.pod_changes
        self._others = (state.node_changes, state.surroundings)
        self._list: list[tuple[int, int, int]] = []
        self._epoch = 0
        state.journal.listen(self)

    @property
    def epoch(self) -> tuple[int, int]:
        """What answers must have been kept under to be good."""
        return self._epoch, self._state.pods.version

    def __len__(self) -> int:
        return len(self._list)

    def since(self, place: int) -> Touched:
        """Return who was touched from a place in the list on."""
        return Touched(self._list[place:])

    # -- the journal's listener ----------------------------------------------------------------------

    def changed(self, change: Change, sign: int) -> None:
        """Hear of a change."""
        kind = type(change)
        if kind is Join or kind is Leave:
            if change.lists is self._placement:  # type: ignore[union-attr]
                self._note(change.of, change.key, sign if kind is Join else -sign)  # type: ignore[union-attr]
        elif kind is not MoveAll:
            self._changed_row(change)

    def _changed_row(self, change: Change) -> None:
        table = change.table  # type: ignore[union-attr]
        if table is self._pod_changes:
            if getattr(change, "field", "") == "terminating":
                self._note(self._state.node_of(change.key), change.key, 0)  # type: ignore[union-attr]
        elif table in self._others:
            self.replaced()

    def _note(self, name: str, pod: int, sign: int) -> None:
        node = self._state.nodes.index.get(name)
        if node is not None:
            self._list.append((node, pod, sign))
            if len(self._list) > _MOST:
                self.replaced()

    def replaced(self) -> None:
        """Hear that nothing is as it was."""
        self._epoch += 1
        self._list.clear()
