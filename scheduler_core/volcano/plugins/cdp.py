"""cdp: a pod that runs is not evicted until its cooldown time is over.

Source: volcano v1.16 pkg/scheduler/plugins/cdp/cdp.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from scheduler_core.go.duration import parse_duration
from scheduler_core.objects.timestamps import parse_timestamp
from scheduler_core.volcano.framework.plugin import Plugin
from scheduler_core.volcano.model.tasks import NO_TIME, Task

COOLDOWN_TIME = "volcano.sh/cooldown-time"


class Cdp(Plugin):
    """The time counts from the last change of the pod's condition PodScheduled."""

    name = "cdp"
    reads_clock = True

    def preemptable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let go who has cooled down."""
        now = self.session.around.now
        ends = ((task, _ends(task)) for task in candidates)
        return [task for task, end in ends if end is None or end <= now]

    def reclaimable(self, evictor: Task, candidates: Sequence[Task]) -> list[Task]:
        """Let the same go."""
        return self.preemptable(evictor, candidates)

    def next_change(self, now: int) -> int | None:
        tasks = (task for job in self.session.jobs.values() for task in job.tasks.values())
        ends = (end for task in tasks if (end := _ends(task)) is not None and end > now)
        return min(ends, default=None)


def _ends(task: Task) -> int | None:
    """Return when a running pod has cooled down, None if it needs no time."""
    labels = task.pod.metadata.labels or {}
    text = labels[COOLDOWN_TIME] if COOLDOWN_TIME in labels else task.annotation(COOLDOWN_TIME)
    time = None if text is None else parse_duration(text)
    if time is None or task.pod.status.phase != "Running":
        return None
    for condition in task.pod.status.conditions or ():
        if condition.type == "PodScheduled" and condition.status == "True":
            return parse_timestamp(condition.last_transition_time, NO_TIME) + time
    return None
