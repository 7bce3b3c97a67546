"""How new what is known of connected clusters is, in a sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Sentence, number, sentence, strong
from dashboard.first_few import first_few
from dashboard.models import Cluster
from dashboard.queries.clusters import ClusterSeen
from scheduler_core.world.reporting.trust import spoilt_without

_NAMED = 3


def lead(clusters: Sequence[ClusterSeen]) -> Sentence:
    """Return how many clusters were read lately, and which were not."""
    if not clusters:
        return sentence(strong("No cluster is connected."))
    new = [one for one in clusters if one.is_being_read and len(one.readings) == 1]
    late = [one for one in clusters if one.is_late and one not in new]
    counted = plain([number(len(clusters), "cluster")])
    if new and not late:
        return sentence(strong(f"Being read for the first time: {_named(new)}."))
    if not late:
        who = {1: f"{clusters[0].cluster.name} is", 2: "Both clusters are"}.get(
            len(clusters), f"All {counted} are"
        )
        return sentence(strong(f"{who} as new as {'it' if len(clusters) == 1 else 'they'} should be."))
    if len(clusters) == 1:
        return sentence(strong(f"{late[0].cluster.name} was not read in time."))
    verb = "was" if len(late) == 1 else "were"
    return sentence(strong(f"{len(late):,} of {counted} {verb} not read in time: {_named(late)}."))


class Lacking(NamedTuple):
    """A kind that may not be listed: what answers lack without it, and how many pods that touches.

    pods: None where no reading has counted them, or nothing tells them.
    """

    name: str
    lacks: str
    pods: int | None


def lacking(cluster: Cluster) -> list[Lacking]:
    """Return what answers about a cluster lack, by kind; what touches most pods first."""
    touched = cluster.access.get("touched") or {}
    rows = [_lacking(name, touched.get(name) or {}) for name in cluster.access.get("withheld") or ()]
    return sorted(rows, key=lambda row: (-(row.pods or 0), row.name))


def _lacking(name: str, known: Mapping[str, Any]) -> Lacking:
    lacks = spoilt_without(known.get("kind") or "") or "they are made without them"
    return Lacking(name, lacks, known.get("pods"))


def _named(clusters: Sequence[ClusterSeen]) -> str:
    return first_few([one.cluster.name for one in clusters], _NAMED)
