"""StatefulSets: pods in the order of their ordinals, each when the one before it is Running and Ready.

None is made after one that isn't ready: those don't exist, they aren't pending. A pod that is gone comes back
under its name. Too many go from the highest ordinal on, one at a time; a changed template replaces pods the
same way. With podManagementPolicy Parallel nobody waits to be made or to go.

Source: kubernetes v1.36 pkg/controller/statefulset/stateful_set_control.go updateStatefulSet, processReplica,
processCondemned; stateful_set_utils.go newVersionedStatefulSetPod, isUnavailable.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import STATEFUL_SET
from scheduler_core.objects.workloads.workload_pods import (
    first_ordinal,
    make_claims,
    make_pod,
    revision_of,
    wanted_replicas,
)
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Around
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.controllers.workload_controller import Object, Step, WorkloadController
from scheduler_core.world.edits.ranking import ordinal

REVISION = "controller-revision-hash"


class StatefulSets(WorkloadController):
    """Looks at a set, and does the next thing that its order allows."""

    remembered = {"revisions": "_revisions"}

    name = "statefulset-controller"
    kind = STATEFUL_SET

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._revisions: Register[str, list[Any]] = Register(self.state.journal)
        """Of each set whose template has changed: the current revision and its template, the one to come, and
        the template of that."""

    def begin(self) -> None:
        """Go on where the snapshot shows all pods that a set's status counts, and not what it wants."""
        for one in self.known.of_kind(STATEFUL_SET):
            current, _, update, _ = self._revisions_of(one)
            present = len(self.owned.of(self.uid(one)))
            shows_all = present and (one.get("status") or {}).get("replicas") == present
            if shows_all and (present != wanted_replicas(one) or current != update):
                self.enqueue(key_of(one), 0, 0)

    def counts(self, workload: Object) -> dict[str, int]:
        pods, infos = self.owned.of(self.uid(workload)), self.state.pods.infos
        known = self._revisions.get(key_of(workload))
        if known is None:
            return self.count_pods(workload, pods)
        current, _, update, _ = known
        revisions = [infos[pod].labels.get(REVISION) for pod in pods if not self.owned.is_terminating(pod)]
        return self.count_pods(workload, pods) | {
            "currentReplicas": revisions.count(current),
            "updatedReplicas": revisions.count(update),
        }

    def status_of(self, document: Object) -> Object | None:
        status, known = super().status_of(document), self._revisions.get(key_of(document))
        if not status or known is None:
            return status
        return status | {"currentRevision": known[0], "updateRevision": known[2]}

    def replaces(self, pod: Object) -> bool:
        return self.is_ours(pod)

    def words_of_refusal(self, why: str) -> str:
        name = why.split('"')[1]
        return f"create Pod {name} in StatefulSet failed error: {why}"

    def look(self, workload: Object) -> Step:
        step = Step()
        self._revisions_of(workload)
        pods = self.owned.of(self.uid(workload))
        start, count = first_ordinal(workload), wanted_replicas(workload)
        wanted: dict[int, int | None] = dict.fromkeys(range(start, start + count))
        condemned: list[tuple[int, int]] = []
        for pod in pods:
            number = ordinal({"metadata": {"name": self.state.pods.infos[pod].name}})
            if number in wanted:
                wanted[number] = pod
            elif number >= 0:
                condemned.append((number, pod))
        condemned.sort(reverse=True)
        waits = spec_of(workload).get("podManagementPolicy") != "Parallel"
        if self._make(workload, wanted, step, waits=waits):
            return step
        if self._condemn(workload, wanted, condemned, step, waits=waits):
            return step
        self._renew(workload, wanted, step)
        return step

    # -- one after another ---------------------------------------------------------------------------

    def _make(self, workload: Object, wanted: dict[int, int | None], step: Step, *, waits: bool) -> bool:
        """Make the pods that are missing; return whether nothing else is to be done by now."""
        if not waits:
            missing = [number for number, pod in wanted.items() if pod is None]
            documents = [self._document(workload, number) for number in missing]
            for document in documents:
                self._claim(workload, document, step)
            self.create_slowly(step, documents)
            for there in (one for one in wanted.values() if one is not None):
                self.is_available(workload, there, step)
            return bool(step.refused)
        for number, pod in wanted.items():
            if pod is None:
                document = self._document(workload, number)
                self._claim(workload, document, step)
                self.create(step, document)
                return True
            if self.owned.is_terminating(pod) or not self.is_available(workload, pod, step):
                return True
        return False

    def _condemn(
        self,
        workload: Object,
        wanted: dict[int, int | None],
        condemned: list[tuple[int, int]],
        step: Step,
        *,
        waits: bool,
    ) -> bool:
        """Delete those beyond the wanted ones; return whether nothing else is to be done by now."""
        in_order = [pod for pod in wanted.values() if pod is not None] + [pod for _, pod in condemned[::-1]]
        unavailable = (pod for pod in in_order if not self._is_healthy(workload, pod, step))
        first_unavailable = next(unavailable, None)
        for _, pod in condemned:
            if self.owned.is_terminating(pod):
                if waits:
                    return True
                continue
            if waits and pod != first_unavailable and not self.is_available(workload, pod, step):
                return True
            self.delete(step, pod)
            if waits:
                return True
        return False

    def _renew(self, workload: Object, wanted: dict[int, int | None], step: Step) -> None:
        """Delete the pod of the highest ordinal that has another revision, when those above are available."""
        strategy = spec_of(workload).get("updateStrategy") or {}
        revisions = self._revisions_of(workload)
        if strategy.get("type") == "OnDelete" or revisions[0] == revisions[2]:
            return
        partition = int((strategy.get("rollingUpdate") or {}).get("partition") or 0)
        numbers = sorted(wanted, reverse=True)
        for index, number in zip(range(len(numbers) - 1, -1, -1), numbers, strict=True):
            pod = wanted[number]
            if index < partition or pod is None:
                return
            revision = self.state.pods.infos[pod].labels.get(REVISION)
            if revision != revisions[2] and not self.owned.is_terminating(pod):
                self.delete(step, pod)
                return
            if not self._is_healthy(workload, pod, step):
                return
        if not partition:
            self._revisions.put(key_of(workload), [*revisions[2:], *revisions[2:]])

    # -- pods ----------------------------------------------------------------------------------------

    def _is_healthy(self, workload: Object, pod: int, step: Step) -> bool:
        return not self.owned.is_terminating(pod) and self.is_available(workload, pod, step)

    def _document(self, workload: Object, number: int) -> Object:
        """Return the pod of an ordinal, of the revision that it is to have."""
        current, old, update, new = self._revisions_of(workload)
        strategy = spec_of(workload).get("updateStrategy") or {}
        partition = int((strategy.get("rollingUpdate") or {}).get("partition") or 0)
        is_old = strategy.get("type") != "OnDelete" and number - first_ordinal(workload) < partition
        revision, template = (current, old) if is_old else (update, new)
        versioned = {**workload, "spec": {**spec_of(workload), "template": template}}
        pod = make_pod(versioned, f"{name_of(workload)}-{number}", number)
        pod["metadata"]["labels"][REVISION] = revision
        return pod

    def before(self, pod: Object) -> str | None:
        infos, name = self.state.pods.infos, name_of(pod)
        owner = str((controller_of(pod) or {}).get("uid"))
        earlier = [one for one in self.owned.by_owner.of(owner) if infos[one].name == name]
        return infos[earlier[-1]].uid if earlier else None

    def _claim(self, workload: Object, pod: Object, step: Step) -> None:
        for claim in make_claims(workload, pod):
            if self.owned.create_claim(claim):
                step.created.append(f"PersistentVolumeClaim {namespace_of(claim)}/{name_of(claim)}")

    def _revisions_of(self, workload: Object) -> list[Any]:
        """Return current revision and template, and those to come; what the snapshot says counts first."""
        key, template = key_of(workload), spec_of(workload).get("template") or {}
        known = self._revisions.get(key)
        if known is None:
            name = (workload.get("status") or {}).get("updateRevision") or self._seen(workload)
            current = (workload.get("status") or {}).get("currentRevision") or name
            known = [current, template, name, template]
            self._revisions.put(key, known)
        if known[3] != template:
            revision = known[0] if known[1] == template else revision_of(workload)
            known = [known[0], known[1], revision, template]
            self._revisions.put(key, known)
        return known

    def _seen(self, workload: Object) -> str:
        """Return the revision that the pods have, or the name that it would get."""
        pods = self.owned.of(self.uid(workload))
        seen = (self.state.pods.infos[pod].labels.get(REVISION) for pod in pods)
        return next((one for one in seen if one), revision_of(workload))
