"""What the cards of a node lack for a pod, by HAMi's own rules: of the node as it is, and of idle cards.

A node whose idle cards would do is full. One whose idle cards would do if they were healthy, and neither
cordoned nor under a quota, is held by that. One whose registration cannot be read is told as that. Any other
has no such cards. Everything is taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from msgspec.structs import replace

from scheduler_core.hami.extender.extender import Hami
from scheduler_core.hami.extender.placement_cache import Question
from scheduler_core.hami.extender.placing import Placement, place
from scheduler_core.hami.extender.reasons import counts_of
from scheduler_core.hami.extender.registration import unreadable_annotations
from scheduler_core.hami.rules import constants
from scheduler_core.hami.rules.cards import ALL_MEMORY_UNSET, Card, Request, Taken, Usage
from scheduler_core.hami.rules.charging import NodeUsage, count_usage
from scheduler_core.hami.rules.pod_request import Ask, NodeInfo, Object
from scheduler_core.hami.rules.scheduling_policies import WrongWeights
from scheduler_core.hami.rules.watching import watched_by
from scheduler_core.schedulers.card_lacks import CardLack, CardWish, LackKind
from scheduler_core.state.journal import Journal

_KINDS: dict[str, LackKind] = {
    constants.CARD_TYPE_MISMATCH: "type",
    constants.CARD_UUID_MISMATCH: "id",
    constants.CARD_NOT_HEALTHY: "unhealthy",
    constants.CARD_UNHEALTHY: "unhealthy",
    constants.CARD_CORDONED: "cordoned",
    constants.QUOTA_NOT_FIT: "quota",
    constants.CARD_TIME_SLICING_EXHAUSTED: "slots",
    constants.CARD_INSUFFICIENT_MEMORY: "memory",
    constants.CARD_INSUFFICIENT_CORE: "cores",
    constants.CARD_COMPUTE_UNITS_EXHAUSTED: "units",
    constants.EXCLUSIVE_CONFLICT: "idle",
    constants.MIG_INFEASIBLE: "slices",
    constants.NUMA_NOT_FIT: "numa",
    constants.TOO_FEW_CARDS: "few",
}
_WRONG_CARDS = (constants.CARD_UUID_MISMATCH, constants.CARD_TYPE_MISMATCH)
_TOGETHER = (constants.NUMA_NOT_FIT, constants.TOO_FEW_CARDS)
"""What is said of cards that would do: too few of them, or too few together."""
_NOT_FREED = (
    constants.QUOTA_NOT_FIT,
    constants.CARD_CORDONED,
    constants.CARD_NOT_HEALTHY,
    constants.CARD_UNHEALTHY,
)
_NO_NAMESPACE = " "
"""No namespace is called so: no quota counts for it."""


def card_lacks(
    hami: Hami, journal: Journal, pod: Object, nodes: Sequence[str], document: Callable[[str], Object | None]
) -> Mapping[str, tuple[str, CardLack]]:
    """Return by node that is refused HAMi's reason, and what its cards lack; none for a pod without cards.

    document: returns a node, by its name, as it is now.
    """
    mark = journal.mark()
    try:
        found = hami.judge(pod, nodes)
        if found is None:
            return {}
        question, reasons = found
        lacking = _Lacking(hami, question, document)
        return {name: (reason, lacking.of(name, reason)) for name, reason in reasons.items()}
    except WrongWeights:
        return {}
    finally:
        journal.undo_to(mark)


class _Lacking:
    """Finds out what nodes lack for one question; nodes that answer alike are asked once."""

    def __init__(self, hami: Hami, question: Question, document: Callable[[str], Object | None]) -> None:
        self._hami, self._question, self._document = hami, question, document
        ask = question.ask
        nobodys = {**ask.pod, "metadata": {**ask.pod["metadata"], "namespace": _NO_NAMESPACE}}
        self._unlimited = replace(ask, pod=nobodys)
        self._known: dict[Hashable, CardLack] = {}
        self._idle: dict[Hashable, CardLack | None] = {}

    def of(self, name: str, reason: str) -> CardLack:
        """Return what a node lacks that HAMi refuses for this reason."""
        found = self._registered(name, reason)
        if found.kind in ("unregistered", "vendor") and self._is_unreadable(name, found.wish.vendor):
            return replace(found, kind="unreadable")
        return found

    def _is_unreadable(self, name: str, vendor: str) -> bool:
        """Return whether a node registers cards of a vendor in a way that HAMi cannot read."""
        node = self._document(name)
        return node is not None and bool(unreadable_annotations(node, [self._hami.vendors[vendor]], 0))

    def _registered(self, name: str, reason: str) -> CardLack:
        """Return what a node lacks by the cards that HAMi knows of it."""
        node = self._hami.inventory.node(name)
        if node is None:
            first = next(request for requests in self._question.ask.requests for request in requests.values())
            return CardLack("unregistered", False, reason, self._wish(first))
        usage = self._hami.inventory.usage(name)
        key = self._hami.kept.alike(self._question, node, usage), reason
        if key not in self._known:
            self._known[key] = self._held(node) or self._full(node, usage, reason)
        return self._known[key]

    def _held(self, node: NodeInfo) -> CardLack | None:
        """Return what a node lacks though nobody holds its cards; None for nothing."""
        usage = count_usage(node.cards, ())
        key = self._hami.kept.alike(self._question, node, usage)
        if key not in self._idle:
            self._idle[key] = self._missing(node) or self._kept_from(node, usage)
        return self._idle[key]

    def _missing(self, node: NodeInfo) -> CardLack | None:
        """Return what a node lacks with idle, healthy cards that are not cordoned, and without a quota."""
        cards = {key: tuple(map(_healthy, of_vendor)) for key, of_vendor in node.cards.items()}
        ids = {key for vendor in self._hami.vendors.values() for key in vendor.node_ids}
        annotations = {key: text for key, text in node.annotations.items() if key not in ids}
        open_node = NodeInfo(node.name, annotations, cards)
        idle = count_usage(cards, ())
        placed, watch = self._try(self._unlimited, open_node, idle)
        if placed.devices is not None:
            return None
        if sum(map(bool, self._unlimited.requests)) > 1:
            together, _ = _main(placed.reason, watch.cards)
            placed, watch = self._try(_only(self._unlimited, watch.container), open_node, idle)
            if placed.devices is not None:
                return CardLack("several", False, together, self._wish(watch.request))
        if placed.reason == constants.NODE_INSUFFICIENT_DEVICE:
            kind: LackKind = "few" if watch.cards else "vendor"
            return CardLack(kind, False, placed.reason, self._wish(watch.request))
        word, kind = _main(placed.reason, watch.cards)
        return CardLack(kind, False, word, _too_large(self._wish(watch.request), placed.reason))

    def _kept_from(self, node: NodeInfo, idle: NodeUsage) -> CardLack | None:
        """Return what keeps a pod from idle cards that would do; None for nothing."""
        placed, watch = self._try(self._question.ask, node, idle)
        if placed.devices is not None:
            return None
        counts = counts_of(placed.reason)
        word = next((word for word in _NOT_FREED if word in counts), placed.reason)
        return CardLack(_KINDS.get(word, "rule"), False, word, self._wish(watch.request))

    def _full(self, node: NodeInfo, usage: NodeUsage, reason: str) -> CardLack:
        """Return what a node lacks of cards that would do if they were idle."""
        _, watch = self._try(self._question.ask, node, usage)
        word, kind = _main(reason, watch.cards, beside=_NOT_FREED)
        return CardLack(kind, True, word, self._wish(watch.request))

    def _try(self, ask: Ask, node: NodeInfo, usage: NodeUsage) -> tuple[Placement, _Last]:
        watch = _Last()
        with watched_by(watch):
            placed = place(ask, node, usage, self._hami.vendors, self._question.weights)
        return placed, watch

    def _wish(self, request: Request) -> CardWish:
        """Return what a container asks for, with the pod's annotations about cards of that vendor."""
        ask, vendor = self._question.ask, self._hami.vendors[request.type]
        unset = request.memory or request.percentage == ALL_MEMORY_UNSET
        types, no_types = _lists(ask, vendor.type_keys)
        ids, no_ids = _lists(ask, vendor.id_keys)
        return CardWish(
            request.type,
            request.nums,
            request.memory,
            0 if unset else request.percentage,
            request.cores,
            types,
            no_types,
            ids,
            no_ids,
            ask.annotations.get(vendor.mode_key, "") if vendor.mode_key else "",
            ask.numa_bind and constants.NUMA_BIND in vendor.reads,
        )


