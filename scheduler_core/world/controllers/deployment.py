"""Deployments: a changed template replaces pods little by little, or all at once with Recreate.

The new ReplicaSet grows as maxSurge allows, the old ones shrink as maxUnavailable does, first by what isn't
available. A Deployment is played from when an edit changes its template, or from the start where the snapshot
shows a rollout under way; until then its ReplicaSets have the sizes that the snapshot and the edits say.

Source: kubernetes v1.36 pkg/controller/deployment/rolling.go, recreate.go, sync.go scale, isScalingEvent;
util/deployment_util.go NewRSNewReplicas, ResolveFenceposts, FindNewReplicaSet, MaxUnavailable, IsSaturated.
"""

from __future__ import annotations

from typing import Any

from scheduler_core.objects.identity import controller_of, name_of, namespace_of, spec_of
from scheduler_core.objects.kinds import DEPLOYMENT, REPLICA_SET, kind_of
from scheduler_core.objects.timestamps import format_timestamp
from scheduler_core.objects.workloads.budgets import share
from scheduler_core.objects.workloads.workload_pods import intermediate, wanted_replicas
from scheduler_core.state.register import Register
from scheduler_core.world.controllers.controller import Around
from scheduler_core.world.controllers.known_objects import key_of
from scheduler_core.world.controllers.workload_controller import Object, Step, WorkloadController
from scheduler_core.world.edits import rollout


