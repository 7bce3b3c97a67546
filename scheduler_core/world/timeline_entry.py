"""An entry of a timeline: what a scenario lets happen at an instant."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from scheduler_core.objects.api_server.admission import ADMISSION_KINDS
from scheduler_core.objects.kinds import RESOURCE_QUOTA, WORKLOAD_KINDS, Kind
from scheduler_core.objects.types import KubernetesObject

Verb = Literal[
    "put", "update", "delete", "remove", "shrink", "finish", "evict", "drain", "stop", "start", "uncordon"
]
ONLY_KNOWN = (*WORKLOAD_KINDS, *ADMISSION_KINDS, RESOURCE_QUOTA)
"""Kinds that no scheduler reads: what they do to other objects is worked out beforehand."""


@dataclass(frozen=True)
class Entry:
    """At an instant (nanoseconds since the run's start), a verb for an object.

    `item` is the object that comes or its new version, `document` the same as it was written; `kind` and
    `key` (`name` or `namespace/name`) name what is deleted, runs out, is evicted or drained. To `remove` a
    pod is to delete it while its controller stays, which replaces it; to `shrink` a controller (`document`)
    is to delete its pods until `keep` are left, `related` being the uids of all controllers whose pods are
    company on a node. `edit` is the number of the edit that asks for it, if one does. Evictions that a budget
    refuses are asked for again until `until`; a node whose kubelet is to `stop` counts as ready until then.
    `then` are the nodes that the same drain has yet to come to, one after another. `rolls` of a rolling drain
    says how many nodes at one time, and after how long an emptied node is back (None: it stays closed).
    """

    at: int
    verb: Verb
    kind: Kind
    key: str
    item: KubernetesObject | None = None
    document: dict[str, Any] | None = None
    edit: int | None = None
    keep: int = 0
    related: tuple[str, ...] = ()
    until: int = -1
    then: tuple[str, ...] = ()
    rolls: tuple[int, int | None] | None = None
