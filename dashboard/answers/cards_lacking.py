"""What is said of cards that won't do: what no node has, free or not, and what others hold, by nodes."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dashboard.answers.sentence import Sentence, Words, first_reasons, number, sentence, strong
from scheduler_core.schedulers.card_lacks import CardLack, CardWish, LackKind, all_missing
from scheduler_core.schedulers.cause import Held

_FOR_ALL = "for all containers of the pod"
_IDS = 2
_RANK: tuple[LackKind, ...] = (
    "unregistered", "vendor", "rule", "type", "id", "few", "slots", "units", "idle", "memory", "cores",
    "slices", "numa", "several",
)  # fmt: skip
"""Of these the last says most."""


def lacking(held: Held, nodes: int) -> Sentence:
    """Return what cards lack on all nodes that are refused for it, of so many in the cluster."""
    said = first_reasons([(_lack(one), one.nodes) for one in held.lacks])
    if all_missing(held.lacks):
        none = missing(held.lacks) if held.nodes == nodes else ""
        if not none:
            return sentence(said, "; freeing cards does not help")
        headline = sentence(strong(f"no node has {none}"), ", free or not")
        return sentence(headline, ": ", said) if len(held.lacks) > 1 else headline
    mended = [one for one in held.lacks if not one.is_missing]
    alone = sum(one.alone for one in mended)
    if alone == sum(one.nodes for one in mended):
        return said
    if not alone:
        return sentence("no single change is enough; ", said)
    return sentence(said, "; without that ", number(alone, "node"), " would take it")


def missing(lacks: Sequence[CardLack]) -> str:
    """Return what no node has where all nodes lack cards: "an NVIDIA card of type H200".

    Empty where nodes lack different things, so that each has something of what others lack.
    """
    most = max(lacks, key=lambda one: _RANK.index(one.kind))
    if any(one.kind == "rule" or not _implies(one, most) for one in lacks):
        return ""
    return _such(most)


def _implies(one: CardLack, other: CardLack) -> bool:
    """Return whether nodes that lack the one lack the other, too."""
    if one.kind == "unregistered":
        return True
    if one.wish.vendor != other.wish.vendor:
        return False
    if one.kind in ("vendor", "type", "id") or other.kind == "several":
        return True
    if one.kind == "few":
        return one.wish.number == other.wish.number
    return one == replace(other, nodes=one.nodes, alone=one.alone)


def in_short(lack: CardLack) -> str:
    """Return what is short, where nodes are counted behind it: "memory of NVIDIA cards"."""
    cards = _cards(lack.wish)
    if lack.is_missing:
        return _not_there(lack)
    match lack.kind:
        case "memory" | "cores" | "slots":
            return f"{lack.kind} of {cards}"
        case "units":
            return f"cores of {cards}"
        case "slices":
            return f"MIG slices of {cards}"
        case "quota":
            return f"the namespace's quota of {cards}"
        case "unhealthy" | "cordoned":
            return f"{lack.kind} {cards}"
        case "unreadable":
            return f"an unreadable registration of {lack.wish.vendor} cards"
        case "rule":
            return lack.reason
    return f"free {cards}"


def _lack(one: CardLack) -> Sentence:
    if one.is_missing:
        return _missing(one)
    on = sentence(" on ", number(one.nodes, "node"))
    cards = _cards(one.wish)
    match one.kind:
        case "memory":
            return sentence(f"{cards} have too little memory free", on)
        case "cores":
            return sentence(f"{cards} have too few cores free", on)
        case "units":
            return sentence(f"all cores of {cards} are taken", on)
        case "slots":
            return sentence(f"all slots of {cards} are taken", on)
        case "idle":
            return sentence(f"too few {cards} are idle", on)
        case "slices":
            return sentence(f"no MIG slice that is large enough is free of {cards}", on)
        case "numa":
            return sentence(f"too few {cards} {_together(one.wish)} are free", on)
        case "unhealthy" | "cordoned":
            return sentence(f"{cards} that would do are {one.kind}", on)
        case "unreadable":
            return sentence(f"the registration of {one.wish.vendor} cards cannot be read", on)
        case "quota":
            return sentence(f"the namespace's ResourceQuota has no room for {cards}", on)
        case "few":
            return sentence(f"too few {cards} are free", on)
    return sentence([Words(one.reason)], f" of {cards}", on)


def _missing(one: CardLack) -> Sentence:
    is_one = one.nodes == 1
    nodes = number(one.nodes)
    if one.kind == "unregistered":
        return sentence(nodes, f" {'registers' if is_one else 'register'} no cards")
    if one.kind == "rule":
        return sentence(nodes, f" {'is' if is_one else 'are'} refused: ", [Words(one.reason)])
    return sentence(nodes, f" {'has' if is_one else 'have'} {_not_there(one)}")


def _not_there(one: CardLack) -> str:
    """Return what nodes have not: "no NVIDIA card of type H200", "fewer than 4 NVIDIA cards"."""
    match one.kind:
        case "unregistered":
            return "no cards"
        case "rule":
            return one.reason
        case "vendor":
            return f"no {one.wish.vendor} card"
        case "type" | "id":
            return f"no {_one_card(one.wish)}"
        case "several":
            return f"too few {_cards(one.wish)} {_FOR_ALL}"
    large = f" {_together(one.wish)}" if one.kind == "numa" else _large(one)
    if one.wish.number == 1:
        return f"no {_one_card(one.wish)}{large}"
    return f"fewer than {_number(one.wish)}{large}"


def _such(one: CardLack) -> str:
    """Return what is missing: "an NVIDIA card of type H200", "4 NVIDIA cards on one NUMA node"."""
    wish = one.wish
    if one.kind == "several":
        return f"enough {_cards(wish)} {_FOR_ALL}"
    large = f" {_together(wish)}" if one.kind == "numa" else _large(one)
    if wish.number > 1 and one.kind not in ("type", "id", "vendor"):
        return f"{_number(wish)}{large}"
    card = f"{wish.vendor} card" if one.kind == "vendor" else f"{_one_card(wish)}{large}"
    return f"an {card}" if card[:1] in "AEIOU" or card.startswith(("NV", "MLU", "XPU")) else f"a {card}"


def _large(one: CardLack) -> str:
    """Return how large a card has to be where none is large enough."""
    wish = one.wish
    if one.kind == "slices":
        memory = f"{wish.memory:,} MiB" if wish.memory else f"{wish.percentage:,} % of its memory"
        return f" with a MIG profile of {memory}"
    if one.kind == "slots":
        return " with a slot"
    if one.kind not in ("memory", "cores"):
        return ""
    parts = [f"{wish.memory:,} MiB"] if wish.memory else []
    parts += [f"{wish.cores:,} cores"] if wish.cores else []
    return f" with {' and '.join(parts)}" if parts else ""


def _number(wish: CardWish) -> str:
    return f"{wish.number:,} {_cards(wish)}"


def _cards(wish: CardWish) -> str:
    return f"{wish.vendor} cards{_kind(wish)}".strip()


def _one_card(wish: CardWish) -> str:
    return f"{wish.vendor} card{_kind(wish)}".strip()


def _kind(wish: CardWish) -> str:
    """Return which cards the pod's annotations let it have: " of type L40S or A100 in mode mig"."""
    said = f" of type {_listed(wish.types)}" if wish.types else ""
    if wish.no_types:
        said += f" of a type other than {_listed(wish.no_types)}"
    if wish.mode:
        said += f" in mode {wish.mode}"
    if wish.ids:
        said += f" with UUID {_listed(wish.ids)}"
    if wish.no_ids:
        said += f" with a UUID other than {_listed(wish.no_ids)}"
    return said


def _listed(names: Sequence[str]) -> str:
    told, more = names[:_IDS], len(names) - _IDS
    return " or ".join(told) + (f" or {more:,} more" if more > 0 else "")


def _together(wish: CardWish) -> str:
    return "on one NUMA node" if wish.one_numa else "that are connected"
