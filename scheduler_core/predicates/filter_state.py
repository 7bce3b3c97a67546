"""What a filter found out about the incoming pod before it looks at nodes, and how trials change it."""

from __future__ import annotations

from scheduler_core.state.nodes import IntArray


class FilterState:
    """What was computed once for the incoming pod, and how pods that are added or removed change it.

    The base class stands for a filter that reads nothing of the pods on the nodes.
    """

    def copy(self) -> FilterState:
        """Return a state that can be changed without changing this one."""
        return self

    def update(self, nodes: IntArray, pods: IntArray, sign: int) -> None:
        """Add (sign 1) or remove (sign -1) `pods[i]` on `nodes[i]`; a node may occur several times."""

    def follow(self, nodes: IntArray, pods: IntArray, signs: IntArray) -> IntArray | None:
        """Take note that `pods[i]` came to `nodes[i]` for good (sign 1) or left it (-1).

        Returns the nodes whose answers may be others now; None: that is not known, ask PreFilter again.
        """
        return None

    def promise(self, nodes: IntArray, pods: IntArray) -> None:
        """Add `pods[i]`, which are nominated to `nodes[i]`, on top of whatever is added or removed."""
        self.update(nodes, pods, 1)
