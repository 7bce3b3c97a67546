"""Syncs of jobs that wrote nothing: until the controllers hear of a change, the next one comes to the same.

A controller that begins is told of every pod, and syncs the pod's job for each.
"""

from __future__ import annotations

from scheduler_core.volcano.controllers.informers import Informers
from scheduler_core.volcano.controllers.job.job_cache import JobInfo
from scheduler_core.volcano.controllers.job.states import StatusFunction
from scheduler_core.volcano.controllers.job.sync import sync_job
from scheduler_core.volcano.controllers.job.work import Workshop
from scheduler_core.volcano.controllers.reconcile import Noting, Told


class KnownSyncs:
    """What syncs without a write have told, by job and action.

    All that is written is delivered before the next piece of work begins; so a sync reads nothing that has
    changed since the last delivery.
    """

    def __init__(self, api: Noting, informers: Informers) -> None:
        self._api = api
        self._informers = informers
        self._told: dict[tuple[str, str], list[Told]] = {}
        self._as_of = 0

    def sync(self, info: JobInfo, action: str, status: StatusFunction | None, shop: Workshop) -> None:
        """Sync a job as `sync_job` does, or tell again what it told. Raises what `sync_job` raises."""
        if self._as_of != self._informers.changes:
            self._told.clear()
            self._as_of = self._informers.changes
        key = info.job.key, action
        known = self._told.get(key)
        if known is not None:
            self._api.tell_again(known)
            return
        before = self._api.count()
        sync_job(info, status, shop)
        writes, told = self._api.since(before)
        if not writes:
            self._told[key] = told
