"""HAMi as pages and REST know it."""

from typing import Any

from dashboard.kinds.card_words import CardTexts
from dashboard.kinds.hami.card_texts import card_texts
from dashboard.kinds.hami.cards import HamiCards
from dashboard.kinds.hami.queries.node_cards import HeldCard, cards_of_node
from dashboard.kinds.hami.queries.switches import settled
from dashboard.kinds.hami.sweepable import combinations, policies
from dashboard.kinds.kind import Config
from dashboard.kinds.kube.kind import KubeKind
from dashboard.kinds.kube.sweepable import sweepable
from dashboard.kinds.kube.waiting_words import Waits
from dashboard.kinds.pages import Part
from dashboard.kinds.sweepable import Setting
from dashboard.models import Snapshot
from scheduler_core.hami.configuration.kube_scheduler import INNER, kube_part
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.schedulers.kind import Version


class HamiKind(KubeKind):
    """Its settings hold the KubeSchedulerConfiguration of the kube-scheduler that asks it."""

    configuration = "HAMi settings"
    not_imported = (
        "nodeSchedulerPolicy and gpuSchedulerPolicy, which stand in its command line and no import has, are "
        f"the defaults ({Configuration().node_scheduler_policy} and {Configuration().gpu_scheduler_policy})"
    )
    summaries = {"hami-2.10": "kube-scheduler 1.36 with HAMi: shares of single GPU cards"}

    cards = HamiCards()

    def settled(self, snapshot: Snapshot, config: Config | None) -> Config | None:
        """Return its settings with the switches that the snapshot's nodes call for."""
        return settled(snapshot, config)

    def node_parts(self, snapshot: Snapshot, node: str) -> list[Part]:
        """Return the cards of a node that HAMi shares."""
        cards = [_told(one) for one in cards_of_node(snapshot, node) or ()]
        told = {"title": "Cards that HAMi shares", "cards": cards, "counted": False}
        return [Part("kinds/node_cards.html", told)] if cards else []

    def waits(self, config: Config | None) -> Waits | None:
        inner = kube_part(config)
        return super().waits(None if inner is None else dict(inner))

    def card_texts(self, built: Any) -> CardTexts | None:
        return card_texts(built.hami)

    def first_config(self) -> Config:
        return {}

    def sweepable(self, config: Config | None, version: Version) -> list[Setting]:
        """Return its policies; what kube-scheduler is told only where its settings hold that."""
        inner = kube_part(config)
        return [*policies(), *(sweepable(version.build(config), version, (INNER,)) if inner else ())]

    def variants(self) -> list[tuple[str, Config]]:
        return combinations()

    def without_connections(self, config: Config | None) -> Config | None:
        """Every setting of HAMi's own is known: there is none that connects to anything."""
        inner = kube_part(config)
        return {**config, INNER: super().without_connections(dict(inner))} if config and inner else config


def _told(held: HeldCard) -> dict[str, Any]:
    """Return a card as a node's page shows it."""
    card = held.card
    health = "healthy" if card.healthy else "unhealthy"
    return {
        "id": card.id,
        "model": card.model,
        "memory": card.memory,
        "slots": card.slots,
        "health": health,
        "pods": held.pods,
    }


KIND = HamiKind
