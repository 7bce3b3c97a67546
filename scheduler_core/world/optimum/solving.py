"""The exact solver: how many pods of each class go to each node, so that as many as possible have one.

OR-tools CP-SAT, with one worker, a fixed seed and a limit that is no clock, so that the same question has the
same answer. It is loaded only when it is asked. This is the only place that knows of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from scheduler_core.state.nodes import BoolArray, IntArray
from scheduler_core.world.trials.playing import Stop, never

EFFORT = 20.0
"""What the solver calls deterministic time: about as many seconds on one core."""
LOOK_SECONDS = 0.1
"""So often it is asked whether the solver shall stop; what it finds does not depend on that."""


@dataclass(frozen=True)
class PodClass:
    """Pods that nothing tells apart: how many, what one asks for, where it may be, and how many may be there.

    asks: int64 (resources,). fits: bool (nodes,), each with the pods that stay. placed: how many of them the
    run has placed; run: on each node, int64 (nodes,). one_each: whether a node takes one at the most.
    """

    priority: int
    count: int
    asks: IntArray
    fits: BoolArray
    placed: int
    run: IntArray
    one_each: bool


@dataclass(frozen=True)
class Solved:
    """counts: how many of each class are on each node, int64 (classes, nodes). bound: none can place more."""

    counts: IntArray
    bound: int
    is_optimal: bool
    effort: float


def solved(
    classes: Sequence[PodClass],
    free: IntArray,
    apart: Sequence[tuple[int, int]],
    effort: float = EFFORT,
    stop: Stop = never,
) -> Solved | None:
    """Return the assignment with the most pods that gives no priority fewer than the run did.

    free: int64 (nodes, resources), what the pods that stay leave. apart: pairs of classes that share no node.
    None where the solver finds nothing in the time, not even what the run did. What it has found when it is
    stopped depends on the moment.
    """
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    most = np.array([_most_on(one, free) for one in classes])
    x: dict[tuple[int, int], Any] = {
        (place, node): model.new_int_var(0, int(most[place, node]), "")
        for place, node in np.argwhere(most > 0).tolist()
    }
    for place, one in enumerate(classes):
        model.add(sum(_of(x, place, most[place])) <= one.count)
    for node in range(len(free)):
        here = [(place, x[place, node]) for place in range(len(classes)) if (place, node) in x]
        for resource in range(free.shape[1]):
            asked = sum(int(classes[p].asks[resource]) * int(most[p, node]) for p, _ in here)
            if asked > free[node, resource]:
                terms = [int(classes[p].asks[resource]) * var for p, var in here if classes[p].asks[resource]]
                model.add(sum(terms) <= max(0, int(free[node, resource])))
    for a, b in apart:
        for node in np.flatnonzero((most[a] > 0) & (most[b] > 0)).tolist():
            is_a = model.new_bool_var("")
            model.add(x[a, node] == 0).only_enforce_if(~is_a)
            model.add(x[b, node] == 0).only_enforce_if(is_a)
    for priority in sorted({one.priority for one in classes}):
        some = [place for place, one in enumerate(classes) if one.priority == priority]
        terms = [var for place in some for var in _of(x, place, most[place])]
        model.add(sum(terms) >= sum(classes[place].placed for place in some))
    for (place, node), var in x.items():
        model.add_hint(var, int(classes[place].run[node]))
    model.maximize(sum(x.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = effort
    status = _searched(solver, model, stop)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return None
    counts = np.zeros(most.shape, dtype=np.int64)
    for (place, node), var in x.items():
        counts[place, node] = solver.value(var)
    bound = int(solver.best_objective_bound + 1e-6)
    return Solved(counts, bound, status == cp_model.OPTIMAL, float(solver.response_proto.deterministic_time))


def _searched(solver: Any, model: Any, stop: Stop) -> Any:
    """Return the solver's status. It works in a thread of its own, since it hears of nothing meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        search = pool.submit(solver.solve, model)
        try:
            while not wait([search], LOOK_SECONDS).done:
                if stop():
                    solver.stop_search()
        finally:
            solver.stop_search()
    return search.result()


def _most_on(one: PodClass, free: IntArray) -> IntArray:
    """Return how many of a class a node takes alone, int64 (nodes,)."""
    asked = one.asks > 0
    room = np.maximum(free[:, asked], 0) // one.asks[asked]
    most = np.where(one.fits, room.min(axis=1, initial=one.count), 0)
    return np.minimum(most, 1) if one.one_each else most


def _of(x: dict[tuple[int, int], Any], place: int, most: IntArray) -> list[Any]:
    return [x[place, node] for node in np.flatnonzero(most > 0).tolist()]