class Deployments(WorkloadController):
    """Looks at a Deployment, and changes the size of one of its ReplicaSets, or makes a new one."""

    remembered = {"templates": "_templates", "rolling": "_rolling"}

    name = "deployment-controller"
    kind = DEPLOYMENT

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        self._templates: Register[str, str] = Register(self.state.journal)
        """A hash of each Deployment's template as it was first seen."""
        self._rolling: Register[str, bool] = Register(self.state.journal)
        """The Deployments that roll out: whose templates have changed since, or had before the start."""

    def begin(self) -> None:
        """Remember all templates; go on with the rollouts that the snapshot shows under way."""
        for one in self.known.of_kind(DEPLOYMENT):
            self._templates.put(key_of(one), rollout.hash_of(one))
            sets = list(self.known.owned_by(one, REPLICA_SET))
            if rollout.is_under_way(one, sets, sum(len(self._active(each)) for each in sets)):
                self._rolling.put(key_of(one), True)
                self.enqueue(key_of(one), 0, 0)

    def counts(self, workload: Object) -> dict[str, int]:
        sets = self.owners(workload)
        found = self.count_pods(workload, [pod for one in sets for pod in self._active(one)])
        whole = sum(map(wanted_replicas, sets))
        new = rollout.of_template(workload, sets)
        updated = 0 if new is None else len(self._active(new))
        lacking = max(0, whole - found["availableReplicas"])
        return found | {"updatedReplicas": updated, "unavailableReplicas": lacking}

    def owners(self, workload: Object) -> list[Object]:
        return list(self.known.owned_by(workload, REPLICA_SET))

    def _active(self, replica_set: Object) -> list[int]:
        return self.owned.active(self.uid(replica_set))

    def follows(self, document: Object) -> bool:
        owner = self.known.owner_of(document) if kind_of(document) == REPLICA_SET else None
        return owner is not None and kind_of(owner) == DEPLOYMENT

    def looked_at_for(self, document: Object) -> str:
        owner = self.known.owner_of(document) if kind_of(document) == REPLICA_SET else None
        return key_of(document if owner is None else owner)

    def owner_of_pod(self, pod: int) -> Object | None:
        between = self.known.owner_of(self.owned.document(pod)) if self._rolling.values else None
        owner = None if between is None else self.known.owner_of(between)
        return owner if owner is not None and key_of(owner) in self._rolling.values else None

    def look(self, workload: Object) -> Step:
        step, key = Step(), key_of(workload)
        if key not in self._templates.values:
            self._templates.put(key, rollout.hash_of(workload))
        if key not in self._rolling.values:
            if self._templates.values[key] == rollout.hash_of(workload):
                return step
            self._rolling.put(key, True)
            self._note_sizes(workload)
        sets = list(self.known.owned_by(workload, REPLICA_SET))
        new = rollout.of_template(workload, sets)
        old = sorted((one for one in sets if one is not new), key=rollout.made)
        if spec_of(workload).get("paused") or _is_scaled(workload, sets):
            self._scale(workload, new, old, step)
        elif rollout.is_rolling(workload):
            self._roll(workload, new, old, step)
        else:
            self._recreate(workload, new, old, step)
        return step

    def leave(self, key: str) -> Step:
        """Delete the ReplicaSets of a Deployment that is no more, and their pods."""
        step = Step()
        for one in list(self.known.of_kind(REPLICA_SET)) if key in self._rolling.values else ():
            reference = controller_of(one) or {}
            if key == f"{DEPLOYMENT} {namespace_of(one)}/{reference.get('name')}":
                for pod in self.owned.of(self.uid(one)):
                    self.delete(step, pod)
                self.cluster.forget(one)
                step.deleted.append(key_of(one))
        return step

    # -- strategies ----------------------------------------------------------------------------------

    def _roll(self, workload: Object, new: Object | None, old: list[Object], step: Step) -> None:
        wanted = wanted_replicas(workload)
        if new is None:
            size = _grown(workload, 0, sum(map(wanted_replicas, old)))
            self._make(workload, size, step)
            return
        size, whole = wanted_replicas(new), sum(map(wanted_replicas, [new, *old]))
        if size != wanted:
            grown = wanted if size > wanted else _grown(workload, size, whole)
            if grown != size:
                self._resize(workload, new, grown, step)
                return
        if any(map(wanted_replicas, old)):
            self._shrink(workload, new, old, step)

    def _shrink(self, workload: Object, new: Object, old: list[Object], step: Step) -> None:
        """Take pods from the old ReplicaSets: first those that aren't available."""
        least = wanted_replicas(workload) - max_unavailable(workload)
        available = {name_of(one): self._available(workload, one, step) for one in [new, *old]}
        sizes = {name_of(one): wanted_replicas(one) for one in old}
        most = sum(sizes.values()) + wanted_replicas(new) - least
        most -= wanted_replicas(new) - available[name_of(new)]
        if most <= 0:
            return
        before = dict(sizes)
        left = most
        for name, size in before.items():
            if left > 0 and size != available[name]:
                part = min(left, size - available[name])
                sizes[name] -= part
                left -= part
        left = max(0, sum(available.values()) - least)
        for name, size in sizes.items():
            part = min(left, size)
            sizes[name] -= part
            left -= part
        for one in old:
            if sizes[name_of(one)] != before[name_of(one)]:
                self._resize(workload, one, sizes[name_of(one)], step)

    def _recreate(self, workload: Object, new: Object | None, old: list[Object], step: Step) -> None:
        active = [one for one in old if wanted_replicas(one) > 0]
        for one in active:
            self._resize(workload, one, 0, step)
        if active or any(self.owned.of(self.uid(one)) for one in old):
            return
        if new is None:
            self._make(workload, wanted_replicas(workload), step)
        elif wanted_replicas(new) != wanted_replicas(workload):
            self._resize(workload, new, wanted_replicas(workload), step)

    def _scale(self, workload: Object, new: Object | None, old: list[Object], step: Step) -> None:
        sets = [*([] if new is None else [new]), *old]
        if not sets:
            return
        active = [one for one in sets if wanted_replicas(one) > 0]
        if len(active) > 1 and new is not None and self._is_saturated(workload, new, step):
            sizes = {name_of(one): 0 for one in old}
        else:
            sizes = rollout.sizes(workload, sets)
        for one in sets:
            size = sizes.get(name_of(one), wanted_replicas(one))
            if size != wanted_replicas(one) or (wanted_replicas(one) and not _says(one, workload)):
                self._resize(workload, one, size, step)

    def _is_saturated(self, workload: Object, new: Object, step: Step) -> bool:
        wanted = wanted_replicas(workload)
        return (
            wanted_replicas(new) == wanted == self._available(workload, new, step) and _noted(new) == wanted
        )

    # -- ReplicaSets ---------------------------------------------------------------------------------

    def _make(self, workload: Object, size: int, step: Step) -> None:
        made = intermediate(workload)
        assert made is not None
        now = format_timestamp(self.cluster.epoch + self.cluster.now)
        made["metadata"]["creationTimestamp"] = now
        self.cluster.know(rollout.with_size(made, size, workload))
        step.created.append(key_of(made))
        step.told.append(_scaled("up", made, 0, size))

    def _resize(self, workload: Object, one: Object, size: int, step: Step) -> None:
        before = wanted_replicas(one)
        self.cluster.know(rollout.with_size(one, size, workload))
        if size != before:
            step.updated.append(key_of(one))
            step.told.append(_scaled("up" if size > before else "down", one, before, size))

    def _note_sizes(self, workload: Object) -> None:
        """Note on ReplicaSets without such a note of how many pods theirs are a share."""
        sets = list(self.known.owned_by(workload, REPLICA_SET))
        whole = sum(map(wanted_replicas, sets))
        for one in sets:
            if wanted_replicas(one) and _noted(one) is None:
                of_now = {**workload, "spec": {**spec_of(workload), "replicas": whole}}
                self.cluster.know(rollout.with_size(one, wanted_replicas(one), of_now))

    def _available(self, workload: Object, one: Object, step: Step) -> int:
        """Return how many pods of a ReplicaSet are available; look again when more will be."""
        seconds, count = int(spec_of(workload).get("minReadySeconds") or 0), 0
        for pod in self.owned.of(self.uid(one)):
            if not self.owned.is_active(pod):
                continue
            if self.owned.is_available(pod, seconds):
                count += 1
            else:
                step.look_again(self.owned.available_at(pod, seconds))
        return count


