"""What is said of HAMi's cards: the reasons against a card or a node, and the policies.

The reasons are HAMi's own words; `scheduler_words.py` gives their meaning to the pages.
"""

from dashboard.kinds.card_words import CardPolicy, CardReason, CardTexts
from scheduler_core.hami.configuration.settings import Configuration
from scheduler_core.hami.rules import constants

_OF_CARDS = {
    constants.CARD_NOT_HEALTHY: "its device plugin reports it as unhealthy",
    constants.CARD_UNHEALTHY: "its device plugin reports it as unhealthy",
    constants.CARD_CORDONED: "the node's annotation keeps pods off it",
    constants.CARD_TYPE_MISMATCH: "it is not of the type or mode that the pod wants",
    constants.CARD_UUID_MISMATCH: "the pod names other cards, or not this one",
    constants.CARD_TIME_SLICING_EXHAUSTED: "all its slots are taken",
    constants.CARD_COMPUTE_UNITS_EXHAUSTED: "all its cores are taken, and the pod names no number of them",
    constants.CARD_INSUFFICIENT_MEMORY: "it has too little memory left",
    constants.CARD_INSUFFICIENT_CORE: "it has too few cores left",
    constants.EXCLUSIVE_CONFLICT: "the pod wants it for itself, and somebody is on it",
    constants.CARD_NOT_FOUND_BY_RULE: "the vendor's own rule is against it",
    constants.CARD_QOS_MISMATCH: "it serves another quality of service",
    constants.CARD_APP_CLASS_MISMATCH: "pods of another class are on it",
    constants.MIG_INFEASIBLE: "no slice of it that is large enough is free",
    constants.QUOTA_NOT_FIT: "the namespace's ResourceQuota has no room for it",
    constants.NUMA_NOT_FIT: "not enough cards of one NUMA node, or of one group, are free",
    constants.TOO_FEW_CARDS: "it would do, but there are too few such cards",
    constants.MODE_NOT_FIT: "the node or its cards can't be shared in this way",
}
_OF_NODES = {
    constants.NODE_INSUFFICIENT_DEVICE: "it has fewer cards of the vendor than the pod asks for",
    constants.NODE_UNREGISTERED: "no device plugin has registered cards of it",
}
_POLICIES = [
    CardPolicy("node", constants.BINPACK, "the node whose cards are fullest"),
    CardPolicy("node", constants.SPREAD, "the node whose cards are emptiest"),
    CardPolicy("card", constants.BINPACK, "the fullest card that fits"),
    CardPolicy("card", constants.SPREAD, "the emptiest card that fits"),
    CardPolicy("card", constants.NUMA, "cards of one NUMA node after the other"),
    CardPolicy("card", constants.MUTEX, "idle cards only"),
    CardPolicy("card", constants.TOPOLOGY, "cards that are connected best"),
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
