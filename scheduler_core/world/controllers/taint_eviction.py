"""NoExecute taints evict what does not tolerate them, at once or when the toleration ends.

No budget is asked. A taint that is taken back in time evicts nobody any more. A toleration counts from the
moment at which the controller first sees it beside the taint; for taints of the snapshot that is the run's
start.

Source: kubernetes v1.36 pkg/controller/tainteviction processPodOnNode, handleNodeUpdate,
getMinTolerationTime; k8s.io/component-helpers v0.36 scheduling/corev1 GetMatchingTolerations.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from scheduler_core.objects.types import Pod, PodCondition, Taint
from scheduler_core.predicates.no_execute import covering, seconds_of, shortest
from scheduler_core.state.register import Register, SortedRegister
from scheduler_core.world.controllers.controller import Acted, Around, ClusterController
from scheduler_core.world.controllers.telling import Tainted

_CONDITION = PodCondition("DisruptionTarget", "True", "DeletionByTaintManager")
_SECOND = 10**9


class TaintEviction(ClusterController):
    """Keeps who is to be deleted when."""

    remembered = {"seen": "_seen", "tainted": "_tainted", "work": "_work", "turns": "_turns"}

    name = "taint-eviction-controller"

    def __init__(self, around: Around) -> None:
        super().__init__(around)
        journal = self.state.journal
        self._seen: Register[int, str] = Register(journal)
        """The node and the tolerations with which a pod was looked at last, if its node was tainted."""
        self._tainted: Register[str, str] = Register(journal)
        """The NoExecute taints of the nodes that have any."""
        self._work: SortedRegister[int, tuple[int, int, int, int, str]] = SortedRegister(journal, read=tuple)
        """When a pod is to be deleted, its turn, since when that is so, which decision led to it, and why."""
        self._turns: Register[str, int] = Register(journal, {"turns": 0}.items())

    def begin(self) -> None:
        for name in self.state.nodes.names:
            self._look_at_node(name, 0)

    def hear(self, decision: int) -> None:
        """Nodes come first: pods are looked at with the taints of now."""
        for name in self.state.journal.touched(self.state.node_changes):
            self._look_at_node(name, decision)
        for pod in self.state.journal.touched(self.state.pod_changes):
            self._look_at_pod(pod, decision)

    def due(self) -> int | None:
        first = self._work.first()
        return None if first is None else self._work.values[first][0]

    def act(self) -> Acted | None:
        pod = self._work.first()
        assert pod is not None
        *_, cause, why = self._work.values[pod]
        self._work.drop(pod)
        node = self.state.node_of(pod)
        report = self.cluster.terminate(pod, "evicted", _CONDITION)
        return Acted(report, Tainted(self.name, self.state, pod, node, why).tell, cause or None)

    # -- who is to be deleted ------------------------------------------------------------------------

    def _look_at_node(self, name: str, decision: int) -> None:
        row = self.state.nodes.index.get(name)
        if row is None:
            if name in self._tainted.values:
                self._tainted.drop(name)
            return  # who was to be deleted still is
        taints = _no_execute(self.state.nodes.objects[row].spec.taints or ())
        written = _written(taints)
        if written == (self._tainted.get(name) or "[]"):
            return
        if taints:
            self._tainted.put(name, written)
        else:
            self._tainted.drop(name)
        infos = self.state.pods.infos
        for pod in sorted(self.state.placement.members(name), key=lambda pod: infos[pod].key):
            if not taints:
                self._cancel(pod)
            elif infos[pod].pod.spec.node_name == name:
                self._seen.put(pod, _looked_at(infos[pod].pod))
                self._consider(pod, taints, decision)

    def _look_at_pod(self, pod: int, decision: int) -> None:
        if pod in self.state.gone.values:
            self._cancel(pod)
            return
        version = self.state.pods.infos[pod].pod
        name = version.spec.node_name or ""
        if name not in self._tainted.values or self._seen.get(pod) == _looked_at(version):
            return
        self._seen.put(pod, _looked_at(version))
        taints = _no_execute(self.state.nodes.objects[self.state.nodes.index[name]].spec.taints or ())
        self._consider(pod, taints, decision)

    def _consider(self, pod: int, taints: Sequence[Taint], decision: int) -> None:
        version, now = self.state.pods.infos[pod].pod, self.cluster.now
        if version.metadata.deletion_timestamp is not None:
            return  # deleting it once more changes nothing
        used = [covering(version.spec.tolerations or (), taint) for taint in taints]
        if None in used:
            self._cancel(pod)
            missed = taints[used.index(None)]
            self._add(pod, now, now, decision, f"it does not tolerate the taint {_spelt(missed)}")
            return
        seconds = shortest([one for one in used if one is not None])
        if seconds is None:
            self._cancel(pod)
            return
        since = now
        if (work := self._work.get(pod)) is not None:
            since = work[2]
            if since < now:
                return
            self._cancel(pod)
        pairs = zip(taints, used, strict=True)
        taint = next(taint for taint, one in pairs if one is not None and seconds_of(one) == seconds)
        why = f"it tolerates the taint {_spelt(taint)} for {seconds} s"
        self._add(pod, now + seconds * _SECOND, since, decision, why)

    def _add(self, pod: int, at: int, since: int, decision: int, why: str) -> None:
        turn = self._turns.values["turns"] + 1
        self._turns.put("turns", turn)
        self._work.put(pod, (at, turn, since, decision, why))

    def _cancel(self, pod: int) -> None:
        if pod in self._work.values:
            self._work.drop(pod)


def _no_execute(taints: Sequence[Taint]) -> list[Taint]:
    return [taint for taint in taints if taint.effect == "NoExecute"]


def _spelt(taint: Taint) -> str:
    return f"{taint.key}={taint.value}:NoExecute" if taint.value else f"{taint.key}:NoExecute"


def _looked_at(pod: Pod) -> str:
    return f"{pod.spec.node_name} {_written(pod.spec.tolerations or ())}"


def _written(things: Sequence[msgspec.Struct]) -> str:
    return msgspec.json.encode(things).decode()
