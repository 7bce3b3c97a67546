"""Notes where the pods of a manifest land while a trial plays, and who has to go for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set

from dashboard.answers.landing import Landing, Victim
from scheduler_core.events.decisions import Attempt, Completion, Decision
from scheduler_core.events.effects import Evicted, effects
from scheduler_core.kube.attempt_event import pod_ref
from scheduler_core.world.simulation import Simulation


class Landings:
    """What becomes of the pods of a run that the cluster does not have without its edits."""

    def __init__(self, simulation: Simulation, known: Set[str]) -> None:
        """`known`: the uids of all pods without the edits, looked up before the run begins."""
        self._simulation, self._known = simulation, known
        self._gone: dict[str, list[tuple[int, str]]] = {}
        """By the uid of who evicts: the rows of those that had to go, and their nodes."""
        self._said: dict[str, str] = {}

    def hear(self, decision: Decision) -> None:
        """Take a decision that was carried out."""
        if isinstance(decision, Attempt) and decision.message:
            self._said[decision.pod.uid] = decision.message
        if not isinstance(decision, Attempt | Completion):
            return
        state = self._simulation.cluster
        for effect in effects(decision.changes):
            if isinstance(effect, Evicted):
                row = state.pods.by_uid[effect.pod]
                self._gone.setdefault(decision.pod.uid, []).append((row, state.node_of(row)))

    def found(self) -> list[Landing]:
        """Return all pods that are new, as they are now; of those that had to go their copies."""
        return list(self._landings())

    def stay(self, uids: Iterable[str]) -> frozenset[str]:
        """Return those of these pods, by uid, that were there before and are on a node now."""
        state = self._simulation.cluster
        rows = {uid: state.pods.by_uid[uid] for uid in uids if uid in self._known}
        return frozenset(
            uid for uid, row in rows.items() if state.node_of(row) and row not in state.gone.values
        )

    def _landings(self) -> Iterator[Landing]:
        state = self._simulation.cluster
        copies = state.pod_changes.replaces
        copy_of = {uid: row for row, uid in copies.items()}
        for info in state.pods.infos:
            if not self._is_new(info.row) or info.row in state.gone.values:
                continue
            victims = [self._victim(row, node, copy_of) for row, node in self._gone.get(info.uid, ())]
            yield Landing(
                self._named(info.row), state.node_of(info.row), victims, self._said.get(info.uid, "")
            )

    def _is_new(self, row: int) -> bool:
        """Return whether a pod, or the one that it is a copy of in the end, is not known."""
        pods, replaces = self._simulation.cluster.pods, self._simulation.cluster.pod_changes.replaces
        while row in replaces:
            row = pods.by_uid[replaces[row]]
        return pods.infos[row].uid not in self._known

    def _victim(self, row: int, node: str, copy_of: dict[str, int]) -> Victim:
        state = self._simulation.cluster
        copy = copy_of.get(state.pods.infos[row].uid)
        back = "" if copy is None else state.node_of(copy)
        return Victim(self._named(row), node, back, copy is not None)

    def _named(self, row: int) -> str:
        pod = pod_ref(self._simulation.cluster, row)
        return f"{pod.namespace}/{pod.name}"
