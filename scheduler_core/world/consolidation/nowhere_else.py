"""Nodes that stay, as filters alone say: a pod fits on no other node, or all of them together find no room.

It is asked of the cluster before anything of a step moved, with the nodes of the step closed and the pods off
that have to leave. There is more room then than there will be in any trial. Not asked about are pods that
others may help by where they go (required affinity, a spread that must be kept), pods with devices, and those
of schedulers that decide in sessions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import msgspec
import numpy as np

from scheduler_core.kube.framework import Reads
from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.world.consolidation.leaving import Leaving
from scheduler_core.world.reporting.emptying import taken_back
from scheduler_core.world.reporting.moving_pods import PodMoves, can_tell
from scheduler_core.world.reporting.room import Shortage, free_room, shortage
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation

_MUST = "DoNotSchedule"
_NAMES = ("cpu", "memory")
"""The resources that no profile ignores, in the order of the columns of amounts."""


class NowhereElse:
    """Asks about the pods of nodes as a simulation has them before its first decision; changes nothing."""

    def __init__(self, simulation: Simulation, run_input: RunInput, leaving: Leaving) -> None:
        self._state, self._leaving = simulation.cluster, leaving
        self._controllers = simulation.ground.controllers
        self._schedulers = [one for one in simulation.schedulers if isinstance(one, Attempts)]
        self._can_tell = all(map(can_tell, self._schedulers)) and not _spreads_by_default(run_input)
        self._looks_at_room = all(map(_looks_at_room, self._schedulers))

    def keeping(self, nodes: Sequence[str], closed: Iterable[str]) -> int | Shortage | None:
        """Return what keeps nodes, with closed ones given back; None where only a trial can tell.

        That is the row of a pod of theirs that fits on none of the others, or what the pods of all these
        nodes ask for that the others have not. Of amounts cpu and memory are looked at, of all pods together
        and of those that the same nodes would take.
        """
        if not self._can_tell:
            return None
        gone = [*nodes, *closed]
        with self._left(gone) as (moves, shut):
            takers: dict[bytes, tuple[IntArray, list[int]]] = {}
            for names in (nodes, gone[len(nodes) :]):
                for some in self._alike(moves, self._pods_of(names)):
                    moves.prepare(some[:1])
                    rows = moves.fitting(some[0], shut)
                    if not len(rows) and names is nodes:
                        return some[0]
                    takers.setdefault(rows.tobytes(), (rows, []))[1].extend(some)
            return self._shortage(list(takers.values())) if self._looks_at_room else None

    def _shortage(self, groups: list[tuple[IntArray, list[int]]]) -> Shortage | None:
        """Return what pods lack on the nodes (rows) that would take each of them; None for nothing."""
        state = self._state
        free = free_room(state)
        if len(groups) > 1:
            every = np.unique(np.concatenate([rows for rows, _ in groups]))
            groups = [*groups, (every, [pod for _, some in groups for pod in some])]
        found = (shortage(state.pods.requests[some], free[rows], _NAMES) for rows, some in groups)
        return next(filter(None, found), None)

    @contextmanager
    def _left(self, nodes: Sequence[str]) -> Iterator[tuple[PodMoves, BoolArray]]:
        """Have the pods off that leave nodes, and these nodes closed, shape (nodes,), and put all back."""
        state = self._state
        shut = np.zeros(len(state.nodes), dtype=np.bool_)
        shut[[state.nodes.index[name] for name in nodes]] = True
        with taken_back(state):
            moves = PodMoves(state, self._controllers, self._schedulers)
            moves.leave([pod for pod in self._pods_of(nodes) if _is_served(moves, state, pod)])
            yield moves, shut

    def _pods_of(self, nodes: Iterable[str]) -> list[int]:
        return [pod for name in nodes for pod in self._leaving.pods_of(name)]

    def _alike(self, moves: PodMoves, pods: Iterable[int]) -> list[list[int]]:
        """Return the pods that are asked about, those alike together, those that ask for most before all."""
        infos, found = self._state.pods.infos, dict[bytes, list[int]]()
        for pod in sorted(pods, key=lambda pod: (-infos[pod].requests.get("cpu", 0), pod)):
            info = infos[pod]
            if not _is_served(moves, self._state, pod) or _may_be_helped(info.pod.spec):
                continue
            if not moves.is_held(pod):
                key = msgspec.json.encode([info.namespace, info.labels, info.pod.metadata.owner_references])
                found.setdefault(key, []).append(pod)
        return list(found.values())


def _is_served(moves: PodMoves, state: Any, pod: int) -> bool:
    return state.pods.infos[pod].scheduler_name in moves.serving


def _looks_at_room(scheduler: Attempts) -> bool:
    """Return whether every profile has a filter for what nodes have free."""
    return all(
        any(plugin.reads is Reads.ROOM for plugin in profile.filters)
        for profile in scheduler.profiles.values()
    )


def _may_be_helped(spec: Any) -> bool:
    """Return whether a pod may fit once other pods are somewhere."""
    near = spec.affinity.pod_affinity if spec.affinity is not None else None
    return bool(near is not None and near.required) or any(
        one.when_unsatisfiable == _MUST for one in spec.topology_spread_constraints or ()
    )


def _spreads_by_default(run_input: RunInput) -> bool:
    """Return whether a configuration has pods without constraints spread as they must be."""
    configurations = [run_input.config, *(one.config for one in run_input.beside)]
    return _MUST.encode() in msgspec.json.encode(configurations)
