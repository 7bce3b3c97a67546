"""The edit set-card: one card of a node is unhealthy, healthy again, or gone."""

from typing import Annotated, Any, cast, get_args

from scheduler_core.objects.identity import has_ended, name_of, namespace_of
from scheduler_core.schedulers.card_edits import CardEdits, CardSeen, CardState
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import card_edits
from scheduler_core.world.edits.changes import change
from scheduler_core.world.edits.edited_cluster import EditedCluster
from scheduler_core.world.edits.operations.base import Edit, Field, NodeName, Words, listed, said
from scheduler_core.world.edits.results import EditResult

Object = dict[str, Any]
STATES: tuple[CardState, ...] = get_args(CardState)


class SetCard(Edit, kw_only=True, tag="set-card", frozen=True):
    """Says of a card that it is unhealthy, healthy or removed, as its device plugin would."""

    moves_pods = True
    words = Words(
        "Fail or remove a GPU card",
        "Card",
        "Card {card} of node {node}: {state}",
        (
            Field("node", "Node", "node"),
            Field("card", "Card (UUID or index)", "card"),
            Field("state", "State", "choice", choices=STATES),
        ),
        {"node": "", "card": "", "state": "unhealthy"},
        hint="unhealthy, healthy again, removed",
    )
    makes_pods = False

    node: NodeName
    card: Annotated[str, said("Its UUID as the node registers it, or its index.")]
    state: Annotated[str, said("`unhealthy`, `healthy`, or `removed`: the node registers it no more.")]

    def check(self) -> None:
        super().check()
        if self.state not in STATES:
            raise Refused("state", f"must be one of {', '.join(STATES)}, not {self.state!r}")

    def named_nodes(self) -> list[str]:
        return [self.node]

    def apply(self, cluster: EditedCluster, result: EditResult) -> None:
        """Change what the node registers, and say what holds the card. Raises Refused."""
        node = cluster.node(self.node)
        if not self.card:  # a draft may have it: its form is still to be filled in
            raise Refused("card", "must name a card")
        known, card = self._card(node)
        before = "healthy" if card.healthy else "unhealthy"
        result.nodes = [self.node]
        model = f", {card.model}" if card.model else ""
        result.sentence = (
            f"card {card.id} (index {card.index}{model}) of node {self.node}: {before} → {self.state}"
        )
        if before == self.state:
            result.note("changes nothing")
            return
        changed = known.changed(node, card, cast(CardState, self.state))
        change(cluster, node, changed.node, result, "card")
        for note in changed.notes:
            result.note(note)
        self._note_holders(cluster, known, card, result)

    def _card(self, node: Object) -> tuple[CardEdits, CardSeen]:
        """Return the card, and who knows it. Raises Refused."""
        found = [(known, card) for known in card_edits() for card in known.cards(node)]
        if not found:
            raise Refused("node", f"{self.node} registers no cards")
        meant = [one for one in found if one[1].id == self.card]
        if not meant and self.card.isdecimal():
            meant = [one for one in found if one[1].index == int(self.card)]
        if len(meant) > 1:
            ids = listed([card.id for _, card in meant])
            raise Refused("card", f"{self.card} is the index of several cards: give the UUID of one ({ids})")
        if not meant:
            there = listed([f"{card.id} (index {card.index})" for _, card in found])
            raise Refused("card", f"{self.node} has no card {self.card}; it has {there}")
        return meant[0]

    def _note_holders(
        self, cluster: EditedCluster, known: CardEdits, card: CardSeen, result: EditResult
    ) -> None:
        """Say which pods hold the card: nothing evicts them."""
        pods = [
            f"{namespace_of(pod)}/{name_of(pod)}"
            for pod in cluster.pods_on(self.node)
            if not has_ended(pod) and known.holds(pod, card)
        ]
        if not pods or self.state == "healthy":
            return
        holds = f"{len(pods):,} pods hold it and stay" if len(pods) > 1 else "1 pod holds it and stays"
        result.note(f"{holds}: {listed(pods)}; a card's health evicts no pod")
