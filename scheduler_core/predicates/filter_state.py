"""What a filter found out about the incoming pod before it looks at nodes, and how trials change it."""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.state.nodes import IntArray

Touched = Sequence[Sequence[int]]
"""(node, pod, sign) of pods that came to nodes (1) or left them (-1), one after the other.

Sign 0 is a pod that began or ceased to terminate where it is.
"""


class FilterState:
    """What was computed once for the incoming pod, and how pods that are added or removed change it.

    The base class stands for a filter that reads nothing of the pods on the nodes.
    """

    def copy(self) -> FilterState:
        """Return a state that can be changed without changing this one."""
        return self

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        """Add (sign 1) or remove (sign -1) `pods[i]` on `nodes[i]`; a node may occur several times."""

    @property
    def is_idle(self) -> bool:
        """Whether PreFilter would skip itself by now."""
        return False

    def follow(self, touched: Touched) -> list[IntArray] | None:
        """Take note of pods that came to nodes for good, or left them.

        Returns the nodes whose answers may be others now; None: that is not known, ask PreFilter again.
        """
        return None

    def promise(self, nodes: IntArray, pods: IntArray) -> None:
        """Add `pods[i]`, which are nominated to `nodes[i]`, on top of whatever is added or removed."""
        self.update(nodes, pods, 1)
