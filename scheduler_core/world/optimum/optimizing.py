"""Holds a run's end against an exact solver, and plays the solver's answer before anybody is told.

Only pods that the run itself has placed may be elsewhere, and those that wait. Pods that were on a node
before stay: a scheduler moves nobody. What the solver says is put on the nodes one pod after the other, as
the scheduler's own filters let it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import numpy as np

from scheduler_core.kube.equivalence.signature import read_of
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.objects import selectors
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.host_ports import conflicts
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.state.pods import PodInfo
from scheduler_core.world.optimum.results import Inexact, Optimum, Placement
from scheduler_core.world.optimum.solving import EFFORT, PodClass, Solved, solved
from scheduler_core.world.reporting.moving_pods import PodMoves
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, never
from scheduler_core.world.trials.warm_world import WarmWorld

HOSTNAME = "kubernetes.io/hostname"
MOST = 200_000
"""Pairs of a class and a node that the solver is given at the most."""


def optimum(
    world: WarmWorld, edits: Sequence[dict[str, Any]] = (), *, effort: float = EFFORT, stop: Stop = never
) -> Optimum | None:
    """Return how many more pods could have a node at the end of a run with these edits; None if stopped.

    `effort`: how long the solver may work, about seconds. Raises BadInput where the run has a clock, another
    scheduler than kube-scheduler or an extender takes part, or it is too large.
    """
    if world.run_input.driver == "timed":
        raise _not("driver", "pods come and go by the clock: there is no one end to hold it against")
    with collector_at_rest(), world.begun(edits) as simulation:
        if not all(map(_is_alone, simulation.schedulers)):
            raise _not("profile", "only kube-scheduler without extenders is held against a solver")
        if _have_devices(simulation):
            raise _not("claims", "pods with devices by ResourceClaims are not held against a solver")
        if any(one.plays_groups for one in simulation.schedulers):
            raise _not("groups", "pods of pod groups are not held against a solver")
        had_node = {row for row in range(len(simulation.cluster.pods)) if simulation.cluster.node_of(row)}
        while simulation.step() is not None:
            if stop():
                return None
        with _kept(simulation):
            found = _Optimizing(simulation, had_node, effort, stop).found()
        return None if stop() else found


def _have_devices(simulation: Simulation) -> bool:
    claims = simulation.cluster.device_claims
    infos = simulation.cluster.pods.infos
    return claims is not None and any(claims.may_hold(info.pod, info.requests) for info in infos)


def _is_alone(scheduler: Any) -> bool:
    return isinstance(scheduler, Attempts) and not any(
        profile.panel.extenders for profile in scheduler.profiles.values()
    )


def _not(field: str, reason: str) -> BadInput:
    return BadInput([Problem("optimum", field, reason)])


@contextmanager
def _kept(simulation: Simulation) -> Any:
    state = simulation.cluster
    state.forget_journal()
    tells, state.journal.tells = state.journal.tells, False
    try:
        yield
    finally:
        state.undo_to(0)
        state.journal.tells = tells


class _Group(NamedTuple):
    """Pods alike: their rows, those with a node first, and what the solver is told of them."""

    pods: list[int]
    pod_class: PodClass


class _Optimizing:
    def __init__(self, simulation: Simulation, had_node: set[int], effort: float, stop: Stop) -> None:
        self._state, self._effort, self._stop = simulation.cluster, effort, stop
        self._moves = PodMoves(simulation.cluster, simulation.ground.controllers, simulation.schedulers)
        self._left_out: Counter[str] = Counter()
        there = [row for row in range(len(self._state.pods)) if self._is_there(row) and row not in had_node]
        self._placed = {row: self._row_of(row) for row in there if self._state.node_of(row)}
        self._waiting = [row for row in there if not self._state.node_of(row) and self._is_asked(row)]
        self._open: BoolArray = np.zeros(len(self._state.nodes), dtype=np.bool_)

    def found(self) -> Optimum:
        """Return the whole answer."""
        if not self._waiting:
            return self._told(0, {}, 0, proven=True)
        pods = [*self._placed, *self._waiting]
        for row in self._waiting:
            if self._state.nominated[row]:
                self._state.nominate(row, "")
        self._moves.prepare(pods)
        self._moves.leave(list(self._placed))
        groups = self._groups(pods)
        if len(groups) * len(self._state.nodes) > MOST:
            kinds = f"{len(groups):,} kinds of pods on {len(self._state.nodes):,} nodes"
            raise _not("size", f"{kinds} are too many for the solver: at most {MOST:,} pairs")
        classes = [one.pod_class for one in groups]
        free = self._free()
        answer = solved(classes, free, self._apart(groups), self._effort, self._stop)
        inexact = self._inexact(pods)
        if answer is None:
            return self._told(0, {}, None, proven=False, inexact=inexact, classes=len(groups))
        put, failed = self._play(groups, answer)
        priorities = self._state.pods.infos
        before = Counter(priorities[row].priority for row in self._placed)
        now = Counter(priorities[row].priority for row in put)
        more = len(put) - len(self._placed)
        is_better = more > 0 and all(now[priority] >= count for priority, count in before.items())
        bound = max(0, answer.bound - len(self._placed))
        by_priority = {
            str(priority): now[priority] - before[priority]
            for priority in sorted(now, reverse=True)
            if now[priority] != before[priority]
        }
        has_bound = not inexact
        return self._told(
            more if is_better else 0,
            by_priority if is_better else {},
            bound if has_bound else None,
            proven=has_bound and (more if is_better else 0) == bound,
            placed=self._placements(put) if is_better else [],
            moved=sum(put.get(row) != node for row, node in self._placed.items()) if is_better else 0,
            inexact=inexact,
            failed=failed,
            classes=len(groups),
            spent=answer.effort,
        )

    def _told(
        self,
        more: int,
        by_priority: dict[str, int],
        bound: int | None,
        *,
        proven: bool,
        placed: list[Placement] | None = None,
        moved: int = 0,
        inexact: dict[Inexact, int] | None = None,
        failed: int = 0,
        classes: int = 0,
        spent: float = 0.0,
    ) -> Optimum:
        return Optimum(
            len(self._waiting), len(self._placed), more, by_priority, bound, proven, placed or [], moved,
            dict(self._left_out), inexact or {}, failed, classes, len(self._state.nodes), spent,
        )  # fmt: skip

    # -- who takes part --------------------------------------------------------------------------------

    def _is_there(self, row: int) -> bool:
        return row not in self._state.gone.values and not self._state.pods.is_terminating(row)

    def _row_of(self, row: int) -> int:
        return self._state.nodes.index[self._state.node_of(row)]

    def _is_asked(self, row: int) -> bool:
        info = self._state.pods.infos[row]
        if info.scheduler_name not in self._moves.serving:
            self._left_out["a scheduler that takes no part"] += 1
        elif info.pod.spec.scheduling_gates:
            self._left_out["its gates"] += 1
        else:
            return True
        return False

    # -- what the solver is told -----------------------------------------------------------------------

    def _groups(self, pods: Sequence[int]) -> list[_Group]:
        infos = self._state.pods.infos
        alike: dict[bytes, list[int]] = {}
        for row in pods:
            info = infos[row]
            spec = msgspec.structs.replace(read_of(info.pod.spec), node_name=None)
            metadata = info.pod.metadata
            key = info.namespace, metadata.labels, metadata.owner_references, info.priority, spec
            alike.setdefault(msgspec.json.encode(key), []).append(row)
        return [_Group(some, self._class_of(some)) for some in alike.values()]

    def _class_of(self, pods: list[int]) -> PodClass:
        info = self._state.pods.infos[pods[0]]
        run: IntArray = np.zeros(len(self._state.nodes), dtype=np.int64)
        for row in pods:
            if row in self._placed:
                run[self._placed[row]] += 1
        fits = np.zeros(len(run), dtype=np.bool_)
        fits[self._moves.fitting(pods[0], self._open)] = True
        asks = np.append(self._state.pods.requests[pods[0]], 1)
        one_each = bool(info.host_ports) or self._excludes(info, info)
        return PodClass(info.priority, len(pods), asks, fits, int(run.sum()), run, one_each)

    def _free(self) -> IntArray:
        """Return what the pods that stay leave, with the number of pods as the last column."""
        nodes = self._state.nodes
        pods = (nodes.pod_limit - self._state.pod_count)[:, None]
        return np.concatenate([nodes.allocatable - self._state.requested, pods], axis=1)

    def _apart(self, groups: Sequence[_Group]) -> list[tuple[int, int]]:
        infos = [self._state.pods.infos[one.pods[0]] for one in groups]
        picky = [place for place, info in enumerate(infos) if info.host_ports or _anti_terms(info)]
        pairs = {(min(a, b), max(a, b)) for a in picky for b in range(len(infos)) if a != b}
        return sorted(
            (a, b)
            for a, b in pairs
            if self._excludes(infos[a], infos[b]) or self._excludes(infos[b], infos[a])
            or any(conflicts(one, other) for one in infos[a].host_ports for other in infos[b].host_ports)
        )  # fmt: skip

    def _excludes(self, one: PodInfo, other: PodInfo) -> bool:
        """Return whether a required anti-affinity by hostname of one excludes the other from its node."""
        return any(
            term.topology_key == HOSTNAME
            and not term.namespaces
            and term.namespace_selector is None
            and one.namespace == other.namespace
            and selectors.matches(selectors.from_label_selector(term.label_selector), other.labels)
            for term in _anti_terms(one)
        )

    def _inexact(self, pods: Sequence[int]) -> dict[Inexact, int]:
        counts: Counter[Inexact] = Counter()
        for row in pods:
            spec = self._state.pods.infos[row].pod.spec
            if any(
                one.when_unsatisfiable == "DoNotSchedule" for one in spec.topology_spread_constraints or ()
            ):
                counts["spread"] += 1
            if _has_other_affinity(self._state.pods.infos[row]):
                counts["affinity"] += 1
            if any(one.persistent_volume_claim or one.ephemeral for one in spec.volumes or ()):
                counts["volumes"] += 1
        return dict(counts)

    # -- the play --------------------------------------------------------------------------------------

    def _play(self, groups: Sequence[_Group], answer: Solved) -> tuple[dict[int, int], int]:
        """Put pods where the solver says, as filters let them; return where they are, and how many failed.

        Those of higher priority come first. A pod that is refused is tried once more after the others.
        """
        infos = self._state.pods.infos
        wanted: list[tuple[int, int]] = []
        for group, counts in zip(groups, answer.counts, strict=True):
            wanted += _shared_out(group.pods, counts, self._placed)
        wanted.sort(key=lambda pair: (-infos[pair[0]].priority, pair[0]))
        put: dict[int, int] = {}
        for _ in range(2):
            refused = []
            for row, node in wanted:
                if node in self._moves.fitting(row, self._open).tolist() and self._moves.enter(row, node):
                    put[row] = node
                else:
                    refused.append((row, node))
            wanted = refused
        return put, len(wanted)

    def _placements(self, put: dict[int, int]) -> list[Placement]:
        infos, names = self._state.pods.infos, self._state.nodes.names
        new = [row for row in self._waiting if row in put]
        return [Placement(infos[row].key, infos[row].priority, names[put[row]]) for row in new]


def _shared_out(pods: Sequence[int], counts: IntArray, placed: dict[int, int]) -> list[tuple[int, int]]:
    """Return which pod goes to which node: who was placed stays where that can be, and before who waits."""
    left = counts.tolist()
    found: list[tuple[int, int]] = []
    others: list[int] = []
    for row in pods:
        node = placed.get(row)
        if node is not None and left[node]:
            left[node] -= 1
            found.append((row, node))
        else:
            others.append(row)
    places = [node for node, count in enumerate(left) for _ in range(count)]
    return found + list(zip(others, places, strict=False))


def _anti_terms(info: PodInfo) -> list[Any]:
    affinity = info.pod.spec.affinity
    anti = affinity.pod_anti_affinity if affinity is not None else None
    return list(anti.required or ()) if anti is not None else []


def _has_other_affinity(info: PodInfo) -> bool:
    affinity = info.pod.spec.affinity
    to = affinity.pod_affinity if affinity is not None else None
    if to is not None and to.required:
        return True
    return any(
        term.topology_key != HOSTNAME
        or term.namespaces
        or term.namespace_selector is not None
        or term.match_label_keys
        or term.mismatch_label_keys
        for term in _anti_terms(info)
    )
