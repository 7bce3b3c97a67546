"""Jobs: so many pods at a time until so many have succeeded.

A pod that fails, or is asked to go, counts as failed: the next comes 10 s later, after the second failure in
a row 20 s, and so on up to ten minutes. After more failures than backoffLimit the Job has failed, and its
pods go. Changes of pods are looked at a second later, all of that second together. Instants of failures are
whole seconds, as an API server stores them. Not played: successPolicy, restarts in a pod.

Source: kubernetes v1.36 pkg/controller/job/job_controller.go syncJob, manageJob, activePodsForRemoval,
isPodFailed, getFailJobMessage, getPodCreationInfoForIndependentIndexes; indexed_job_utils.go
firstPendingIndexes.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.identity import name_of, namespace_of, spec_of, with_suffix
from scheduler_core.objects.kinds import JOB, kind_of
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.objects.workloads.workload_pods import make_pod, make_pods
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Around
from scheduler_core.world.controllers.job_record import SECOND, JobRecord, write_indexes
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.controllers.pod_failure_policy import Action, Failed, verdict_on
from scheduler_core.world.controllers.workload_controller import Object, Step, WorkloadController
from scheduler_core.world.edits.ranking import first_to_go, ordinal

INDEX = "batch.kubernetes.io/job-completion-index"
AT_ONCE = 500
_BACKOFF_LIMIT = 6
_NO_LIMIT = 2**31 - 1


class Jobs(WorkloadController):
    """Looks at a Job: counts who has ended, then ends it, or makes or deletes pods."""

    remembered = {"records": "_records", "counted": "_counted"}

    name = "job-controller"
    kind = JOB
    waits = SECOND
    first_retry = SECOND
    last_retry = 60 * SECOND

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._records: Register[str, list[Any]] = Register(self.state.journal)
        self._counted: Register[int, bool] = Register(self.state.journal)
        """Pods that have been counted, or that the controller itself has deleted."""

    def begin(self) -> None:
        """Go on where the snapshot shows all pods that a Job's status counts."""
        for one in self.known.of_kind(JOB):
            active = self.owned.active(self.uid(one))
            if (one.get("status") or {}).get("active") == len(active) and active:
                self.enqueue(key_of(one), 0, 0)

    def replaces(self, pod: Object) -> bool:
        return self.is_ours(pod)

    def look(self, workload: Object) -> Step:
        step, key = Step(), key_of(workload)
        known = self._records.get(key)
        record = JobRecord.of(workload, self.cluster.epoch) if known is None else JobRecord.read(known)
        if record.ended or spec_of(workload).get("managedBy") not in (None, "kubernetes.io/job-controller"):
            return step
        self._count(workload, record)
        if record.started is None and not _is_suspended(workload):
            record.started = self.cluster.now
        reason, message = self._failure(workload, record, step)
        if reason:
            for pod in self._active(workload):
                self._dismiss(step, pod)
            record.ended = step.ended = "failed"
            record.why = [self.cluster.now, reason, message]
            step.message = message
            step.told.append(("Warning", reason, message))
        else:
            self._manage(workload, record, step)
            self._conclude(workload, record, step)
        written = record.written()
        if written != known:
            self._records.put(key, written)
        return step

    def status_of(self, document: Object) -> Object | None:
        if kind_of(document) != JOB:
            return None
        known, status = self._records.get(key_of(document)), document.get("status") or {}
        if known is None:
            return status
        record, pods = JobRecord.read(known), self.owned.of(self.uid(document))
        active = [pod for pod in pods if self.owned.is_active(pod)]
        epoch = self.cluster.epoch
        found: Object = {
            "active": len(active),
            "ready": sum(map(self.owned.is_ready, active)),
            "terminating": len(pods) - len(active),
            "succeeded": record.succeeded,
            "failed": record.failed,
            "startTime": None if record.started is None else format_timestamp(epoch + record.started),
            "completedIndexes": write_indexes(record.done) if _is_indexed(document) else "",
            "failedIndexes": write_indexes(record.lost),
        }
        if record.why:
            found |= _as_ended(record, status, epoch)
        return {name: value for name, value in (status | found).items() if value}

    # -- counting ------------------------------------------------------------------------------------

    def _count(self, job: Object, record: JobRecord) -> None:
        successes, failures = [], []
        for pod in self.owned.by_owner.of(self.uid(job)):
            if pod in self._counted.values:
                continue
            ended = self.cluster.ended.get(pod)
            if ended is not None and ended[1] == "finished":
                successes.append(ended[0])
                index = self._index(pod)
                if _is_indexed(job) and index not in record.done:
                    record.done = sorted([*record.done, index])
            elif ended is not None or (self.owned.is_terminating(pod) and not _only_failed(job)):
                at = self._failed_at(pod)
                failures.append(at)
                verdict = verdict_on(job, self._failed(pod))
                if verdict.action == "FailJob":
                    record.fails_since = record.fails_since or verdict.message
                record.failed += verdict.action != "Ignore"
                self._count_index(job, record, pod, at, verdict.action)
            else:
                continue
            self._counted.put(pod, True)
        record.note(successes, failures)
        if _is_indexed(job):
            record.succeeded = sum(index < _completions(job) for index in record.done)

    def _failed(self, pod: int) -> Failed:
        """Return what the rules of a Job see of a pod that has failed."""
        info, ended = self.state.pods.infos[pod], self.cluster.ended.get(pod)
        by_itself = ended is not None and ended[1] == "failed"
        conditions = {one.type: one.status for one in info.pod.status.conditions or ()}
        return Failed(
            info.key,
            [one.name for one in info.pod.spec.containers or ()],
            self.cluster.exit_codes.get(pod) if by_itself else None,
            conditions | {"ContainersReady": "False", "Ready": "False"},
        )

    def _count_index(self, job: Object, record: JobRecord, pod: int, at: int, action: Action) -> None:
        limit, index = spec_of(job).get("backoffLimitPerIndex"), self._index(pod)
        if limit is None or not 0 <= index < _completions(job):
            return
        failures = record.note_index(index, at, is_ignored=action == "Ignore")
        if (failures > int(limit) or action == "FailIndex") and index not in record.lost:
            record.lost = sorted([*record.lost, index])

    def _failed_at(self, pod: int) -> int:
        """Return when a pod has failed or was asked to go, to the whole second."""
        epoch, version = self.cluster.epoch, self.state.pods.infos[pod].pod
        ended = self.cluster.ended.get(pod)
        at = self.cluster.now if ended is None else ended[0]
        if ended is None or ended[1] != "failed":
            asked = version.metadata.deletion_timestamp
            if asked is not None:
                grace = version.spec.termination_grace_period_seconds
                seconds = 30 if grace is None else grace
                at = parse_timestamp(asked, epoch) - epoch - seconds * SECOND
        return (at + epoch) // SECOND * SECOND - epoch

    def _index(self, pod: int) -> int:
        info = self.state.pods.infos[pod]
        text = info.labels.get(INDEX) or (info.pod.metadata.annotations or {}).get(INDEX) or ""
        return int(text) if text.isdigit() else ordinal({"metadata": {"name": info.name}})

    def _active(self, job: Object) -> list[int]:
        return self.owned.active(self.uid(job))

    # -- the end -------------------------------------------------------------------------------------

    def _failure(self, job: Object, record: JobRecord, step: Step) -> tuple[str, str]:
        """Return the reason for which a Job has failed, and its message; nothing where it hasn't."""
        spec, per_index = spec_of(job), spec_of(job).get("backoffLimitPerIndex") is not None
        limit = spec.get("backoffLimit")
        if record.fails_since:
            return "PodFailurePolicy", record.fails_since
        if limit is None:
            limit = _NO_LIMIT if per_index else _BACKOFF_LIMIT
        if record.failed > int(limit):
            return "BackoffLimitExceeded", "Job has reached the specified backoff limit"
        deadline = spec.get("activeDeadlineSeconds")
        if deadline is not None and record.started is not None and not _is_suspended(job):
            ends = record.started + int(deadline) * SECOND
            if ends <= self.cluster.now:
                return "DeadlineExceeded", "Job was active longer than specified deadline"
            step.look_again(ends)
        if per_index and record.lost:
            most = spec.get("maxFailedIndexes")
            if most is not None and len(record.lost) > int(most):
                return (
                    "MaxFailedIndexesExceeded",
                    "Job has exceeded the specified maximal number of failed indexes",
                )
            if len({*record.lost, *record.done}) >= _completions(job):
                return "FailedIndexes", "Job has failed indexes"
        return "", ""

    def _conclude(self, job: Object, record: JobRecord, step: Step) -> None:
        """Let a Job be complete, or say that it is suspended or goes on."""
        completions = spec_of(job).get("completions")
        needed = 1 if completions is None else int(completions)
        if record.succeeded >= needed and not self._active(job):
            record.ended = step.ended = "completed"
            step.message = "Job completed"
            record.why = [self.cluster.now, "CompletionsReached", "Reached expected number of succeeded pods"]
            step.told.append(("Normal", "Completed", step.message))
        elif record.is_suspended != _is_suspended(job):
            record.is_suspended = _is_suspended(job)
            record.started = None if record.is_suspended else self.cluster.now
            said = "suspended" if record.is_suspended else "resumed"
            step.updated.append(key_of(job))
            step.told.append(("Normal", said.capitalize(), f"Job {said}"))
            deadline = spec_of(job).get("activeDeadlineSeconds")
            if deadline is not None and record.started is not None:
                step.look_again(record.started + int(deadline) * SECOND)

    # -- pods ----------------------------------------------------------------------------------------

    def _manage(self, job: Object, record: JobRecord, step: Step) -> None:
        active, wanted = self._active(job), self._wanted(job, record)
        if len(active) > wanted:
            for pod in self._first_to_go(job, active)[: min(len(active) - wanted, AT_ONCE)]:
                self._dismiss(step, pod)
            return
        lacking = wanted - len(active)
        if _only_failed(job):
            lacking -= len(self.owned.of(self.uid(job))) - len(active)
        if lacking <= 0 or _is_suspended(job):
            return
        per_index = spec_of(job).get("backoffLimitPerIndex") is not None
        until = None if per_index else record.waits_until()
        if until is not None and until > self.cluster.now:
            step.look_again(until)
            return
        self.create_slowly(step, self._new(job, record, active, min(lacking, AT_ONCE), step))

    def _wanted(self, job: Object, record: JobRecord) -> int:
        """Return how many pods there are to be at a time."""
        spec = spec_of(job)
        if _is_suspended(job):
            return 0
        parallelism = 1 if spec.get("parallelism") is None else int(spec["parallelism"])
        if spec.get("completions") is None:
            return len(self._active(job)) if record.succeeded else parallelism
        return max(0, min(int(spec["completions"]) - record.succeeded, parallelism))

    def _new(self, job: Object, record: JobRecord, active: list[int], count: int, step: Step) -> list[Object]:
        names = self.owned.names(namespace_of(job))
        if not _is_indexed(job):
            return make_pods(job, count, names)
        there = self.owned.of(self.uid(job)) if _only_failed(job) else active
        held = {*record.done, *record.lost, *map(self._index, there)}
        indexes = [index for index in range(_completions(job)) if index not in held][:count]
        if spec_of(job).get("backoffLimitPerIndex") is not None:
            waits = {index: record.index_waits_until(index) for index in indexes}
            ready = [index for index in indexes if (waits[index] or 0) <= self.cluster.now]
            if not ready:
                step.look_again(min((at for at in waits.values() if at is not None), default=None))
            indexes = ready
        pods = []
        for index in indexes:
            name, number = with_suffix(name_of(job), f"-{index}"), 1
            while name in names:
                name, number = with_suffix(name_of(job), f"-{index}-r{number}"), number + 1
            names.add(name)
            pods.append(make_pod(job, name, index))
        return pods

    def _first_to_go(self, job: Object, active: list[int]) -> list[int]:
        """Return the pods in the order in which they go; doubled indexes and those too high first."""
        first: list[int] = []
        if _is_indexed(job):
            seen: set[int] = set()
            for pod in sorted(active, key=lambda pod: (self._index(pod), pod)):
                index = self._index(pod)
                if index in seen or index >= _completions(job):
                    first.append(pod)
                seen.add(index)
        documents = {pod: self.owned.as_it_is(pod) for pod in active if pod not in first}
        rows = {id(document): pod for pod, document in documents.items()}
        ranked = first_to_go({"kind": "Job"}, list(documents.values()), [])
        return first + [rows[id(document)] for document in ranked]

    def _dismiss(self, step: Step, pod: int) -> None:
        """Delete a pod that doesn't count as failed."""
        self._counted.put(pod, True)
        self.delete(step, pod)


def _as_ended(record: JobRecord, status: Object, epoch: int) -> Object:
    """Return what a Job's status says of its end."""
    at = format_timestamp(epoch + record.why[0])
    condition = {"type": "Complete" if record.ended == "completed" else "Failed", "status": "True"}
    condition |= {"reason": record.why[1], "message": record.why[2], "lastTransitionTime": at}
    completed = {"completionTime": at} if record.ended == "completed" else {}
    return {"conditions": [*(status.get("conditions") or ()), condition], **completed}


def _is_indexed(job: Object) -> bool:
    return spec_of(job).get("completionMode") == "Indexed"


def _is_suspended(job: Object) -> bool:
    return bool(spec_of(job).get("suspend"))


def _completions(job: Object) -> int:
    completions = spec_of(job).get("completions")
    return _NO_LIMIT if completions is None else int(completions)


def _only_failed(job: Object) -> bool:
    """Return whether a pod is replaced only when it has come to its end."""
    spec = spec_of(job)
    return spec.get("podReplacementPolicy") == "Failed" or bool(spec.get("podFailurePolicy"))