class _Last:
    """Notes which container asked last, for what, and of how many cards."""

    def __init__(self) -> None:
        self.container, self.request, self.cards = 0, Request("", 0, 0, 0, 0), 0

    def asks(self, container: int, request: Request, cards: Sequence[Usage], cores: Sequence[int]) -> None:
        self.container, self.request, self.cards = container, request, len(cards)

    def tries(self, usage: Usage, reason: str) -> None:
        """What single cards are refused for stands in the node's reason."""

    def gets(self, taken: Sequence[Taken] | None, reason: str) -> None:
        """What is taken is of no interest here."""


def _main(reason: str, cards: int, beside: Sequence[str] = ()) -> tuple[str, LackKind]:
    """Return the word of a node's reason that tells most, and what it is about; of so many cards.

    What keeps most cards that are of the right kind goes first, but for words that only stand `beside` it.
    Where only wrong ones are refused, all of them have to be, or else too few would do.
    """
    counts = counts_of(reason)
    known = {word: count for word, count in counts.items() if word not in (*_WRONG_CARDS, *_TOGETHER)}
    right = {word: count for word, count in known.items() if word not in beside} or known
    if right:
        word = max(right, key=lambda word: (right[word], word))
        return word, _KINDS.get(word, "rule")
    for word in _TOGETHER:
        if word in counts:
            return word, _KINDS[word]
    wrong = next((word for word in _WRONG_CARDS if word in counts), "")
    if not wrong:
        return reason, "rule"
    return wrong, _KINDS[wrong] if sum(counts.values()) >= cards else "few"


def _too_large(wish: CardWish, reason: str) -> CardWish:
    """Return what is asked for, without the memory or the cores that every card of the kind has."""
    counts = counts_of(reason)
    return replace(
        wish,
        memory=0 if constants.CARD_INSUFFICIENT_CORE in counts and not _small(counts) else wish.memory,
        cores=wish.cores if constants.CARD_INSUFFICIENT_CORE in counts else 0,
    )


def _small(counts: Mapping[str, int]) -> bool:
    return constants.CARD_INSUFFICIENT_MEMORY in counts or constants.MIG_INFEASIBLE in counts


def _only(ask: Ask, container: int) -> Ask:
    """Return what one container asks for, as if the others of its pod asked for no cards."""
    requests = [one if place == container else {} for place, one in enumerate(ask.requests)]
    return replace(ask, requests=requests)


def _healthy(card: Card) -> Card:
    return card if card.health else replace(card, health=True)


def _lists(ask: Ask, keys: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return what the pod's lists to use and to avoid name, under keys that come by turns."""
    texts = ([ask.annotations.get(key, "") for key in some] for some in (keys[0::2], keys[1::2]))
    use, avoid = (tuple(filter(None, map(str.strip, ",".join(some).split(",")))) for some in texts)
    return use, avoid
