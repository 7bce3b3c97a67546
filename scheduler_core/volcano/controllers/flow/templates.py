"""The controller of job templates: a template's status lists the Jobs that are made of it.

It looks at a template when that comes, and when a Job comes. A Job that goes stays in the list until the next
one comes; with no Job left nothing is written. The real list is in no order, ours in that of the names.

Source: volcano v1.16 pkg/controllers/jobtemplate/jobtemplate_controller_handler.go,
jobtemplate_controller_action.go.
"""

from __future__ import annotations

from typing import NamedTuple

from scheduler_core.volcano.controllers.api_client import ApiError, WatchEvent
from scheduler_core.volcano.controllers.flow.sync import BY_TEMPLATE
from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.kinds import JOB, JOB_TEMPLATE, Object, join, labels_of, split
from scheduler_core.volcano.controllers.reconcile import Noting, Reconcile
from scheduler_core.volcano.controllers.request_controller import RequestController

_LIST = "jobDependsOnList"
_ACTION = "SyncJobTemplate"
_PARTS = 2


class TemplateRequest(NamedTuple):
    """A request: the template's `namespace/name`."""

    template: str


class JobTemplateController(RequestController[TemplateRequest]):
    """It hears of new templates and of new Jobs that say of which template they are."""

    name = "jobtemplate"

    def __init__(self, api: Noting, informers: Informers) -> None:
        super().__init__(api, informers, TemplateRequest)
        informers.listen(JOB_TEMPLATE, self._notice_template)
        informers.listen(JOB, self._notice_job)

    def _notice_template(self, event: WatchEvent) -> None:
        if event.old is None:
            self._queue.add(TemplateRequest(event.key))

    def _notice_job(self, event: WatchEvent) -> None:
        if event.old is not None or event.new is None:
            return
        parts = (labels_of(event.new).get(BY_TEMPLATE) or "").split(".")
        if len(parts) == _PARTS:
            self._queue.add(TemplateRequest(join(*parts)))

    def _see_to(self, request: TemplateRequest) -> Reconcile:
        template = self._informers.find(JOB_TEMPLATE, request.template)
        if template is None:
            self._queue.forget(request)
            return self._api.noted(Reconcile(self.name, request, outcome="dropped"))
        try:
            self._list_jobs(request.template, template)
        except ApiError as error:
            self._queue.again(request)
            requeued = Reconcile(self.name, request, None, _ACTION, "requeued", error=str(error))
            return self._api.noted(requeued)
        self._queue.forget(request)
        return self._api.noted(Reconcile(self.name, request, None, _ACTION))

    def _list_jobs(self, key: str, template: Object) -> None:
        """Write which Jobs there are of a template. The same ones in another order stay."""
        namespace = split(key)[0]
        mark = ".".join(split(key))
        names = [
            job["metadata"]["name"]
            for job in self._informers.list(JOB)
            if job["metadata"].get("namespace") == namespace and labels_of(job).get(BY_TEMPLATE) == mark
        ]
        status = template.get("status") or {}
        if names and sorted(names) != sorted(status.get(_LIST) or ()):
            self._api.update_status(template | {"status": status | {_LIST: sorted(names)}})
