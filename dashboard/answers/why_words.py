"""What is said of the causes for which pods wait: one table of words for all schedulers.

A cause is named by its kind and, where nodes are what is missing, by the plugin that binds. Plugins that are
not here are named as the scheduler names them.
"""

from typing import NamedTuple

from scheduler_core.schedulers.cause import Cause, CauseKind, Held

ROOM = frozenset({"NodeResourcesFit", "PodFitsResources", "allocate"})
"""Those that look at amounts, one reason a resource."""


class CauseWords(NamedTuple):
    """A cause in a list: `title`, and what it means in few words."""

    title: str
    means: str


KINDS: dict[CauseKind, CauseWords] = {
    "fits": CauseWords("Would be placed now", "a node takes it as the cluster stands"),
    "preempts": CauseWords("Would be placed by evicting", "pods of lower priority would have to go"),
    "gated": CauseWords("Scheduling gates", "nobody looks for a node until they are removed"),
    "unserved": CauseWords("No scheduler", "none serves the schedulerName"),
    "ignored": CauseWords("No pod group or queue", "sessions look away from it"),
    "refused": CauseWords("Refused at enqueue", "the job may not enter its queue"),
    "queue": CauseWords("Queue over its share", "the queue would hold more than it may"),
    "gang": CauseWords("Gang is short", "too few pods of the job find nodes"),
    "untried": CauseWords("Not tried", "its scheduler came to an end before it"),
    "error": CauseWords("Ends with an error", "the attempt is given up"),
}
PLUGINS: dict[str, CauseWords] = {
    "NodeUnschedulable": CauseWords("Cordoned", "the room is there, the node is cordoned"),
    "CheckNodeUnschedulable": CauseWords("Cordoned", "the room is there, the node is cordoned"),
    "TaintToleration": CauseWords("Untolerated taint", "the room is there, the node is closed"),
    "PodToleratesNodeTaints": CauseWords("Untolerated taint", "the room is there, the node is closed"),
    "NodeAffinity": CauseWords("No node of the asked kind", "a selector or affinity that no free node has"),
    "MatchNodeSelector": CauseWords(
        "No node of the asked kind", "a selector or affinity that no free node has"
    ),
    "NodeName": CauseWords("Another node by name", "the pod names one node"),
    "NodePorts": CauseWords("Host port is taken", "a pod on the node has the port"),
    "InterPodAffinity": CauseWords("Pod affinity", "the pods that are there stand against it"),
    "PodTopologySpread": CauseWords("Topology spread", "the copies may not lie more unevenly"),
    "VolumeBinding": CauseWords(
        "Volume is elsewhere", "the claim is not there, or bound where no node is free"
    ),
    "VolumeZone": CauseWords("Volume is elsewhere", "the volume lies in another zone"),
    "VolumeRestrictions": CauseWords("Volume is in use or missing", "the claim can't be mounted"),
    "NodeVolumeLimits": CauseWords("Too many volumes", "the node can attach no more"),
}
PODS = CauseWords("Too many pods", "the nodes have as many pods as they may have")
PRE_FILTER = CauseWords("Can't be placed anywhere", "whichever nodes there were")
NOWHERE = CauseWords("No nodes", "the cluster has none")


def words_of(cause: Cause) -> CauseWords:
    """Return how a cause stands in a list."""
    if cause.kind == "gang" or cause.kind not in ("nodes", "pre_filter"):
        return KINDS[cause.kind]
    if not cause.held:
        return NOWHERE
    return words_of_held(cause.held[0])


def words_of_held(held: Held) -> CauseWords:
    """Return how something that stands against a pod is named."""
    if held.plugin in ROOM and held.reason:
        resource = resource_of(held)
        if resource == "pods":
            return PODS
        return CauseWords(f"Insufficient {resource}", "more than is free on every open node")
    known = PLUGINS.get(held.plugin)
    if known is not None:
        return known
    if held.cards:
        return CauseWords("Cards do not suffice", "no node has enough free of its cards")
    return CauseWords(held.plugin, next(iter(held.reasons), ""))


def resource_of(held: Held) -> str:
    """Return the resource that is short; of one that is about no amount, nothing."""
    return held.figure.what if held.figure is not None else ""
