"""The cluster as its API server has it: objects come, change and go, and every scheduler hears of it.

Source: the family `timed` of the recorded cases; kubernetes
pkg/registry/core/pod/strategy.go (grace periods).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec

from scheduler_core.kube.queueing.report import Report
from scheduler_core.kube.timed_scheduler import on_node
from scheduler_core.objects.kinds import Kind, kind_of
from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp
from scheduler_core.objects.types import KubernetesObject, Node, Pod, PodCondition
from scheduler_core.schedulers.clocked import AttemptingScheduler
from scheduler_core.schedulers.run_parts import OwnObjects
from scheduler_core.state.checkpoint import Checkpointed
from scheduler_core.state.cluster import ClusterState
from scheduler_core.state.pods import PodInfo
from scheduler_core.state.register import Register, SortedRegister
from scheduler_core.state.surroundings import KINDS as SURROUNDINGS
from scheduler_core.state.surroundings import key_of as key_of_surroundings
from scheduler_core.state.volumes import key_of
from scheduler_core.world.clocked.durations import Durations
from scheduler_core.world.clocked.live_claims import LiveClaims
from scheduler_core.world.controllers.evictions import is_ready
from scheduler_core.world.controllers.known_objects import KnownObjects
from scheduler_core.world.controllers.node_health import ready_of, with_cordon, with_ready
from scheduler_core.world.controllers.pod_endings import DURATION, ending_of
from scheduler_core.world.controllers.silent_kubelets import NO_NODE, Silence, SilentKubelets
from scheduler_core.world.edits.leaving_pods import DEFAULT_GRACE

_SECOND = 10**9


class Cluster(Checkpointed):
    """The objects, the clock, and who is on the way out.

    `now` and all instants are nanoseconds since the run's start, which is `epoch`. `leaving` has for each pod
    that is terminating when it will be gone and its turn among those of the same instant; `ended` when,
    in which order and why pods have gone.
    """

    remembered = {
        "_clock": "_clock",
        "objects": "objects",
        "leaving": "leaving",
        "ended": "ended",
        "asked": "asked",
        "by_key": "by_key",
        "runs": "runs",
        "exit_codes": "exit_codes",
        "ready_from": "ready_from",
        "refused": "refused",
        "kubelets": "kubelets",
    }

    def __init__(self, state: ClusterState, epoch: int, objects: Iterable[dict[str, Any]] = ()) -> None:
        self.state = state
        self.objects = KnownObjects(state.journal, objects)
        self.epoch = epoch
        self.schedulers: list[AttemptingScheduler] = []
        self.own_objects: dict[Kind, OwnObjects] = {}
        """Where the objects of kinds go that a scheduler brings, as far as it acts and reads them."""
        self.asked_to_go: list[tuple[int, str]] = []
        """Who was asked to go since the list was cleared, and why."""
        self.gone_now: list[tuple[int, str]] = []
        """Who went since the list was cleared, and why."""
        self._clock: Register[str, int] = Register(state.journal, {"now": 0, "turns": 0}.items())
        self.leaving: SortedRegister[int, tuple[int, int, str]] = SortedRegister(state.journal, read=tuple)
        self.ended: Register[int, tuple[int, str]] = Register(state.journal, read=tuple)
        self.runs: Register[str, int] = Register(state.journal)
        """How often a pod of this name has started."""
        self.exit_codes: Register[int, int] = Register(state.journal)
        """Of pods whose run fails."""
        self.asked: Register[int, tuple[int, int]] = Register(state.journal, read=tuple)
        """Whose eviction is asked for and not answered yet, by turn, and until when it is asked again."""
        self.refused: Register[int, tuple[int, int, str]] = Register(state.journal, read=tuple)
        """Of pods that a budget keeps: since when their evictions are asked for, until when, which budget."""
        self.ready_after: Callable[[int], int] = lambda pod: 0
        """Says how long after it has started a pod is ready, in nanoseconds."""
        self.ready_from: Register[int, int] = Register(state.journal)
        """When pods become ready that started in the run."""
        self.kubelets = SilentKubelets(state.journal)
        self.claims = LiveClaims(state, self._heard)
        self.durations = Durations(state)
        absent = ((row, state.pods.infos[row].key) for row in state.gone.values)
        self.by_key: Register[str, int] = Register(state.journal, state.pods.index.named(absent).items())

    @property
    def now(self) -> int:
        """The present instant."""
        return self._clock.values["now"]

    def move_to(self, instant: int) -> None:
        """Move the clock forwards."""
        if instant > self.now:
            self._clock.put("now", instant)

    def start(self) -> None:
        """Let pods of the snapshot leave in time: who is terminating, and who says how long it runs."""
        there = list(self.state.present())
        terminating = self.state.pods.terminating
        going = [info for info in there if terminating[info.row]] if terminating.any() else []
        for info in sorted(going, key=lambda info: info.key):
            at = parse_timestamp(info.pod.metadata.deletion_timestamp, self.epoch)
            self._leave_at(info.row, at - self.epoch, "deleted")
        lasting = [info for info in there if DURATION in (info.pod.metadata.annotations or {})]
        self._foresee_ends([info for info in lasting if self.state.node_of(info.row)], there)

    def _foresee_ends(self, running: Sequence[PodInfo], there: Sequence[PodInfo]) -> None:
        """Let pods run out in time that run already; the snapshot is taken to be of its newest start."""
        if not running:
            return
        newest = max(parse_timestamp(text, 0) for text in {info.pod.status.start_time for info in there})
        for info in sorted(running, key=lambda info: info.key):
            since = parse_timestamp(info.pod.status.start_time, newest) - newest
            self._foresee_end(info.row, since)

    # -- pods ----------------------------------------------------------------------------------------

    def add_pod(self, pod: Pod, replaces: str | None = None) -> Report:
        """Let a pod come into being; `replaces` is the uid of the evicted pod whose copy it is."""
        info = self.state.create(pod, replaces)
        report, pod = self.claims_changed(), info.pod
        self.by_key.put(info.key, info.row)
        if pod.spec.node_name:
            self.state.take_room(info.row, pod.spec.node_name)
        else:
            self.state.note_nomination(info.row, pod.status.nominated_node_name or "")
        report.extend(self._heard(None, pod))
        return report

    def update(self, pod: int, version: Pod) -> Report:
        """Give a pod a new version."""
        old = self.state.pods.infos[pod].pod
        self.state.change_pod(pod, version)
        self.state.note_nomination(pod, version.status.nominated_node_name or "")
        return self._heard(old, version)

    def bind(self, pod: int) -> Report:
        """Bind a pod to the node on which it was assumed; its kubelet starts it at once, if it speaks."""
        old = self.state.pods.infos[pod].pod
        bound = on_node(old, self.state.node_of(pod))
        status = msgspec.structs.replace(bound.status, nominated_node_name=None)
        version = msgspec.structs.replace(bound, status=status)
        if self.state.node_of(pod) in self.kubelets:
            version = _with_ready(version, ready=False)
            status = msgspec.structs.replace(version.status, phase="Pending")
            version = msgspec.structs.replace(version, status=status)
            self.state.change_pod(pod, version)
        else:
            version = self._start(pod, version)
        self.state.note_nomination(pod, "")
        return self._heard(old, version)

    def _start(self, pod: int, version: Pod) -> Pod:
        """Let a pod run from now on, and run out in time if it does; return its version."""
        status = msgspec.structs.replace(
            version.status, phase="Running", start_time=format_timestamp(self.epoch + self.now)
        )
        version = msgspec.structs.replace(version, status=status)
        self.state.change_pod(pod, version)
        self.state.start(pod, self.epoch + self.now)
        self.ready_from.put(pod, self.now + self.ready_after(pod))
        self._foresee_end(pod, self.now)
        return version

    def is_ready(self, pod: int) -> bool:
        """Return whether a pod's Ready condition is true."""
        since = self.ready_from.get(pod)
        return since <= self.now if since is not None else is_ready(self.state.pods.infos[pod].pod)

    def _foresee_end(self, pod: int, since: int) -> None:
        """Let a pod run out in time that runs since then, if it does."""
        key = self.state.pods.infos[pod].key
        run = (self.runs.get(key) or 0) + 1
        self.runs.put(key, run)
        ending = ending_of(self.state.pods.infos[pod].pod.metadata.annotations or {}, run)
        duration = self.durations.of(pod) if ending.after is None else ending.after
        if duration is not None:
            if ending.exit_code:
                self.exit_codes.put(pod, ending.exit_code)
            end = max(self.now, since + duration)
            self._leave_at(pod, end, "failed" if ending.exit_code else "finished")

    def terminate(self, pod: int, why: str, condition: PodCondition | None = None) -> Report:
        """Ask a pod to go: with a grace period if it is bound, else at once. Asking again changes nothing."""
        old = self.state.pods.infos[pod].pod
        if pod in self.state.gone.values or old.metadata.deletion_timestamp is not None:
            return Report()
        self.asked_to_go.append((pod, why))
        grace = grace_of(old)
        if why in ("preempted", "evicted"):
            self.state.mark_evicted(pod)
        if not old.spec.node_name or grace == 0:
            return self.vanish(pod, why)
        end = self.now + grace
        metadata = msgspec.structs.replace(
            old.metadata, deletion_timestamp=format_timestamp(self.epoch + end)
        )
        conditions = [*(old.status.conditions or ()), *([condition] if condition is not None else ())]
        status = msgspec.structs.replace(old.status, conditions=conditions)
        self._leave_at(pod, end, why)
        return self.update(pod, msgspec.structs.replace(old, metadata=metadata, status=status))

    def delete_by_force(self, pod: int, why: str) -> Report:
        """Let a pod be gone at once, its kubelet unasked. Who was asked to go before goes for that reason."""
        if self.state.pods.infos[pod].pod.metadata.deletion_timestamp is None:
            self.asked_to_go.append((pod, why))
        else:
            asked = self.leaving.get(pod) or self.kubelets.put_off.get(pod)
            why = why if asked is None else asked[2]
        return self.vanish(pod, why)

    def _leave_at(self, pod: int, instant: int, why: str) -> None:
        silent = self.state.node_of(pod) in self.kubelets
        register = self.kubelets.put_off if silent else self.leaving
        turn = self._next_turn()
        earlier = register.get(pod)
        if earlier is None or instant < earlier[0]:
            register.put(pod, (instant, turn, why))

    def _next_turn(self) -> int:
        turn = self._clock.values["turns"] + 1
        self._clock.put("turns", turn)
        return turn

    def pod_of(self, key: str) -> int | None:
        """Return the pod that is there under `namespace/name` or a uid, None if there is none."""
        pod = self.by_key.get(key)
        pod = self.state.pods.by_uid.get(key) if pod is None else pod
        return None if pod in self.state.gone.values else pod

    def ask_to_evict(self, key: str, until: int) -> Report | None:
        """Ask for the eviction of a pod, given as `namespace/name` or as uid; None if it isn't there.

        What a budget refuses is asked for again until then.
        """
        pod = self.pod_of(key)
        if pod is None:
            return None
        self._ask(pod, until)
        return Report()

    def ask_to_drain(self, node: str, until: int) -> Report | None:
        """Ask for the eviction of all pods of a node, by name; None if it isn't there."""
        if node not in self.state.nodes.index:
            return None
        infos = self.state.pods.infos
        for pod in sorted(self.state.placement.members(node), key=lambda pod: infos[pod].key):
            self._ask(pod, until)
        return Report()

    def cordon(self, node: str, *, closed: bool) -> Report | None:
        """Cordon a node, or uncordon it; None if it isn't there."""
        row = self.state.nodes.index.get(node)
        if row is None:
            return None
        present = self.state.nodes.objects[row]
        version = with_cordon(present, closed=closed)
        return Report() if version is present else self.put(version)

    def _ask(self, pod: int, until: int) -> None:
        self.asked.put(self._next_turn(), (pod, until))

    def next_to_leave(self) -> tuple[int, int] | None:
        """Return when the next pod's grace is over, and the pod."""
        pod = self.leaving.first()
        return None if pod is None else (self.leaving.values[pod][0], pod)

    def vanish(self, pod: int, why: str) -> Report:
        """Let a pod cease to be."""
        if pod in self.state.gone.values:
            return Report()
        old = self.state.pods.infos[pod].pod
        for register in (self.leaving, self.ready_from, self.refused):
            if pod in register.values:
                register.drop(pod)
        self.kubelets.forget(pod)
        self.state.remove(pod)
        self.ended.put(pod, (self.now, why))
        self.gone_now.append((pod, why))
        if self.by_key.get(self.state.pods.infos[pod].key) == pod:
            self.by_key.drop(self.state.pods.infos[pod].key)
        report = self._heard(old, None)
        report.extend(self.claims_changed())
        return report

    # -- kubelets ------------------------------------------------------------------------------------

    def silence(self, node: str, why: str, until: int) -> Report:
        """Let a node's kubelet say and do nothing any more; until then its node counts as ready."""
        self.kubelets.silent.put(node, Silence(why, until))
        report = Report()
        for pod in self._on(node):
            if (leaving := self.leaving.get(pod)) is not None:
                self.leaving.drop(pod)
                self.kubelets.put_off.put(pod, leaving)
            if why != NO_NODE and (self.ready_from.get(pod) or 0) > self.now:
                report.extend(self._make_unready(pod))
        return report

    def speak(self, node: str) -> Report:
        """Let a node's kubelet speak again: it ends and starts pods, and its node is ready."""
        self.kubelets.silent.drop(node)
        report = Report()
        for pod in self._on(node):
            old = version = self.state.pods.infos[pod].pod
            is_leaving = old.metadata.deletion_timestamp is not None
            if (put_off := self.kubelets.put_off.get(pod)) is not None:
                self.kubelets.put_off.drop(pod)
                instant = self.now + grace_of(old) if is_leaving else max(self.now, put_off[0])
                self._leave_at(pod, instant, put_off[2])
            if (since := self.kubelets.unready.get(pod)) is not None:
                self.kubelets.unready.drop(pod)
                self.ready_from.put(pod, max(self.now, since))
                version = _with_ready(version, ready=True)
                self.state.change_pod(pod, version)
            elif old.status.phase == "Pending" and not is_leaving:
                version = self._start(pod, version)
            if version is not old:
                report.extend(self._heard(old, version))
        row = self.state.nodes.index.get(node)
        if row is not None and ready_of(self.state.nodes.objects[row]) not in (None, "True"):
            report.extend(self.put(with_ready(self.state.nodes.objects[row], "True")))
        return report

    def make_pods_unready(self, node: str) -> Report:
        """Let a node's pods count as ready no more."""
        report = Report()
        for pod in self._on(node):
            if self.is_ready(pod):
                report.extend(self._make_unready(pod))
        return report

    def _make_unready(self, pod: int) -> Report:
        self.kubelets.unready.put(pod, self.ready_from.get(pod) or self.now)
        if pod in self.ready_from.values:
            self.ready_from.drop(pod)
        return self.update(pod, _with_ready(self.state.pods.infos[pod].pod, ready=False))

    def _on(self, node: str) -> list[int]:
        """Return the pods that are bound to a node, whether it is there or not, by namespace and name."""
        infos = self.state.pods.infos
        bound = (pod for pod in self.state.placement.members(node) if infos[pod].pod.spec.node_name)
        return sorted(bound, key=lambda pod: infos[pod].key)

    # -- other objects -------------------------------------------------------------------------------

    def put(self, item: KubernetesObject) -> Report:
        """Add an object other than a pod, or put it in the place of its older self."""
        if isinstance(item, Node):
            row = self.state.nodes.index.get(item.metadata.name)
            old: KubernetesObject | None = None if row is None else self.state.nodes.objects[row]
            if old is None:
                self.state.add_node(item)
            else:
                self.state.change_node(item)
            return self._heard(old, item)
        old = self.state.volumes.find(type(item), key_of(item))
        self.state.volumes.put(item, self.state.journal)
        return self._heard(old, item)

    def drop(self, item: KubernetesObject) -> Report:
        """Take an object other than a pod away."""
        if isinstance(item, Node):
            self.state.remove_node(item.metadata.name)
        else:
            self.state.volumes.drop(item, self.state.journal)
        return self._heard(item, None)

    def claims_changed(self) -> Report:
        """Let all hear of what has been written into claims since they heard last."""
        return self.claims.changed()

    def know(self, document: dict[str, Any]) -> None:
        """Let a workload come, or take the place of its older self."""
        self.objects.put(document)
        if kind_of(document) in SURROUNDINGS:
            self.state.surroundings.put(document)

    def forget(self, document: dict[str, Any]) -> None:
        """Let a workload be no more."""
        self.objects.drop(document)
        if kind_of(document) in SURROUNDINGS:
            self.state.surroundings.drop(key_of_surroundings(document))

    # -- who hears of it -----------------------------------------------------------------------------

    def tell(self, old: KubernetesObject | None, new: KubernetesObject | None) -> Report:
        """Let all schedulers hear that an object which they keep themselves came, changed or went."""
        return self._heard(old, new)

    def _heard(self, old: KubernetesObject | None, new: KubernetesObject | None) -> Report:
        report = Report()
        for scheduler in self.schedulers:
            report.extend(scheduler.hear(old, new, self.now))
        return report


def grace_of(pod: Pod) -> int:
    """Return how long a pod has to leave, in nanoseconds."""
    seconds = pod.spec.termination_grace_period_seconds
    return (DEFAULT_GRACE if seconds is None else seconds) * _SECOND


def _with_ready(pod: Pod, *, ready: bool) -> Pod:
    others = [one for one in pod.status.conditions or () if one.type != "Ready"]
    conditions = [*others, PodCondition("Ready", "True" if ready else "False")]
    return msgspec.structs.replace(pod, status=msgspec.structs.replace(pod.status, conditions=conditions))
