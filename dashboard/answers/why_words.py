"""What is said of the causes for which pods wait: one table of words for all schedulers.

A cause is named by its kind and, where nodes are what is missing, by the plugin that binds. Plugins that are
not here are named as the scheduler names them.
"""

from typing import NamedTuple

from scheduler_core.schedulers.card_lacks import all_missing
from scheduler_core.schedulers.cause import Cause, CauseKind, Held

DEVICES = "DynamicResources"
"""The plugin that looks for devices, and before that for claims."""
ROOM = frozenset({"NodeResourcesFit", "PodFitsResources", "allocate"})
"""Those that look at amounts, one reason a resource."""


class CauseWords(NamedTuple):
    """A cause in a list: `title`, what it `means` in few words, and what is said behind a number of pods."""

    title: str
    means: str
    behind: str


KINDS: dict[CauseKind, CauseWords] = {
    "fits": CauseWords("Would be placed now", "a node takes it as the cluster stands", "would be placed now"),
    "preempts": CauseWords(
        "Would be placed by evicting",
        "others would be evicted for it",
        "would be placed by evicting",
    ),
    "gated": CauseWords(
        "Scheduling gates", "no scheduler looks for a node until they are removed", "for scheduling gates"
    ),
    "unserved": CauseWords("No scheduler", "none serves the schedulerName", "for a scheduler"),
    "ignored": CauseWords(
        "No pod group or queue", "sessions look away from it", "for a pod group or a queue"
    ),
    "refused": CauseWords(
        "Refused at enqueue", "the job may not enter its queue", "for admission to a queue"
    ),
    "queue": CauseWords(
        "Queue over its share", "the queue would hold more than it may", "for the share of a queue"
    ),
    "gang": CauseWords("Gang is short", "too few pods of the gang find nodes", "for the rest of a gang"),
    "unbound": CauseWords(
        "Given a node, not bound",
        "its scheduler keeps the node and binds nothing",
        "given a node and not bound",
    ),
    "untried": CauseWords(
        "Not reached", "its scheduler ends before it, or a run leaves it out", "not reached by a scheduler"
    ),
    "error": CauseWords("Ends with an error", "the attempt is given up", "for an attempt without an error"),
    "not_created": CauseWords("Not created", "admission refuses the pod", "for admission"),
}
SHUT = CauseWords(
    "Queue takes nothing in", "the queue is not open, or none is", "for a queue that takes something in"
)
"""Of a queue that refuses whatever is asked for: no sum decides."""
_CORDONED = CauseWords(
    "Cordoned", "the room is there, the node is cordoned", "for a node that is not cordoned"
)
_TAINTED = CauseWords(
    "Untolerated taint", "the room is there, the node is closed", "for a node without an untolerated taint"
)
_OTHER_KIND = CauseWords(
    "No node of the asked kind",
    "a selector or affinity that no free node has",
    "for a node of the asked kind",
)
_PORT = CauseWords("Host port is taken", "a pod on the node has the port", "for a host port")
_PODS_AGAINST = CauseWords(
    "Pod affinity", "the pods that are there stand against it", "for a node that pod affinity allows"
)
_ELSEWHERE = CauseWords(
    "Volume is elsewhere", "the claim is not there, or bound where no node is free", "for a volume"
)
_OTHER_ZONE = CauseWords("Volume is elsewhere", "the volume lies in another zone", "for a volume")
_ATTACHED = CauseWords(
    "Too many volumes", "the node can attach no more", "for a node that can attach more volumes"
)
PLUGINS: dict[str, CauseWords] = {
    "NodeUnschedulable": _CORDONED,
    "CheckNodeUnschedulable": _CORDONED,
    "TaintToleration": _TAINTED,
    "PodToleratesNodeTaints": _TAINTED,
    "NodeAffinity": _OTHER_KIND,
    "MatchNodeSelector": _OTHER_KIND,
    "NodeName": CauseWords("Another node by name", "the pod names one node", "for one node by its name"),
    "NodePorts": _PORT,
    "PodFitsHostPorts": _PORT,
    "InterPodAffinity": _PODS_AGAINST,
    "MatchInterPodAffinity": _PODS_AGAINST,
    "PodTopologySpread": CauseWords(
        "Topology spread",
        "the copies may not lie more unevenly",
        "for a node that topology spread allows",
    ),
    "VolumeBinding": _ELSEWHERE,
    "CheckVolumeBinding": _ELSEWHERE,
    "VolumeZone": _OTHER_ZONE,
    "NoVolumeZoneConflict": _OTHER_ZONE,
    "VolumeRestrictions": CauseWords(
        "Volume is in use or missing", "the claim can't be mounted", "for a volume in use or missing"
    ),
    "DynamicResources": CauseWords(
        "Devices do not suffice", "no node has devices for all claims", "for devices"
    ),
    "NoDiskConflict": CauseWords(
        "Volume is in use", "a pod on the node has the disk", "for a volume that is in use"
    ),
    **dict.fromkeys(
        (
            "NodeVolumeLimits",
            "EBSLimits",
            "GCEPDLimits",
            "AzureDiskLimits",
            "MaxCSIVolumeCountPred",
            "MaxEBSVolumeCount",
            "MaxGCEPDVolumeCount",
            "MaxAzureDiskVolumeCount",
        ),
        _ATTACHED,
    ),
}
CLAIMS = CauseWords(
    "Claim can't be used", "no scheduler looks for a node until it can", "for a claim that can't be used"
)
PODS = CauseWords(
    "Too many pods",
    "the nodes have as many pods as they may have",
    "for a node that may have more pods",
)
NOWHERE = CauseWords("No nodes", "the cluster has none", "for a node to exist")
UNPLAYED = CauseWords(
    "Not modelled", "what its scheduler would decide is not known", "for something that is not modelled"
)
"""Of attempts that end where the engine does not guess: the real scheduler may well place the pod."""
_UNPLAYED = "not modelled: "
UNASKED = CauseWords("Not tried", "its turn did not come", "not tried")
"""Of pods that were not tried: no cause."""
OUT_OF_TIME, ENDED = "the time was up before it", "it was ended before it"


