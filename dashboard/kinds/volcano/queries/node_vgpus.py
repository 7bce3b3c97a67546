"""The cards of one node of a snapshot that Volcano divides, and what pods hold of each, as it counts them."""

from __future__ import annotations

from typing import NamedTuple

from dashboard.models import Snapshot
from dashboard.queries.node_pods import node_with_pods
from scheduler_core.objects import types
from scheduler_core.volcano.devices.vgpu import vgpu_node
from scheduler_core.volcano.devices.vgpu_card import ALL_CORES, Card
from scheduler_core.volcano.model.tasks import make_task


class DividedCard(NamedTuple):
    """A card, what of it is used, and the pods (`namespace/name`) that hold a part of it.

    memory: MiB; cores: percent. A pod that is on its way out holds nothing, in Volcano's count.
    """

    id: str
    model: str
    memory: int
    used_memory: int
    cores: int
    used_cores: int
    slots: int
    used_slots: int
    pods: list[str]


def vgpus_of_node(snapshot: Snapshot, name: str) -> list[DividedCard] | None:
    """Return the cards that a node registers, if any; None for a node that isn't there."""
    found = node_with_pods(snapshot, name)
    if found is None:
        return None
    row, pods = found
    node = vgpu_node(types.convert(row.object, types.Node), {})
    if node is None:
        return []
    names: dict[str, str] = {}
    for pod in pods:
        if not (pod.object.get("metadata") or {}).get("deletionTimestamp"):
            task = make_task(types.convert(pod.object, types.Pod), None)
            names[task.uid] = task.key
            node.add(task)
    return [_divided(card, names) for card in node.cards.values()]


def _divided(card: Card, names: dict[str, str]) -> DividedCard:
    return DividedCard(
        card.uuid,
        card.type,
        card.memory,
        card.used_memory,
        ALL_CORES,
        card.used_cores,
        card.shares,
        card.used_shares,
        [names[uid] for uid in card.pods],
    )
