"""Why HAMi finds cards on a node or doesn't, card by card, and what it would choose under other policies.

Everything is computed by the code that decides, and taken back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

from msgspec.structs import replace

from scheduler_core.events.cards_tried import CardTried, ContainerCards, NodeCards
from scheduler_core.events.explanation import PolicyChoice
from scheduler_core.hami.devices.mig import large_enough
from scheduler_core.hami.devices.nvidia import MIG_MODE
from scheduler_core.hami.extender.api_client import patched
from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.rules.cards import Request, Taken, Usage
from scheduler_core.hami.rules.constants import BINPACK, GPU_POLICY, NODE_POLICY, SPREAD
from scheduler_core.hami.rules.fit import asked_memory
from scheduler_core.hami.rules.numbers import fewest_digits
from scheduler_core.hami.rules.pod_request import Object, all_containers
from scheduler_core.hami.rules.scheduling_policies import WrongWeights
from scheduler_core.hami.rules.scores import score_parts
from scheduler_core.hami.rules.watching import watched_by
from scheduler_core.schedulers.card_tables import slice_text
from scheduler_core.state.journal import Journal

POLICIES = (BINPACK, SPREAD)


def node_cards(hami: Hami, journal: Journal, pod: Object, node: str, extender: str) -> NodeCards | None:
    """Return what HAMi says of a node; None for a pod that asks for no cards."""
    names = [str(container.get("name", "")) for container in all_containers(pod)]
    watch, mark = _Containers(names), journal.mark()
    try:
        with watched_by(watch):
            found = hami.preview(pod, node)
        parts = score_parts(hami.inventory.usage(node).cards)
    except WrongWeights:
        return None
    finally:
        journal.undo_to(mark)
    if found is None:
        return None
    fits = found.devices is not None
    score = fewest_digits(found.score) if fits else None
    slots, cores, memory = map(fewest_digits, parts)
    return NodeCards(extender, found.reason, score, slots, cores, memory, watch.found)


def policy_choices(hami: Hami, journal: Journal, pod: Object, nodes: Sequence[str]) -> list[PolicyChoice]:
    """Return what would be chosen under each pair of policies; none for a pod that asks for no cards."""
    ask = hami.ask(pod)
    if not ask.asks_for_cards:
        return []
    own = ask.node_policy, ask.gpu_policy
    pairs = list(dict.fromkeys([own, *product(POLICIES, POLICIES)]))
    return [_choice(hami, journal, pod, nodes, pair, own=pair == own) for pair in pairs]


def _choice(
    hami: Hami, journal: Journal, pod: Object, nodes: Sequence[str], pair: tuple[str, str], *, own: bool
) -> PolicyChoice:
    mark = journal.mark()
    answer = hami.filter(patched(pod, dict(zip((NODE_POLICY, GPU_POLICY), pair, strict=True))), nodes)
    journal.undo_to(mark)
    cards = [taken.id for pieces in answer.devices.values() for piece in pieces for taken in piece]
    score = None if answer.score is None else fewest_digits(answer.score)
    return PolicyChoice(*pair, own, answer.chosen, score, cards)


class _Containers:
    """Notes what each container asked for and which cards it tried."""

    def __init__(self, names: Sequence[str]) -> None:
        self.found: list[ContainerCards] = []
        self._names = names
        self._order: list[CardTried] = []
        self._reasons: dict[str, str] = {}

    def asks(self, container: int, request: Request, cards: Sequence[Usage], cores: Sequence[int]) -> None:
        self._order = [
            _unseen(usage, of_card, request)
            for usage, of_card in zip(reversed(cards), reversed(cores), strict=True)
        ]
        self._reasons = {}
        name = self._names[container] if container < len(self._names) else ""
        asked = request.type, request.nums, request.memory, request.percentage, request.cores
        self.found.append(ContainerCards(name, *asked, self._order, ""))

    def tries(self, usage: Usage, reason: str) -> None:
        self._reasons[usage.card.id] = reason

    def gets(self, taken: Sequence[Taken] | None, reason: str) -> None:
        slices: dict[str, list[str]] = {}
        for one in taken or ():
            slices.setdefault(one.id, []).extend([slice_text(one.slice)] if one.slice else [])
        cards = [_seen(card, slices, self._reasons) for card in self._order]
        self.found[-1] = replace(self.found[-1], cards=cards, reason=reason)


def _unseen(usage: Usage, cores: int, request: Request) -> CardTried:
    card = usage.card
    profiles = card.mig_profiles if card.mode == MIG_MODE else ()
    return CardTried(
        id=card.id,
        index=card.index,
        numa=card.numa,
        score=fewest_digits(usage.score),
        slots=card.count,
        used=usage.used,
        memory=card.memory,
        used_memory=usage.memory,
        cores=card.cores,
        cores_for_pod=cores,
        used_cores=usage.cores,
        verdict="unseen",
        reason="",
        profiles=[profile.name for profile in large_enough(profiles, asked_memory(request, usage))],
        in_use=[slice_text(one) for one in usage.slices],
    )


def _seen(card: CardTried, taken: Mapping[str, list[str]], reasons: Mapping[str, str]) -> CardTried:
    """Return a card with what came of it; `taken` is the slices of each card that is taken, by its id."""
    if card.id in taken:
        return replace(card, verdict="taken", slices=taken[card.id])
    reason = reasons.get(card.id)
    if reason is None:
        return card
    return replace(card, verdict="refused", reason=reason) if reason else replace(card, verdict="fits")
