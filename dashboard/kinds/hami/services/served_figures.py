"""The cards of a served scenario for Prometheus, under the names that HAMi's scheduler gives its own figures.

Source: HAMi's cmd/scheduler/metrics.go. What pods hold is of all their containers together, so that
`container_index` is left out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from scheduler_core.hami.served.served_cluster import ServedHami
from scheduler_core.schedulers.card_tables import CardRow, HoldingRow

_MIB = 1024 * 1024
_PERCENT = 100

CARD_FIGURES: dict[str, tuple[str, Callable[[CardRow], float]]] = {
    "hami_gpu_memory_limit_bytes": ("Memory of a card", lambda card: card.memory * _MIB),
    "hami_gpu_memory_allocated_bytes": ("Memory held of a card", lambda card: card.used_memory * _MIB),
    "hami_gpu_core_limit_ratio": ("Cores of a card", lambda card: _cores(card, card.cores)),
    "hami_gpu_core_allocated_ratio": ("Cores held of a card", lambda card: _cores(card, card.used_cores)),
    "hami_gpu_shared_count": ("Tasks that share a card", lambda card: card.used),
}


class Cards(NamedTuple):
    """What is told, as of one moment."""

    cards: list[CardRow]
    holdings: list[HoldingRow]


def cards_of(hami: ServedHami) -> Cards:
    """Return the cards and what is held of them now."""
    inventory = hami.hami.inventory
    return Cards(list(inventory.cards.rows.values()), list(inventory.holdings.rows.values()))


def cards_text(cards: Cards) -> bytes:
    """Return cards in Prometheus' text format."""
    registry = CollectorRegistry()
    registry.register(_Collector(cards))
    return generate_latest(registry)


class _Collector(Collector):
    def __init__(self, told: Cards) -> None:
        self._told = told

    def collect(self) -> Iterator[GaugeMetricFamily]:
        yield from _of_cards(self._told.cards)
        yield from _of_pods(self._told.holdings)


def _of_cards(cards: Iterable[CardRow]) -> Iterator[GaugeMetricFamily]:
    rows = sorted(cards, key=lambda card: (card.node, card.vendor, card.index, card.id))
    for name, (sentence, figure) in CARD_FIGURES.items():
        family = GaugeMetricFamily(
            name, sentence, labels=["zone", "node", "device_uuid", "device_index", "device_type"]
        )
        for card in rows:
            family.add_metric(["vGPU", card.node, card.id, str(card.index), card.type], figure(card))
        yield family


def _of_pods(holdings: Iterable[HoldingRow]) -> Iterator[GaugeMetricFamily]:
    labels = ["zone", "namespace", "node", "pod", "device_uuid"]
    memory = GaugeMetricFamily("hami_vgpu_memory_allocated_bytes", "Memory that a pod holds", labels=labels)
    cores = GaugeMetricFamily("hami_vgpu_core_allocated_ratio", "Cores that a pod holds", labels=labels)
    for row in sorted(holdings, key=lambda row: row.pod):
        namespace, _, name = row.pod.partition("/")
        for held in (held for devices in row.devices.values() for held in devices):
            place = ["vGPU", namespace, row.node, name, held.id]
            memory.add_metric(place, held.memory * _MIB)
            cores.add_metric(place, held.cores)
    yield memory
    yield cores


def _cores(card: CardRow, cores: int) -> float:
    """Return cores as HAMi tells them: of AMD's cards as a share of all, in percent."""
    if not card.type.upper().startswith("AMD") or card.cores <= 0:
        return cores
    return -(-cores * _PERCENT // card.cores)
