"""Queues whose parents do not lead to root, at which the real scheduler does not get through a session.

When a session closes, what each job holds is added to its queue and to all above it. A parent that is missing
ends the process, parents in a circle keep it busy for ever.

Source: volcano v1.16 pkg/scheduler/framework/session.go updateQueueStatus.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from scheduler_core.volcano.model.queues import ROOT


def broken_queues(parents: Mapping[str, str], used: Iterable[str]) -> Iterator[str]:
    """Yield a phrase for each queue that jobs are in and whose parents do not lead to root.

    parents: the parent of each queue by name; used: the queues of jobs.
    """
    for queue in sorted(set(used) & parents.keys()):
        if why := _why(queue, parents):
            yield f"sessions whose end the real scheduler does not reach: {why}; a run goes on"


def _why(queue: str, parents: Mapping[str, str]) -> str:
    passed, above = [queue], parents[queue] or ROOT
    while above != ROOT and queue != ROOT:
        if above not in parents:
            ends = f"its process ends when a session closes with a pod of queue {queue} on a node"
            return f"{ends}, since queue {above} is missing"
        if above in passed:
            stays = f"its process hangs when a session closes with a pod of queue {queue} on a node"
            return f"{stays}, since {' and '.join(sorted(passed))} have parents in a circle"
        passed.append(above)
        above = parents[above] or ROOT
    return ""
