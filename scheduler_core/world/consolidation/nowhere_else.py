"""Nodes that stay, as filters alone say: one of their pods fits on no other node, whoever goes first.

It is asked of the cluster before anything of a step moved, with the nodes of the step closed and the pods off
that have to leave. There is more room then than there will be in any trial. Not asked about are pods that
others may help by where they go (required affinity, a spread that must be kept), pods with devices, and those
of schedulers that decide in sessions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec
import numpy as np

from scheduler_core.kube.schedule_one import Attempts
from scheduler_core.world.consolidation.leaving import Leaving
from scheduler_core.world.reporting.emptying import taken_back
from scheduler_core.world.reporting.moving_pods import PodMoves, can_tell
from scheduler_core.world.run_input import RunInput
from scheduler_core.world.simulation import Simulation

_MUST = "DoNotSchedule"


class NowhereElse:
    """Asks about the pods of nodes as a simulation has them before its first decision; changes nothing."""

    def __init__(self, simulation: Simulation, run_input: RunInput, leaving: Leaving) -> None:
        self._state, self._leaving = simulation.cluster, leaving
        self._controllers = simulation.ground.controllers
        self._schedulers = [one for one in simulation.schedulers if isinstance(one, Attempts)]
        self._can_tell = all(map(can_tell, self._schedulers)) and not _spreads_by_default(run_input)

    def homeless(self, node: str, closed: Iterable[str]) -> int | None:
        """Return the row of a pod of a node that fits on none but this one and closed ones; None for none."""
        if not self._can_tell:
            return None
        state, nodes = self._state, [node, *closed]
        shut = np.zeros(len(state.nodes), dtype=np.bool_)
        shut[[state.nodes.index[name] for name in nodes]] = True
        with taken_back(state):
            moves = PodMoves(state, self._controllers, self._schedulers)
            pods = list(self._asked(moves, self._leaving.pods_of(node)))
            moves.leave(
                [
                    pod
                    for name in nodes
                    for pod in self._leaving.pods_of(name)
                    if _is_served(moves, state, pod)
                ]
            )
            for pod in pods:
                moves.prepare([pod])
                if not len(moves.fitting(pod, shut)):
                    return pod
        return None

    def _asked(self, moves: PodMoves, pods: Sequence[int]) -> Iterator[int]:
        """Yield one of all pods alike, those that ask for most before all."""
        infos, seen = self._state.pods.infos, set[bytes]()
        for pod in sorted(pods, key=lambda pod: (-infos[pod].requests.get("cpu", 0), pod)):
            info = infos[pod]
            key = msgspec.json.encode([info.namespace, info.labels, info.pod.metadata.owner_references])
            if key in seen or not _is_served(moves, self._state, pod) or _may_be_helped(info.pod.spec):
                continue
            if moves.is_held(pod):
                continue
            seen.add(key)
            yield pod


def _is_served(moves: PodMoves, state: Any, pod: int) -> bool:
    return state.pods.infos[pod].scheduler_name in moves.serving


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
