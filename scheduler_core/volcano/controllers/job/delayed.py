"""Actions that wait for their time: policies with a timeout.

Source: volcano v1.16 pkg/controllers/job/job_controller.go AddDelayActionForJob, CleanPodDelayActionsIfNeed,
cleanupDelayActions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scheduler_core.volcano.controllers.job import words
from scheduler_core.volcano.controllers.job.work_requests import JobRequest

_OF_PODS = (words.POD_PENDING, words.POD_RUNNING, words.POD_FAILED, words.POD_EVICTED)
_INTERNAL = (words.SYNC, words.ENQUEUE, "SyncQueue", "OpenQueue", "CloseQueue")


@dataclass(eq=False)
class Delayed:
    """An action that is due at a moment (nanoseconds), with the request and the decision that led to it."""

    request: JobRequest
    action: str
    delay: int
    due: int
    cause: int | None = None


class DelayedActions:
    """At most one action of each pod of a job; what has come due stays here until it is cleared up."""

    def __init__(self) -> None:
        self._of_jobs: dict[str, dict[str, Delayed]] = {}
        self._waiting: list[Delayed] = []

    def waiting(self) -> list[Delayed]:
        """Return what waits: what is due first, first."""
        return sorted(self._waiting, key=lambda one: one.due)

    def add(self, request: JobRequest, action: str, delay: int, now: int, cause: int | None = None) -> None:
        """Let an action wait, unless the same one of the same pod is there already.

        Another action of the pod goes on waiting, but nothing calls it off any more.
        """
        of_job = self._of_jobs.setdefault(request.key, {})
        before = of_job.get(request.pod)
        if before is None or before.action != action:
            of_job[request.pod] = Delayed(request, action, delay, now + delay, cause)
            self._waiting.append(of_job[request.pod])

    def take(self, now: int) -> Delayed | None:
        """Return the first action whose time has come, which waits no longer; None where there is none."""
        first = next(iter(self.waiting()), None)
        if first is None or first.due > now:
            return None
        self._waiting.remove(first)
        return first

    def heed(self, request: JobRequest) -> None:
        """Call off what a pod's next event makes pointless: it left Pending, or runs again."""
        if request.event not in _OF_PODS or request.event == words.POD_PENDING:
            return
        of_job = self._of_jobs.get(request.key, {})
        one = of_job.get(request.pod)
        if one is None:
            return
        left_pending = one.request.event == words.POD_PENDING and one.request.pod_uid == request.pod_uid
        ended = one.request.event in (words.POD_FAILED, words.POD_EVICTED)
        if left_pending or (ended and request.event == words.POD_RUNNING):
            self._call_off(of_job, request.pod)

    def clear(self, request: JobRequest, action: str) -> None:
        """Call off what is on the level of an action that was done: job, task, pod or partition."""
        of_job = self._of_jobs.get(request.key, {})
        done = _level(request, action)
        for pod in [pod for pod, one in of_job.items() if _level(one.request, one.action) == done]:
            self._call_off(of_job, pod)

    def dump(self) -> list[list[Any]]:
        """Return the actions as plain data; each waits or not, and is there to be cleared up or not."""
        there = [one for of_job in self._of_jobs.values() for one in of_job.values()]
        every = [*self._waiting, *(one for one in there if one not in self._waiting)]
        return [
            [list(one.request), one.action, one.delay, one.due, one.cause, one in self._waiting, one in there]
            for one in every
        ]

    def load(self, data: list[list[Any]]) -> None:
        """Restore what `dump` returned."""
        self._of_jobs, self._waiting = {}, []
        for request, action, delay, due, cause, waits, is_there in data:
            one = Delayed(JobRequest(*request), action, delay, due, cause)
            if waits:
                self._waiting.append(one)
            if is_there:
                self._of_jobs.setdefault(one.request.key, {})[one.request.pod] = one

    def _call_off(self, of_job: dict[str, Delayed], pod: str) -> None:
        one = of_job.pop(pod)
        if one in self._waiting:
            self._waiting.remove(one)


def is_internal(action: str) -> bool:
    """Return whether an action is the controller's own business, which calls nothing off."""
    return action in _INTERNAL


def _level(request: JobRequest, action: str) -> tuple[str, str]:
    if action == words.RESTART_TASK:
        return "task", request.task
    if action == words.RESTART_POD:
        return "pod", request.pod
    if action == words.RESTART_PARTITION:
        return "partition", request.partition
    return "job", ""
