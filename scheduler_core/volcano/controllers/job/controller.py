"""The job controller: it hears of jobs, pods, pod groups and commands, and works requests off one at a time.

Source: volcano v1.16 pkg/controllers/job/job_controller.go, job_controller_handler.go.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping
from typing import Any

from scheduler_core.go.duration import duration_text
from scheduler_core.volcano.controllers.api_client import Api, ApiError, NotFound, WatchEvent
from scheduler_core.volcano.controllers.commands import CommandTaken, targets
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job import words, work_requests
from scheduler_core.volcano.controllers.job.delayed import DelayedActions, is_internal
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.job_cache import JobCache, JobInfo, StaleJob
from scheduler_core.volcano.controllers.job.kill import KillFailed, kill_job, kill_target
from scheduler_core.volcano.controllers.job.known_syncs import KnownSyncs
from scheduler_core.volcano.controllers.job.lifecycle_policies import choose
from scheduler_core.volcano.controllers.job.plugins.plugin import PluginFault
from scheduler_core.volcano.controllers.job.states import operation
from scheduler_core.volcano.controllers.job.sync import SyncFailed
from scheduler_core.volcano.controllers.job.volumes import MissingClaim
from scheduler_core.volcano.controllers.job.work import Workshop
from scheduler_core.volcano.controllers.job.work_requests import JobRequest
from scheduler_core.volcano.controllers.kinds import COMMAND, JOB, POD, POD_GROUP, Object, join, key_of
from scheduler_core.volcano.controllers.reconcile import Noting, Outcome, Reconcile
from scheduler_core.volcano.controllers.work_queue import WorkQueue

_FAULTS = (ApiError, StaleJob, KillFailed, SyncFailed, MissingClaim, PluginFault)


class JobController:
    """`max_retries` is how often a request that fails comes again; below zero, without end."""

    name = "job"

    def __init__(self, api: Noting, informers: Informers, max_retries: int) -> None:
        self._api = api
        self._informers = informers
        self._limit = max_retries
        self._queue: WorkQueue[JobRequest] = WorkQueue(informers, JobRequest)
        self._commands: deque[Object] = deque()
        self.cache = JobCache()
        self.delayed = DelayedActions()
        as_api: Api = api
        self._shop = Workshop(as_api, informers, self.cache)
        self._syncs = KnownSyncs(api, informers)
        informers.listen(JOB, self._notice_job)
        informers.listen(POD, self._notice_pod)
        informers.listen(POD_GROUP, self._notice_group)
        informers.listen(COMMAND, self._notice_command)

    # -- what it hears -------------------------------------------------------------------------------

    def _notice_job(self, event: WatchEvent) -> None:
        if event.new is None:
            self.cache.delete(event.key)
            return
        if event.old is None:
            self.cache.add(Job.read(event.new))
        else:
            # A copy that is older than what the controller has written itself is nothing new.
            with contextlib.suppress(StaleJob):
                self.cache.update(Job.read(event.new))
        self._ask(work_requests.of_job(event))

    def _notice_pod(self, event: WatchEvent) -> None:
        pod = event.new or event.old
        if pod is None or not work_requests.is_of_job(pod):
            return
        if event.new is not None:
            self.cache.put_pod(event.new, new=event.old is None)
        request = work_requests.of_pod(event, self.cache)
        if event.new is None:
            self.cache.delete_pod(pod)
        self._ask(request)

    def _notice_group(self, event: WatchEvent) -> None:
        self._ask(work_requests.of_pod_group(event))

    def _notice_command(self, event: WatchEvent) -> None:
        if event.old is None and event.new is not None and targets(event.new, JOB):
            self._commands.append(event.new)

    def _ask(self, request: JobRequest | None) -> None:
        if request is not None:
            self._queue.add(request)

    # -- what it does --------------------------------------------------------------------------------

    def command(self) -> Reconcile | None:
        """Take the next command: it is deleted first, so that it is carried out once at most."""
        if not self._commands:
            return None
        command = self._commands.popleft()
        namespace = command["metadata"].get("namespace") or "default"
        taken = CommandTaken(key_of(command), command["target"]["name"], command.get("action") or "")
        try:
            self._api.delete(COMMAND, taken.key)
        except NotFound:
            return self._done(Reconcile(self.name, taken, outcome="dropped"))
        self._tell(
            join(namespace, taken.target),
            "CommandIssued",
            f"Start to execute command {taken.action}, "
            "and clean it up to make sure executed not more than once.",
        )
        self._ask(JobRequest(namespace, taken.target, words.COMMAND_ISSUED, action=taken.action))
        return self._done(Reconcile(self.name, taken, action=taken.action))

    def work(self) -> Reconcile | None:
        """Work off the next request."""
        if not len(self._queue):
            return None
        request = self._queue.take()
        self.delayed.heed(request)
        info = self.cache.get(request.key)
        if info is None:
            return self._done(Reconcile(self.name, request, outcome="dropped"))
        phase, (action, delay) = info.job.status.phase, choose(info.job, request)
        if delay:
            self._tell(request.key, "ExecuteAction", f"Execute action {action} after {duration_text(delay)}")
            self.delayed.add(request, action, delay, self._api.now, self._informers.cause)
            return self._done(Reconcile(self.name, request, phase, action, "delayed", delay))
        if action != words.SYNC:
            self._tell(request.key, "ExecuteAction", f"Start to execute action {action} ")
        outcome, error = self._try(info, action, request)
        if outcome == "done":
            self._queue.forget(request)
            if not is_internal(action):
                self.delayed.clear(request, action)
        return self._done(Reconcile(self.name, request, phase, action, outcome, error=error))

    def due(self) -> int | None:
        """Return when the next delayed action is due, in nanoseconds."""
        return next((one.due for one in self.delayed.waiting()), None)

    def expire(self) -> Reconcile | None:
        """Carry out the next delayed action whose time has come, whatever has happened since."""
        one = self.delayed.take(self._api.now)
        if one is None:
            return None
        request, action = one.request, one.action
        self._informers.cause = one.cause
        info = self.cache.get(request.key)
        if info is None:
            return self._done(Reconcile(self.name, one, outcome="dropped"))
        phase = info.job.status.phase
        outcome, error = self._try(info, action, request)
        self._queue.forget(request)
        self.delayed.clear(request, action)
        return self._done(Reconcile(self.name, one, phase, action, outcome, error=error))

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controller remembers."""
        return {
            "queue": self._queue.dump(),
            "commands": list(self._commands),
            "cache": self.cache.dump(self._informers),
            "delayed": self.delayed.dump(),
        }

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._queue.load(data["queue"])
        self._commands = deque(data["commands"])
        self.cache.load(data["cache"], self._informers)
        self.delayed.load(data["delayed"])

    def _try(self, info: JobInfo, action: str, request: JobRequest) -> tuple[Outcome, str]:
        """Do it; what fails comes again, and once too often ends the job."""
        try:
            self._execute(info, action, request)
        except _FAULTS as fault:
            if self._limit < 0 or self._queue.failures(request) < self._limit:
                self._queue.again(request)
                return "requeued", str(fault)
            self._tell(request.key, "ExecuteAction", f"Job failed on action {action} for retry limit reached")
            self._give_up(info, request)
            return "failed", str(fault)
        return "done", ""

    def _give_up(self, info: JobInfo, request: JobRequest) -> None:
        """Terminate the job; where that fails, too, the job's next event is its next chance."""
        with contextlib.suppress(*_FAULTS):
            self._execute(info, words.TERMINATE, request)

    def _execute(self, info: JobInfo, action: str, request: JobRequest) -> None:
        todo = operation(info.job.status.phase, action)
        if todo.name == "SyncJob":
            self._syncs.sync(info, action, todo.status, self._shop)
        elif todo.name == "KillJob":
            kill_job(info, todo.keep, todo.status, self._shop)
        else:
            kill_target(info, todo.target, request, todo.status, self._shop)

    def _tell(self, key: str, reason: str, message: str) -> None:
        info = self.cache.get(key)
        if info is not None:
            self._api.tell(info.job.item, "Normal", reason, message)

    def _done(self, reconcile: Reconcile) -> Reconcile:
        return self._api.noted(reconcile)
