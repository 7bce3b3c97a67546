"""The cards of one node of a snapshot, and the pods that hold each."""

from typing import NamedTuple

from dashboard.models import Snapshot
from dashboard.queries.node_pods import node_with_pods
from scheduler_core.hami.edits import HamiCardEdits
from scheduler_core.schedulers.card_edits import CardSeen


class HeldCard(NamedTuple):
    """A card and the pods (`namespace/name`) that hold it or a part of it."""

    card: CardSeen
    pods: list[str]


def cards_of_node(snapshot: Snapshot, name: str) -> list[HeldCard] | None:
    """Return what a node registers, None for a node that isn't there."""
    found = node_with_pods(snapshot, name)
    if found is None:
        return None
    (node, pods), known = found, HamiCardEdits()
    cards = known.cards(node.object)
    documents = list(pods.values_list("namespace", "name", "object")) if cards else []
    return [
        HeldCard(
            card, [f"{space}/{pod}" for space, pod, document in documents if known.holds(document, card)]
        )
        for card in cards
    ]
