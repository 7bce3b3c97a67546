"""What is said of HAMi's cards: the reasons against a card or a node, and the policies.

The reasons are HAMi's own words; `scheduler_words.py` gives their meaning to the pages.
"""

from dashboard.kinds.card_words import CardPolicy, CardReason, CardTexts
from scheduler_core.hami import words
from scheduler_core.hami.configuration import Configuration

_OF_CARDS = {
    words.CARD_NOT_HEALTHY: "its device plugin reports it as unhealthy",
    words.CARD_UNHEALTHY: "its device plugin reports it as unhealthy",
    words.CARD_CORDONED: "the node's annotation keeps pods off it",
    words.CARD_TYPE_MISMATCH: "it is not of the type or mode that the pod wants",
    words.CARD_UUID_MISMATCH: "the pod names other cards, or not this one",
    words.CARD_TIME_SLICING_EXHAUSTED: "all its slots are taken",
    words.CARD_COMPUTE_UNITS_EXHAUSTED: "all its cores are taken, and the pod names no number of them",
    words.CARD_INSUFFICIENT_MEMORY: "it has too little memory left",
    words.CARD_INSUFFICIENT_CORE: "it has too few cores left",
    words.EXCLUSIVE_CONFLICT: "the pod wants it for itself, and somebody is on it",
    words.CARD_NOT_FOUND_BY_RULE: "the vendor's own rule is against it",
    words.CARD_QOS_MISMATCH: "it serves another quality of service",
    words.CARD_APP_CLASS_MISMATCH: "pods of another class are on it",
    words.MIG_INFEASIBLE: "no slice of it that is large enough is free",
    words.QUOTA_NOT_FIT: "the namespace's ResourceQuota has no room for it",
    words.NUMA_NOT_FIT: "not enough cards of one NUMA node, or of one group, are free",
    words.TOO_FEW_CARDS: "it would do, but there are too few such cards",
    words.MODE_NOT_FIT: "the node or its cards can't be shared in this way",
}
_OF_NODES = {
    words.NODE_INSUFFICIENT_DEVICE: "it has fewer cards of the vendor than the pod asks for",
    words.NODE_UNREGISTERED: "no device plugin has registered cards of it",
}
_POLICIES = [
    CardPolicy("node", words.BINPACK, "the node whose cards are fullest"),
    CardPolicy("node", words.SPREAD, "the node whose cards are emptiest"),
    CardPolicy("card", words.BINPACK, "the fullest card that fits"),
    CardPolicy("card", words.SPREAD, "the emptiest card that fits"),
    CardPolicy("card", words.NUMA, "cards of one NUMA node after the other"),
    CardPolicy("card", words.MUTEX, "idle cards only"),
    CardPolicy("card", words.TOPOLOGY, "cards that are connected best"),
]


def card_texts(configuration: Configuration) -> CardTexts:
    """Return what is said of cards under these settings."""
    reasons = [CardReason(reason, "card", means) for reason, means in _OF_CARDS.items()]
    reasons += [CardReason(reason, "node", means) for reason, means in _OF_NODES.items()]
    return CardTexts(
        node_policy=configuration.node_scheduler_policy,
        card_policy=configuration.gpu_scheduler_policy,
        reasons=reasons,
        policies=_POLICIES,
    )
