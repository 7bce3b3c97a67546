"""Which vGPU cards of each node a pod was tried on, and why one was passed over.

It is computed by the code that decides, on copies.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from scheduler_core.events.cards_tried import CardTried, ContainerCards, NodeCards
from scheduler_core.schedulers.card_tables import slice_text
from scheduler_core.volcano.devices.exclusive_vgpu import ExclusiveVgpuNode
from scheduler_core.volcano.devices.vgpu import ContainerTries, VgpuNode
from scheduler_core.volcano.devices.vgpu_card import ALL_CORES, NO_SHARE, SAME_RULE, Tried, slice_of
from scheduler_core.volcano.devices.vgpu_requests import CARD_TYPE, NO_PERCENTAGE
from scheduler_core.volcano.framework.session import Session
from scheduler_core.volcano.framework.steps import Step, Try
from scheduler_core.volcano.model.tasks import Task
from scheduler_core.volcano.plugins.deviceshare import Deviceshare

_TENTHS = 10
TOO_FEW = "too few of its cards will do"
Verdict = Literal["taken", "fits", "refused", "unseen"]


def cards_of_step(session: Session, step: Step) -> dict[str, NodeCards]:
    """Return what the cards of each node were to the pod of a try that was just taken, by node.

    Empty for other steps, and for a pod that asks for no vGPUs.
    """
    if not isinstance(step, Try) or step.why in ("queue", "role"):
        return {}
    return dict(_by_node(session, step.task, step.node))


def refused_cards(session: Session, task: Task) -> dict[str, dict[str, int]]:
    """Return by node how many of its cards are refused for each reason to a pod that has no node."""
    by_node = _by_node(session, task, "")
    return {name: _counted(found) for name, found in by_node if found.reason}


def _counted(found: NodeCards) -> dict[str, int]:
    return {why: len(ids) for why, ids in found.in_short().refused.items()}


def _by_node(session: Session, task: Task, given: str) -> Iterator[tuple[str, NodeCards]]:
    """Yield what nodes' cards are to a task; on `given`, which it has just got, as they were before."""
    plugin = next((one for one in session.plugins.values() if isinstance(one, Deviceshare)), None)
    if plugin is None:
        return
    for row, found in sorted(session.nodes.devices.items()):
        name = session.nodes.names[row]
        for devices in found:
            if isinstance(devices, VgpuNode | ExclusiveVgpuNode) and devices.asked_by(task):
                before = devices.without(task) if name == given else devices.copied()
                yield name, _Node(before, task).cards(plugin.policy)


class _Node:
    """A node's cards as they are to a pod. It may change them."""

    def __init__(self, devices: VgpuNode | ExclusiveVgpuNode, task: Task) -> None:
        self._task = task
        self._node = devices.cards if isinstance(devices, ExclusiveVgpuNode) else devices
        rules = devices.taken_by_rules(task) if isinstance(devices, ExclusiveVgpuNode) else ()
        self._of_others = {place for place in rules if place in self._node.cards}
        self._shares = {place: card.shares for place, card in self._node.cards.items()}
        self._parts = _parts(self._node)
        for place in self._of_others:
            self._node.cards[place].shares = self._node.cards[place].used_shares

    def cards(self, policy: str) -> NodeCards:
        """Return what a container of the pod finds, one after the other."""
        why = self._node.refusal(self._task, policy)
        names = self._node.wishes.asking_containers(self._task)
        pairs = zip(names, self._node.tries(self._task, policy), strict=False)
        containers = [self._container(name, tries) for name, tries in pairs]
        score = None if why else self._node.score
        slots, memory, cores = self._parts
        return NodeCards(Deviceshare.name, why, score, slots, cores, memory, containers)

    def _container(self, name: str, tries: ContainerTries) -> ContainerCards:
        asked = tries.asked
        cards = [self._card(one, _verdict(one)) for one in tries.tried]
        cards += [self._card(one, "unseen") for one in tries.unseen]
        by_memory = asked.percentage == NO_PERCENTAGE
        memory, percentage = (asked.memory, 0) if by_memory else (0, asked.percentage)
        why = "" if tries.found_enough else TOO_FEW
        return ContainerCards(name, CARD_TYPE, asked.number, memory, percentage, asked.cores, cards, why)

    def _card(self, one: Tried, verdict: Verdict) -> CardTried:
        card, used = self._node.cards[one.place], one.used
        by_rule = one.place in self._of_others and one.why == NO_SHARE
        return CardTried(
            id=card.uuid,
            index=one.place,
            numa=0,
            score=None,
            slots=self._shares[one.place],
            used=used.shares,
            memory=card.memory,
            used_memory=used.memory,
            cores=ALL_CORES,
            cores_for_pod=ALL_CORES,
            used_cores=used.cores,
            verdict=verdict,
            reason=SAME_RULE if by_rule else one.why,
            profiles=list(one.profiles),
            in_use=[slice_text(slice_of(used)) for used in card.mig.used()],
            slices=[] if one.instance is None else [slice_text(slice_of(one.instance))],
        )


def _verdict(one: Tried) -> Verdict:
    if one.why:
        return "refused"
    return "taken" if one.taken else "fits"


def _parts(node: VgpuNode) -> Sequence[float]:
    """Return how full the cards are in shares, memory and cores, each from 0 to 10."""
    cards = node.cards.values()
    pairs = (
        (sum(card.used_shares for card in cards), sum(card.shares for card in cards)),
        (sum(card.used_memory for card in cards), sum(card.memory for card in cards)),
        (sum(card.used_cores for card in cards), ALL_CORES * len(cards)),
    )
    return [round(_TENTHS * used / size, 6) if size else 0.0 for used, size in pairs]
