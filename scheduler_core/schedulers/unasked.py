"""Why no scheduler of a run looks at a pod that waits: what it names is not there.

Source: volcano v1.16 pkg/scheduler/cache/cache.go Snapshot: a job without a pod group, or whose queue does
not exist, takes part in no session; a pod's condition and its events say nothing of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scheduler_core.events.state import ACTORS, GROUPS, QUEUES, SESSION_ENGINES, PodRow

Rows = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class UnaskedTexts:
    """The reasons, in braces the pod's `scheduler` and `group` and that group's `queue`."""

    scheduler: str
    no_group: str
    group: str
    queue: str


TEXTS = UnaskedTexts(
    scheduler="no scheduler of this run serves the schedulerName {scheduler}",
    no_group="it is of no pod group, and sessions look at pod groups alone",
    group="its pod group {group} does not exist, and sessions look at pod groups alone",
    queue="queue {queue} does not exist, and every session ignores pod groups that name it",
)


def why_unasked(pod: PodRow, tables: Mapping[str, Rows]) -> str:
    """Return why no scheduler looks at a pod that waits, by a run's tables; empty where one does.

    Only what is named and missing is a reason here; a pod with a node waits for nobody.
    """
    if pod.node or pod.terminating:
        return ""
    serving = [row for row in tables.get(ACTORS, {}).values() if pod.scheduler in row["profiles"]]
    if not serving:
        return TEXTS.scheduler.format(scheduler=pod.scheduler)
    if not any(row["engine"].startswith(SESSION_ENGINES) for row in serving):
        return ""
    if not pod.group:
        return TEXTS.no_group
    return why_ignored(pod.group, tables)


def why_ignored(group: str, tables: Mapping[str, Rows]) -> str:
    """Return why sessions ignore a pod group (`namespace/name`); empty where they look at it."""
    row = tables.get(GROUPS, {}).get(group)
    if row is None:
        return TEXTS.group.format(group=group)
    if row["queue"] not in tables.get(QUEUES, {}):
        return TEXTS.queue.format(queue=row["queue"])
    return ""