def max_unavailable(deployment: Object) -> int:
    """Return how many pods fewer than asked for there may be during a rollout."""
    wanted = wanted_replicas(deployment)
    if not rollout.is_rolling(deployment) or not wanted:
        return 0
    rolling = (spec_of(deployment).get("strategy") or {}).get("rollingUpdate") or {}
    given = rolling.get("maxUnavailable")
    count = _rounded_down("25%" if given is None else given, wanted)
    if not count and not rollout.max_surge(deployment):
        count = 1
    return min(count, wanted)


def _rounded_down(amount: Any, whole: int) -> int:
    if isinstance(amount, str):
        percent = amount.strip().removesuffix("%")
        return int(percent) * whole // 100 if percent.isascii() and percent.isdigit() else 0
    return share(amount, whole)


def _grown(deployment: Object, size: int, whole: int) -> int:
    """Return the size to which a new ReplicaSet may grow, `whole` being the sum of all sizes."""
    wanted = wanted_replicas(deployment)
    room = wanted + rollout.max_surge(deployment) - whole
    return size if room <= 0 else size + max(0, min(room, wanted - size))


def _noted(replica_set: Object) -> int | None:
    annotations = (replica_set.get("metadata") or {}).get("annotations") or {}
    text = annotations.get(rollout.DESIRED_REPLICAS) or ""
    return int(text) if text.isascii() and text.isdigit() else None


def _says(replica_set: Object, deployment: Object) -> bool:
    return _noted(replica_set) in (None, wanted_replicas(deployment))


def _is_scaled(deployment: Object, sets: list[Object]) -> bool:
    """Return whether the Deployment has got another size since its ReplicaSets got theirs."""
    return any(not _says(one, deployment) for one in sets if wanted_replicas(one) > 0)


def _scaled(way: str, replica_set: Object, before: int, after: int) -> tuple[str, str, str]:
    name = name_of(replica_set)
    return "Normal", "ScalingReplicaSet", f"Scaled {way} replica set {name} from {before} to {after}"
