"""Whether a task's pods may be made: those of the tasks that it depends on must be ready.

Source: volcano v1.16 pkg/controllers/job/job_controller_actions.go waitDependsOnTaskMeetCondition.
"""

from __future__ import annotations

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.job import Job, TaskSpec
from scheduler_core.volcano.controllers.kinds import JOB, POD, Object, join, phase_of


def may_start(job: Job, task: TaskSpec, informers: Informers) -> bool:
    """Return whether the tasks named are ready: all, or one of several if any will do."""
    if task.depends_on is None:
        return True
    names = task.depends_on.name or []
    ready = (_is_ready(job, name, informers) for name in names)
    return any(ready) if len(names) > 1 and task.depends_on.iteration == "any" else all(ready)


def _is_ready(job: Job, name: str, informers: Informers) -> bool:
    """Return whether a task has as many ready pods as its minimum; without one it is ready at once."""
    task = job.spec.task(name)
    if task is None or task.min_available is None:
        return True
    ready = 0
    for index in range(task.replicas):
        pod = informers.find(POD, join(job.namespace, words.pod_name(job.name, name, index)))
        if pod is None and informers.find(JOB, job.key) is None:
            return True
        ready += pod is not None and _is_up(pod)
    return ready >= task.min_available


def _is_up(pod: Object) -> bool:
    if phase_of(pod) != "Running":
        return phase_of(pod) == "Succeeded"
    return all(one.get("ready") for one in pod["status"].get("containerStatuses") or ())