def words_of(cause: Cause) -> CauseWords:
    """Return how a cause stands in a list."""
    if cause.kind == "untried" and cause.reason in (OUT_OF_TIME, ENDED):
        return UNASKED
    if cause.kind == "gated" and cause.plugin == DEVICES:
        return CLAIMS
    if unplayed(cause):
        return UNPLAYED
    if cause.kind == "queue" and cause.reason and not cause.sums:
        return SHUT
    if cause.kind not in ("nodes", "pre_filter"):
        return KINDS[cause.kind]
    if not cause.held:
        return NOWHERE
    return words_of_held(cause.held[0])


def unplayed(cause: Cause) -> str:
    """Return what keeps an attempt from being played, as resource claims; "" where the scheduler decides."""
    message = cause.message if cause.kind == "error" else ""
    return message.removeprefix(_UNPLAYED) if message.startswith(_UNPLAYED) else ""


def words_of_held(held: Held) -> CauseWords:
    """Return how something that stands against a pod is named."""
    if held.plugin in ROOM and held.reason:
        resource = resource_of(held)
        if resource == "pods":
            return PODS
        return CauseWords(
            f"Insufficient {resource}", "more than is free on every open node", f"for {resource}"
        )
    known = PLUGINS.get(held.plugin)
    if known is not None:
        return known
    if held.lacks:
        return _of_cards(held)
    if held.cards:
        return CauseWords(
            "Cards do not suffice", "no node has enough cards that would do", "for cards that would do"
        )
    who = "an extender" if "://" in held.plugin else held.plugin
    return CauseWords(held.plugin, next(iter(held.reasons), ""), f"for a node that {who} allows")


def _of_cards(held: Held) -> CauseWords:
    """Return how cards are named that won't do: what becoming free helps with stands first."""
    first = held.lacks[0]
    if all_missing(held.lacks):
        return CauseWords(
            "No such cards", "no node has such cards, free or not", "for cards that no node has"
        )
    if first.frees:
        return CauseWords("Cards do not suffice", "no node has enough free of its cards", "for free cards")
    if first.kind == "quota":
        return CauseWords("Quota of cards", "the namespace may not have so much", "for quota of cards")
    return CauseWords(
        "Cards are out of use",
        "cards are unhealthy, cordoned or cannot be read",
        "for cards that can be used",
    )


def resource_of(held: Held) -> str:
    """Return the resource that is short; of one that is about no amount, nothing."""
    return held.figure.what if held.figure is not None else ""
