"""The cards of one node of a snapshot that Volcano divides, and what pods hold of each, as it counts them."""

from __future__ import annotations

from typing import NamedTuple

from dashboard.models import Snapshot
from dashboard.queries.configurations import config_maps_of
from dashboard.queries.node_pods import node_with_pods
from scheduler_core.objects import types
from scheduler_core.volcano.devices.mig import MIG
from scheduler_core.volcano.devices.vgpu import REGISTER, vgpu_node
from scheduler_core.volcano.devices.vgpu_card import ALL_CORES, Card
from scheduler_core.volcano.devices.vgpu_requests import Wishes
from scheduler_core.volcano.devices.vgpu_settings import vgpu_settings
from scheduler_core.volcano.model.custom_resources import annotation
from scheduler_core.volcano.model.tasks import make_task


class DividedCard(NamedTuple):
    """A card, what of it is used, and the pods (`namespace/name`) that hold a part of it.

    memory: MiB; cores: percent. A pod that is on its way out holds nothing, in Volcano's count.
    instances: those that are in use of a card that MIG cuts, as the names of their profiles.
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
    instances: list[str]


def vgpus_of_node(snapshot: Snapshot, name: str) -> list[DividedCard] | None:
    """Return the cards that a node registers, if any; None for a node that isn't there."""
    found = node_with_pods(snapshot, name)
    if found is None:
        return None
    row, pods = found
    read = types.convert(row.object, types.Node)
    maps = config_maps_of(snapshot) if MIG in (annotation(read.metadata, REGISTER) or "") else []
    node = vgpu_node(read, Wishes(vgpu_settings(maps)))
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
        [one.profile for one in card.mig.used()],
    )
