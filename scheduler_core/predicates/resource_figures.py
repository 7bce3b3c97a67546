"""The figures behind an answer about resources."""

from collections.abc import Iterable

from scheduler_core.events.explanation import Figure
from scheduler_core.objects.amounts.quantity import counts_bytes
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.nodes import IntArray

Asked = tuple[str, int, int]


def room_figures(
    state: ClusterState, requested: IntArray, pod_count: IntArray, node: int, asked: Iterable[Asked]
) -> list[Figure]:
    """Return the figures of one more pod on a node, and of each (name, column, amount) that it asks for.

    `requested` and `pod_count` are what counts as taken on the nodes.
    """
    limit = int(state.nodes.pod_limit[node])
    figures = [figure("pods", 1, limit - int(pod_count[node]), limit)]
    for name, column, amount in asked:
        size = int(state.nodes.allocatable[node, column])
        figures.append(figure(name, int(amount), size - int(requested[node, column]), size))
    return figures


def figure(name: str, asked: int, free: int, size: int) -> Figure:
    """Return the figures behind an answer about one resource."""
    unit = "m" if name == "cpu" else "bytes" if counts_bytes(name) else ""
    return Figure(name, asked, free, unit, size)
