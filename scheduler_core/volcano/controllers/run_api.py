"""The API server of a run, as Volcano's controllers use it: what they write becomes the run's state.

Pods are the run's own, pod groups and queues those of Volcano's sessions, claims the cluster's. What the run
changes of them by itself is noted here (`see_pod`, `see_groups`), so that the controllers hear of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from scheduler_core.events.state import JOBS
from scheduler_core.objects.identity import ENDED_PHASES, derived_uid
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.schedulers.run_parts import NotAdmitted, RunPods
from scheduler_core.state import surroundings
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.log_table import Rows
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.cache.tables import JobRow
from scheduler_core.volcano.controllers.api_client import ApiError
from scheduler_core.volcano.controllers.job.job import Job
from scheduler_core.volcano.controllers.job.plugins.registry import made_by
from scheduler_core.volcano.controllers.job.words import controlling_job
from scheduler_core.volcano.controllers.job_rows import job_row
from scheduler_core.volcano.controllers.kinds import (
    CLAIM,
    CRON_JOB,
    JOB,
    POD,
    POD_GROUP,
    QUEUE,
    SERVICE,
    Kind,
    Object,
    key_of,
    kind_of,
    phase_of,
)
from scheduler_core.volcano.controllers.memory_api import MemoryApi
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME

JobAdmission = Callable[[Object, Iterable[Object]], Object]
"""Returns a new Job with its defaults beside these queues; raises NotAdmitted."""


class RunApi(MemoryApi):
    """Objects of a run. `admit_job` lets Jobs in that controllers make."""

    remembered = {"jobs": "jobs"}

    def __init__(self, cluster: VolcanoCluster, pods: RunPods, admit_job: JobAdmission) -> None:
        super().__init__(cluster.epoch, cluster.state.journal)
        self.pods = pods
        self._cluster = cluster
        self._admit_job = admit_job
        self.jobs: Rows[JobRow] = Rows(cluster.state.journal, JOBS, JobRow)

    @property
    def state(self) -> ClusterState:
        """The run's state."""
        return self._cluster.state

    def begin(self, objects: Iterable[Object]) -> None:
        """Take over the objects of the start; the controllers hear of them as of new ones."""
        for item in objects:
            stored = super()._store(
                kind_of(item), key_of(item), None, dict(item) | {"metadata": self._named(item)}
            )
            if kind_of(item) == JOB:
                self.jobs.put(key_of(item), job_row(stored))
                self._recall(Job.read(stored))
            elif kind_of(item) == QUEUE:
                self._cluster.put(stored)
        self.stored.begin()

    def _recall(self, job: Job) -> None:
        """Store what a job's plugins made before the run: imports lack it, or its content."""
        for made in made_by(job):
            kind, key = kind_of(made), key_of(made)
            old = self.stored.find(kind, key)
            metadata = self._named(made) if old is None else old["metadata"]
            super()._store(kind, key, old, (old or {}) | made | {"metadata": metadata})

    def _named(self, item: Object) -> Object:
        """Return an object's metadata with a uid; a cron job that doesn't say when it came comes now."""
        metadata = dict(item["metadata"])
        metadata["uid"] = metadata.get("uid") or derived_uid(*kind_of(item), key_of(item))
        if kind_of(item) == CRON_JOB and not metadata.get("creationTimestamp"):
            metadata["creationTimestamp"] = format_timestamp(self.now)
        return metadata

    def is_ours(self, pod: Object) -> bool:
        """Return whether the controllers care for a pod: it asks for Volcano, or is of one of its jobs."""
        return (pod.get("spec") or {}).get("schedulerName") == SCHEDULER_NAME or bool(controlling_job(pod))

    def has_job_of(self, pod: Object) -> bool:
        """Return whether the job that controls a pod is known here, so that it is made anew from here."""
        owner = controlling_job(pod)
        return owner is not None and any(
            item["metadata"]["uid"] == owner.get("uid") for item in self.list(JOB)
        )

    # -- what others write ---------------------------------------------------------------------------

    def put(self, item: Object) -> None:
        """Let an object come as somebody writes it, or change in all but its status."""
        kind, key = kind_of(item), key_of(item)
        old = self.stored.find(kind, key)
        if old is None:
            self._store(kind, key, None, dict(item) | {"metadata": self._named(item)})
        else:
            kept = {name: old[name] for name in ("status",) if name in old}
            self._replace(old, dict(item) | {"metadata": self._named(item)} | kept)

    # -- what controllers write ----------------------------------------------------------------------

    def create(self, item: Object) -> Object:
        try:
            return super().create(self._admitted(item))
        except NotAdmitted as refused:
            raise ApiError(str(refused)) from None

    def _admitted(self, item: Object) -> Object:
        """Return a new object with its defaults. Raises NotAdmitted."""
        if kind_of(item) == POD:
            uid = derived_uid(*POD, key_of(item), self._version.values["version"])
            return self.pods.admitted(item | {"metadata": item["metadata"] | {"uid": uid}})
        return self._admit_job(item, self.list(QUEUE)) if kind_of(item) == JOB else item

    def _store(self, kind: Kind, key: str, old: Object | None, new: Object) -> Object:
        stored = super()._store(kind, key, old, new)
        if kind == JOB:
            self.jobs.put(key, job_row(stored))
        elif kind in (POD_GROUP, QUEUE):
            self._cluster.put(stored)
        elif kind == CLAIM and old is None:
            self.pods.create_claim(stored)
        elif kind == SERVICE:
            self.state.surroundings.put(stored)
        elif kind == POD:
            self._store_pod(stored)
        return stored

    def _store_pod(self, pod: Object) -> None:
        row = self.state.pods.by_uid.get(pod["metadata"]["uid"])
        if row is None and phase_of(pod) not in ENDED_PHASES:
            self.pods.create(pod, self._replaced_by(pod))
        elif row is not None and row not in self.state.gone.values:
            self.pods.change(pod)

    def _replaced_by(self, pod: Object) -> str | None:
        """Return the uid of the evicted pod in whose place a job makes one: the last of its name gone.

        Other pods of a job, such as those of a restart, are in nobody's place.
        """
        owner, key = controlling_job(pod), key_of(pod)
        if owner is None:
            return None
        state, changes, infos = self.state, self.state.pod_changes, self.state.pods.infos
        found = [
            infos[row].uid
            for row in state.pods.index.controlled(str(owner.get("uid")))
            if changes.evicted[row] and infos[row].key == key and row in state.gone.values
        ]
        return found[-1] if found and found[-1] not in changes.replaces.values() else None

    def gone(self, kind: Kind, key: str) -> None:
        item = self.get(kind, key)
        uid = item["metadata"]["uid"]
        super().gone(kind, key)
        if kind == JOB:
            self.jobs.drop(key)
        elif kind in (POD_GROUP, QUEUE):
            self._cluster.drop(item)
        elif kind == SERVICE:
            self.state.surroundings.drop(surroundings.key_of(item))
        elif kind == POD:
            self._cluster.drop_finished(uid)

    def _ask_to_go(self, pod: Object) -> bool:
        return phase_of(pod) not in ENDED_PHASES and self.pods.delete(pod["metadata"]["uid"])

    # -- what the run does by itself -----------------------------------------------------------------

    def see_pod(self, row: int) -> None:
        """Note what has become of a pod of the run."""
        info = self.state.pods.infos[row]
        stored = self.stored.find(POD, info.key)
        if stored is not None and stored["metadata"]["uid"] != info.uid:
            stored = None
        known = stored or self.pods.original(row)
        if not self.is_ours(known):
            return
        now = self.pods.seen(known, row)
        if now is None:
            if stored is not None:
                self.gone(POD, info.key)
        elif stored is None:
            self._store(POD, info.key, None, now)
        else:
            self._replace(stored, now)

    def see_groups(self, keys: Iterable[str]) -> None:
        """Note what a session has written into pod groups."""
        for key in keys:
            stored = self.stored.find(POD_GROUP, key)
            if stored is not None:
                phase, conditions = self._cluster.status_of(key)
                status = {"phase": phase} | ({} if conditions is None else {"conditions": conditions})
                self._replace(stored, stored | {"status": (stored.get("status") or {}) | status})
