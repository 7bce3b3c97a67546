"""The cards of one node of a snapshot, and the pods that hold each."""

from typing import NamedTuple

from dashboard.models import Node, Pod, Snapshot
from scheduler_core.hami.edits import HamiCardEdits
from scheduler_core.objects.identity import ENDED_PHASES
from scheduler_core.schedulers.card_edits import CardSeen


class HeldCard(NamedTuple):
    """A card and the pods (`namespace/name`) that hold it or a part of it."""

    card: CardSeen
    pods: list[str]


def cards_of_node(snapshot: Snapshot, name: str) -> list[HeldCard] | None:
    """Return what a node registers, None for a node that isn't there."""
    node = Node.objects.filter(snapshot=snapshot, name=name).first()
    if node is None:
        return None
    known = HamiCardEdits()
    pods = Pod.objects.filter(snapshot=snapshot, node_name=name).exclude(phase__in=ENDED_PHASES)
    documents = list(pods.order_by("namespace", "name").values_list("namespace", "name", "object"))
    return [
        HeldCard(
            card, [f"{space}/{pod}" for space, pod, document in documents if known.holds(document, card)]
        )
        for card in known.cards(node.object)
    ]
