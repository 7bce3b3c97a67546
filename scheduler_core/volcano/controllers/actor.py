"""Volcano's controllers as an actor of a run: they look at what was written, and work until all is quiet.

Looking tries a piece of work and takes it back, to be carried out when it is applied; what the controllers
remember has moved on by then. Work that writes nothing and tells nobody is no decision.

Source: volcano v1.16 cmd/controller-manager.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scheduler_core.events.changes import Change
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.schedulers.run_parts import RunPods, TimedRunPods
from scheduler_core.state.journal import Change as Done
from scheduler_core.volcano.cache.scheduler_cache import VolcanoCluster
from scheduler_core.volcano.controllers import telling
from scheduler_core.volcano.controllers.api_client import WatchEvent
from scheduler_core.volcano.controllers.cron.controller import CronJobController
from scheduler_core.volcano.controllers.flow.controller import JobFlowController
from scheduler_core.volcano.controllers.flow.templates import JobTemplateController
from scheduler_core.volcano.controllers.job.controller import JobController
from scheduler_core.volcano.controllers.kinds import (
    BATCH_JOB,
    CLAIM,
    COMMAND,
    CONFIG_MAP,
    CRON_JOB,
    DAEMON_SET,
    JOB,
    JOB_FLOW,
    JOB_TEMPLATE,
    NETWORK_POLICY,
    POD,
    POD_GROUP,
    PRIORITY_CLASS,
    QUEUE,
    REPLICA_SET,
    SECRET,
    SERVICE,
    STATEFUL_SET,
    Object,
    kind_of,
)
from scheduler_core.volcano.controllers.manager import Manager
from scheduler_core.volcano.controllers.podgroup.controller import PodGroupController
from scheduler_core.volcano.controllers.queue.controller import QueueController
from scheduler_core.volcano.controllers.queue.hierarchy import ROOT
from scheduler_core.volcano.controllers.queue.states import OPEN
from scheduler_core.volcano.controllers.reconcile import Reconcile
from scheduler_core.volcano.controllers.run_api import JobAdmission, RunApi
from scheduler_core.volcano.controllers.run_objects import RunObjects
from scheduler_core.volcano.controllers.ttl import TtlController
from scheduler_core.volcano.imports.references import with_own_queues
from scheduler_core.volcano.model.custom_resources import SCHEDULER_NAME

NAME = "volcano-controllers"
_MAX_RETRIES = 15
_LISTED = (
    PRIORITY_CLASS,
    QUEUE,
    POD_GROUP,
    CLAIM,
    CONFIG_MAP,
    SECRET,
    SERVICE,
    NETWORK_POLICY,
    JOB_TEMPLATE,
    JOB,
    POD,
)
"""Kinds that are known before anybody works, in this order."""
_HEARD = (BATCH_JOB, DAEMON_SET, REPLICA_SET, STATEFUL_SET, JOB_FLOW, CRON_JOB, COMMAND)
"""Kinds that the controllers hear of when they begin: what they do then is told."""


@dataclass(frozen=True)
class Plan:
    """A piece of work that was tried: what it came to, and the changes that it makes."""

    done: Reconcile
    changes: list[Done]


class VolcanoControllers:
    """The controllers of Volcano, over the API server of a run."""

    kind = SCHEDULER_NAME
    name = NAME

    def __init__(
        self, cluster: VolcanoCluster, pods: RunPods, objects: Iterable[Object], admit_job: JobAdmission
    ) -> None:
        self._cluster = cluster
        self._journal = cluster.state.journal
        self.api = RunApi(cluster, pods, admit_job)
        self._manager = Manager(self.api)
        noted, informers = self._manager.api, self._manager.informers
        self._manager.controllers = [
            JobController(noted, informers, _MAX_RETRIES),
            PodGroupController(noted, informers, [SCHEDULER_NAME], inherit=True),
            QueueController(noted, informers, _MAX_RETRIES),
            TtlController(noted, informers),
            JobFlowController(noted, informers, _MAX_RETRIES),
            JobTemplateController(noted, informers),
            CronJobController(noted, informers),
        ]
        self._begin(objects)

    def _begin(self, objects: Iterable[Object]) -> None:
        by_kind: dict[Any, list[Object]] = {}
        for item in objects:
            by_kind.setdefault(kind_of(item), []).append(item)
        by_kind[QUEUE] = [_at_rest(queue) for queue in with_own_queues(by_kind.get(QUEUE, ()))]
        by_kind[POD] = [pod for pod in by_kind.get(POD, ()) if self.api.is_ours(pod)]
        self.api.begin(item for kind in (*_LISTED, *_HEARD) for item in by_kind.get(kind, ()))
        while (event := self.api.untold.first()) is not None and event.kind not in _HEARD:
            self.api.untold.take()
            self._manager.informers.deliver(event)
        self._journal.forget()

    # -- one piece of work ---------------------------------------------------------------------------

    def expect(self, decision: int, now: int) -> None:
        """Hear which decision comes next, and when (nanoseconds since the epoch)."""
        self.api.decision, self.api.now = decision, now

    def look(self) -> Plan | None:
        """Return the next piece of work that does something; what doesn't is done by then."""
        while True:
            done = self._manager.step()
            if done is None:
                return None
            touched = set(self._journal.touched(self.api.stored))
            writes = [write for write in done.writes if (write.kind, write.key) in touched]
            if writes or done.told:
                return Plan(replace(done, writes=writes), self._journal.take_back())
            self._journal.forget()

    def apply(self, look: Plan) -> None:
        """Carry a piece of work out."""
        for change in look.changes:
            self._journal.do(change)

    def tell(self, look: Plan, stamp: Stamp, changes: list[Change]) -> Reconciled:
        """Return the decision for the log."""
        return telling.tell(self.api, self.name, look.done, stamp, changes)

    def due(self) -> int | None:
        """Return when the next thing that waits is due, in nanoseconds since the epoch."""
        return self._manager.due()

    def note_changes(self) -> None:
        """Hear what the decision that is being made has changed of pods and pod groups."""
        state = self._cluster.state
        for row in self._journal.touched(state.pod_changes):
            self.api.see_pod(row)
        self.api.see_groups(self._journal.touched(self._cluster.groups))

    def replaces(self, pod: Object) -> bool:
        """Return whether the pod is a job's, whose controller makes it anew."""
        return self.api.has_job_of(pod)

    def objects(self, pods: TimedRunPods) -> RunObjects:
        """Return the objects that these controllers care for, where a clock moves."""
        return RunObjects(self.api, pods)

    def tables(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return the tables that the log shows of the controllers."""
        return {self.api.jobs.name: self.api.jobs.told_rows()}

    # -- checkpoints ---------------------------------------------------------------------------------

    def dump(self) -> dict[str, Any]:
        """Return as plain data what the controllers remember."""
        return {"api": self.api.dump(), "memory": self._manager.dump()}

    def load(self, data: Mapping[str, Any]) -> None:
        """Restore what `dump` returned; the run's state and Volcano's objects are restored by then."""
        self.api.load(data["api"])
        objects = (item for items in self.api.stored.of_kind.values() for item in items.values())
        untold: list[WatchEvent] = self.api.untold.waiting()
        self._manager.load(data["memory"], objects, untold)


def _at_rest(queue: Object) -> Object:
    """Return a queue as its controller has left it before the run: open, and below root."""
    spec, status = queue.get("spec") or {}, queue.get("status") or {}
    below = {} if spec.get("parent") or queue["metadata"]["name"] == ROOT else {"parent": ROOT}
    opened = {} if status.get("state") else {"state": OPEN}
    return dict(queue) | {"spec": spec | below, "status": status | opened}
