"""What the controllers of workloads have in common: whom they look at next, and how they are told.

A workload is looked at when it, or a pod of its own, has changed, and when its controller wants to look
again. Where the API server refuses its pods, it is looked at again after a back-off that doubles each
time; that is told once for each wording.

Source: k8s.io/client-go v0.36 util/workqueue default_rate_limiters.go DefaultTypedControllerRateLimiter,
delaying_queue.go.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from scheduler_core.events.changes import Change
from scheduler_core.events.decisions import Decision
from scheduler_core.events.reconciles import ObjectEvent
from scheduler_core.events.workloads import WorkloadStep
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.kube.queueing.report import Report
from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of, uid_of
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.types import Pod, convert
from scheduler_core.schedulers.actor import Stamp
from scheduler_core.state.register import Register, SortedRegister
from scheduler_core.world.controllers.controller import Acted, Around, ClusterController
from scheduler_core.world.controllers.evictions import is_ready
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.wakes import heard_of, wakes_of

Object = dict[str, Any]

SECOND = 10**9
_NUMBER = re.compile(r'"[^"]*"')


@dataclass
class Step:
    """What one look at a workload did. `again` is when to look again; `refused` why no more pods came.

    `pods` are those that came or were asked to go.
    """

    created: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    pods: list[int] = field(default_factory=list)
    told: list[tuple[str, str, str]] = field(default_factory=list)
    again: int | None = None
    refused: str = ""
    ended: Literal["", "completed", "failed"] = ""
    message: str = ""

    def look_again(self, at: int | None) -> None:
        """Look again at an instant, or at the earlier one that is known."""
        if at is not None:
            self.again = at if self.again is None else min(self.again, at)


class WorkloadController(ClusterController):
    """Cares for the workloads of one kind."""

    remembered = {"work": "_work", "retries": "_retries", "failures": "_failures", "refusals": "_refusals"}

    kind: ClassVar[Kind]
    waits: ClassVar[int] = 0
    """For how long after a pod has changed the controller waits for more of that, in nanoseconds."""
    first_retry: ClassVar[int] = 5 * 10**6
    last_retry: ClassVar[int] = 1000 * SECOND

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        journal = self.state.journal
        self.known = around.cluster.objects
        self.owned = around.owned
        self._work: SortedRegister[str, tuple[int, str, int]] = SortedRegister(journal, read=tuple)
        """When each workload is to be looked at, and which decision led to it."""
        self._retries: SortedRegister[str, tuple[int, str]] = SortedRegister(journal, read=tuple)
        """When it is to be looked at again since pods were refused."""
        self._failures: Register[str, int] = Register(journal)
        """How often in a row pods were refused."""
        self._refusals: Register[str, str] = Register(journal)
        """What was said of the last refusal, names apart."""
        self._started_with = len(self.state.pods)

    def counts(self, workload: Object) -> dict[str, int]:
        """Return what a status counts of a workload's pods, by its fields; empty where it stays as it is."""
        return {}

    def status_of(self, document: Object) -> Object | None:
        if kind_of(document) != self.kind:
            return None
        status, counted = document.get("status") or {}, self.counts(document)
        if not counted:
            return status
        # In a partial snapshot the status counts more pods than are there: the others stay as they are.
        for name, first in self._counts_at_start(document).items():
            counted[name] += max(0, int(status.get(name) or 0) - first)
        others = {name: value for name, value in status.items() if name not in counted}
        return others | {name: count for name, count in counted.items() if count or name == "replicas"}

    def _counts_at_start(self, workload: Object) -> dict[str, int]:
        """Return how many pods the run began with, and how many of them were ready and available."""
        uids = [self.uid(one) for one in self.owners(workload)]
        rows = (pod for uid in uids for pod in self.owned.by_owner.of(uid) if pod < self._started_with)
        documents = [self.owned.document(pod) for pod in rows]
        there = [one for one in documents if not one["metadata"].get("deletionTimestamp")]
        on_nodes = (one for one in there if spec_of(one).get("nodeName"))
        ready = sum(is_ready(convert(one, Pod)) for one in on_nodes)
        return {"replicas": len(there), "readyReplicas": ready, "availableReplicas": ready}

    def owners(self, workload: Object) -> list[Object]:
        """Return who owns the pods of a workload."""
        return [workload]

    def count_pods(self, workload: Object, pods: list[int]) -> dict[str, int]:
        """Return how many pods there are of some, and how many of them are ready and available."""
        seconds = int((workload.get("spec") or {}).get("minReadySeconds") or 0)
        return {
            "replicas": len(pods),
            "readyReplicas": sum(map(self.owned.is_ready, pods)),
            "availableReplicas": sum(self.owned.is_available(pod, seconds) for pod in pods),
        }

    def hear(self, decision: int) -> None:
        now, touched = self.cluster.now, self.state.journal.touched
        for key in touched(self.known.changed):
            document = self.known.get(key)
            if key.startswith(f"{self.kind} ") or (document is not None and self.follows(document)):
                self.enqueue(key if document is None else self.looked_at_for(document), now, decision)
        for pod in touched(self.state.pod_changes):
            owner = self.owner_of_pod(pod)
            if owner is not None:
                self.enqueue(key_of(owner), now + self.waits, decision)

    def follows(self, document: Object) -> bool:
        """Return whether a workload of another kind matters to one of this controller's."""
        return False

    def looked_at_for(self, document: Object) -> str:
        """Return the key of the workload to look at when an object has changed."""
        return key_of(document)

    def owner_of_pod(self, pod: int) -> Object | None:
        """Return the workload to look at when a pod has changed; None where there is none of this kind."""
        if not self.owned.by_owner.owner(pod):
            return None
        document = self.owned.document(pod)
        reference = controller_of(document)
        if reference is None or kind_of(reference) != self.kind:
            return None
        owner = self.known.owner_of(document)
        return owner if owner is not None and kind_of(owner) == self.kind else None

    def enqueue(self, key: str, at: int, decision: int) -> None:
        """Look at a workload at an instant at the latest."""
        known = self._work.get(key)
        if known is None or at < known[0]:
            self._work.put(key, (at, key, decision))

    def due(self) -> int | None:
        work, retry = self._work.first(), self._retries.first()
        instants = [] if work is None else [self._work.values[work][0]]
        instants += [] if retry is None else [self._retries.values[retry][0]]
        return min(instants, default=None)

    @property
    def is_settled(self) -> bool:
        """To ask again for what was refused changes nothing as long as nothing else happens."""
        return not self._work.values

    def act(self) -> Acted | None:
        now = self.cluster.now
        key, cause = self._next()
        document = self.known.get(key)
        if key in self._work.values and self._work.values[key][0] <= now:
            self._work.drop(key)
        if key in self._retries.values and self._retries.values[key][0] <= now:
            self._retries.drop(key)
        step = self.look(document) if document is not None else self.leave(key)
        if step.again is not None:
            self.enqueue(key, step.again, cause)
        is_news = self._note_refusal(key, step)
        report = self.owned.take_report()
        if not (step.created or step.updated or step.deleted or step.ended or is_news):
            return None
        return Acted(report, self._telling(key, step), cause or None)

    def _next(self) -> tuple[str, int]:
        """Return the workload whose turn it is, and the decision that led to it."""
        work, retry = self._work.first(), self._retries.first()
        if work is not None and (retry is None or self._work.values[work][:2] <= self._retries.values[retry]):
            return work, self._work.values[work][2]
        assert retry is not None
        return retry, 0

    @abstractmethod
    def look(self, workload: Object) -> Step:
        """Do what is to be done about a workload now."""

    def leave(self, key: str) -> Step:
        """Do what is to be done when a workload is no more."""
        return Step()

    # -- refusals ------------------------------------------------------------------------------------

    def _note_refusal(self, key: str, step: Step) -> bool:
        """Let refused pods be tried again later; return whether the refusal is another one than the last."""
        if not step.refused:
            self._forget(key)
            return False
        number = self._failures.get(key) or 0
        self._failures.put(key, number + 1)
        at = self.cluster.now + min(self.first_retry << min(number, 40), self.last_retry)
        known = self._retries.get(key)
        if known is None or at < known[0]:
            self._retries.put(key, (at, key))
        said = _NUMBER.sub("", step.refused, count=1)
        is_news = self._refusals.get(key) != said
        if is_news:
            self._refusals.put(key, said)
            step.told.append(("Warning", "FailedCreate", self.words_of_refusal(step.refused)))
        return is_news

    def words_of_refusal(self, why: str) -> str:
        """Return the message of the event FailedCreate."""
        return f"Error creating: {why}"

    def _forget(self, key: str) -> None:
        for register in (self._failures, self._refusals):
            if key in register.values:
                register.drop(key)

    # -- telling -------------------------------------------------------------------------------------

    def _telling(self, name: str, step: Step) -> Any:
        def tell(stamp: Stamp, changes: list[Change], report: Report) -> Decision:
            return WorkloadStep(
                *stamp[:2],
                self.name,
                stamp.cause,
                changes,
                pod=pod_ref(self.state, step.pods[0]) if len(step.pods) == 1 else None,
                outcome=_outcome(step),
                object=name,
                created=step.created,
                updated=step.updated,
                deleted=step.deleted,
                message=step.refused or step.message or None,
                told=[ObjectEvent(name, *one) for one in step.told],
                wakes=wakes_of(report),
                heard=heard_of(report),
            )

        return tell

    # -- pods ----------------------------------------------------------------------------------------

    def create(self, step: Step, pod: Object) -> bool:
        """Let a pod come; return whether the API server takes it."""
        before = len(self.state.pods)
        why = self.owned.create(pod, self.before(pod))
        if why:
            step.refused = step.refused or why
            return False
        step.created.append(f"Pod {namespace_of(pod)}/{name_of(pod)}")
        step.pods.append(before)
        step.told.append(("Normal", "SuccessfulCreate", f"Created pod: {name_of(pod)}"))
        return True

    def before(self, pod: Object) -> str | None:
        """Return the uid of the pod in whose place a new one comes; None where it is in nobody's."""
        return None

    def create_slowly(self, step: Step, pods: list[Object]) -> None:
        """Let pods come in batches of 1, 2, 4, …; after a batch with a refusal no more are tried."""
        size = 1
        while pods and not step.refused:
            batch, pods = pods[:size], pods[size:]
            for pod in batch:
                self.create(step, pod)
            size *= 2

    def delete(self, step: Step, pod: int) -> None:
        """Ask a pod to go."""
        info = self.state.pods.infos[pod]
        self.owned.delete(pod)
        step.deleted.append(f"Pod {info.key}")
        step.pods.append(pod)
        step.told.append(("Normal", "SuccessfulDelete", f"Deleted pod: {info.name}"))

    def is_available(self, workload: Object, pod: int, step: Step) -> bool:
        """Return whether a pod is available; if it only has to wait for that, it is looked at then."""
        seconds = int(spec_of(workload).get("minReadySeconds") or 0)
        if self.owned.is_available(pod, seconds):
            return True
        step.look_again(self.owned.available_at(pod, seconds))
        return False

    def is_ours(self, pod: Object) -> bool:
        """Return whether a pod, as an object, is of a workload that this controller knows."""
        owner = self.known.owner_of(pod)
        return owner is not None and kind_of(owner) == self.kind

    def uid(self, workload: Object) -> str:
        """Return a workload's uid."""
        return uid_of(workload)


def _outcome(step: Step) -> Literal["created", "deleted", "updated", "refused", "completed", "failed"]:
    if step.ended:
        return step.ended
    if step.created:
        return "created"
    if step.deleted:
        return "deleted"
    return "updated" if step.updated else "refused"
