"""The controller of job flows: it hears of flows and of the Jobs that they control.

Work that fails comes again after a growing delay; after so many tries the flow is told.

Source: volcano v1.16 pkg/controllers/jobflow/jobflow_controller.go, jobflow_controller_handler.go.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scheduler_core.volcano.controllers.api_client import ApiError, WatchEvent
from scheduler_core.volcano.controllers.flow.sync import InvalidPhase, deletes_its_jobs, sync_flow
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import JOB, JOB_FLOW, controller_of, join, phase_of_state, split
from scheduler_core.volcano.controllers.later import Later, retry_delay
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.work_queue import WorkQueue

_ACTION = "SyncJobFlow"


class FlowRequest(NamedTuple):
    """A request: the flow's `namespace/name`."""

    flow: str


class JobFlowController:
    """`max_retries` is how often a request that fails comes again; below zero, without end."""

    name = "jobflow"

    def __init__(self, api: Noting, informers: Informers, max_retries: int) -> None:
        self._api = api
        self._informers = informers
        self._limit = max_retries
        self._queue: WorkQueue[FlowRequest] = WorkQueue(informers, FlowRequest)
        self._later: Later[FlowRequest] = Later(informers, FlowRequest)
        informers.listen(JOB_FLOW, self._notice_flow)
        informers.listen(JOB, self._notice_job)

    def _notice_flow(self, event: WatchEvent) -> None:
        """Hear of a new flow; of a changed one only once its Jobs are to go."""
        if event.new is not None and (event.old is None or deletes_its_jobs(event.new)):
            self._queue.add(FlowRequest(event.key))

    def _notice_job(self, event: WatchEvent) -> None:
        if event.old is None or event.new is None:
            return
        flow = controller_of(event.new, JOB_FLOW)
        if flow is not None:
            self._queue.add(FlowRequest(join(split(event.key)[0], flow["name"])))

    def command(self) -> Reconcile | None:
        """Take no command."""
        return None

    def work(self) -> Reconcile | None:
        """See to the next flow."""
        return self._see_to(self._queue.take()) if len(self._queue) else None

    def due(self) -> int | None:
        """Return when the next flow comes again, in nanoseconds."""
        return self._later.due()

    def expire(self) -> Reconcile | None:
        """See to the flow that comes again first."""
        request = self._later.take(self._api.now)
        return None if request is None else self._see_to(request)

    def dump(self) -> dict[str, Any]:
        """Return as plain data what waits."""
        return {"queue": self._queue.dump(), "later": self._later.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned."""
        self._queue.load(data["queue"])
        self._later.load(data["later"])

    def _see_to(self, request: FlowRequest) -> Reconcile:
        flow = self._informers.find(JOB_FLOW, request.flow)
        if flow is None:
            self._queue.forget(request)
            return self._api.noted(Reconcile(self.name, request, outcome="dropped"))
        try:
            sync_flow(flow, self._api, self._informers)
        except InvalidPhase as fault:
            return self._failed(request, flow, str(fault))
        except ApiError as fault:
            whose = f"sync jobflow {flow['metadata']['name']}"
            why = f"{whose} failed for {fault}, event is OutOfSync, action is {_ACTION}"
            return self._failed(request, flow, why)
        self._queue.forget(request)
        return self._api.noted(Reconcile(self.name, request, phase_of_state(flow), _ACTION))

    def _failed(self, request: FlowRequest, flow: dict[str, Any], error: str) -> Reconcile:
        failures = self._queue.fail(request)
        done = Reconcile(self.name, request, phase_of_state(flow), _ACTION, "requeued", error=error)
        if self._limit < 0 or failures < self._limit:
            self._later.put(request, self._api.now + retry_delay(failures))
            return self._api.noted(done)
        self._queue.forget(request)
        self._api.tell(flow, "Warning", _ACTION, f"{_ACTION} JobFlow failed for {error}")
        return self._api.noted(Reconcile(self.name, request, done.phase, _ACTION, "failed", error=error))
