"""The controller of job flows: it hears of flows and of the Jobs that they control.

Work that fails comes again after a growing delay; after so many tries the flow is told.

Source: volcano v1.16 pkg/controllers/jobflow/jobflow_controller.go, jobflow_controller_handler.go.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from scheduler_core.volcano.controllers.api_client import ApiError, WatchEvent
from scheduler_core.volcano.controllers.flow.sync import InvalidPhase, deletes_its_jobs, sync_flow
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import JOB, JOB_FLOW, controller_of, join, phase_of_state, split
from scheduler_core.volcano.controllers.later import retry_delay
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.request_controller import DelayingController

_ACTION = "SyncJobFlow"


class FlowRequest(NamedTuple):
    """A request: the flow's `namespace/name`."""

    flow: str


class JobFlowController(DelayingController[FlowRequest]):
    """`max_retries` is how often a request that fails comes again; below zero, without end."""

    name = "jobflow"

    def __init__(self, api: Noting, informers: Informers, max_retries: int) -> None:
        super().__init__(api, informers, FlowRequest)
        self._limit = max_retries
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
