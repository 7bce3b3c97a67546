"""A node of a snapshot with the pods on it."""

from django.db.models import QuerySet

from dashboard.models import Node, Pod, Snapshot
from scheduler_core.objects.identity import ENDED_PHASES


def node_with_pods(snapshot: Snapshot, name: str) -> tuple[Node, QuerySet[Pod]] | None:
    """Return a node and its pods that have not ended, by namespace and name; None where it isn't there."""
    node = Node.objects.filter(snapshot=snapshot, name=name).first()
    if node is None:
        return None
    pods = Pod.objects.filter(snapshot=snapshot, node_name=name).exclude(phase__in=ENDED_PHASES)
    return node, pods.order_by("namespace", "name")
