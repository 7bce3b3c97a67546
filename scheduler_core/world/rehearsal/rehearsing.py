"""Plays a plan on a warm world: a rolling drain on the clock, with what would change what comes of it.

Nothing is worked out beside the run: a scenario with the same edits makes the same decisions.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable
from itertools import count

import msgspec

from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.state.cluster import ClusterState
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import name_of
from scheduler_core.world.rehearsal.noting import Notes
from scheduler_core.world.rehearsal.plan import Plan, PlannedNode, edits_of, planned_nodes
from scheduler_core.world.rehearsal.rehearsed import (
    Block,
    Rehearsed,
    RehearsedBudget,
    RehearsedNode,
    Step,
    Verdict,
    Waited,
)
from scheduler_core.world.run_input import AFTER_THE_LAST
from scheduler_core.world.simulation import Simulation
from scheduler_core.world.trials.playing import Stop, never, play
from scheduler_core.world.trials.trial_result import TrialResult
from scheduler_core.world.trials.warm_world import MOST_DECISIONS, WarmWorld

AFTER_MS = round(AFTER_THE_LAST * 1000)
"""So long after the last node's turn it is played, so that pods that wait may find a place."""
LEAST_WAIT = 1000
"""Milliseconds: a copy that has a node sooner did not wait."""
_RANK: dict[Verdict, int] = {"now": 0, "later": 1, "late": 2, "never": 3, "unreached": 4}

Tell = Callable[[int], None]


def rehearse(
    world: WarmWorld, plan: Plan, *, stop: Stop = never, tell: Tell = lambda decisions: None
) -> Rehearsed:
    """Return what an upgrade by this plan comes to; `tell` hears how many decisions were played by now.

    Those of a run without the upgrade, which is played before where nobody has yet, count too.

    Raises BadInput where no clock moves in the world, and with the problems of the plan's edits.
    """
    if world.run_input.driver != "timed":
        raise BadInput([Problem("rehearsal", "driver", "needs the driver timed: an upgrade takes time")])
    number = count(1)
    before = world.baseline(stop, lambda _: tell(next(number)))
    with collector_at_rest():
        nodes = planned_nodes(plan, world.simulation.cluster)
        edits = edits_of(plan, nodes)
        with world.begun(edits) as simulation:
            timeout = round(plan.timeout * 1000)
            notes = Notes(simulation, nodes, len(edits) - 1, timeout, for_good=plan.back is None)

            def watch(decision: object) -> None:
                notes.watch(decision)  # type: ignore[arg-type]
                tell(next(number))

            budgets = _budgets_before(simulation.cluster)

            def is_done() -> bool:
                return notes.is_over(AFTER_MS) or stop()

            found = play(
                simulation,
                frozenset(),
                frozenset(),
                MOST_DECISIONS,
                is_done,
                watch,
                first=len(simulation.cluster.pods.infos),
                reasons=False,
            )
            told = notes.told()
            watched = _watched(simulation.cluster, notes)
            spans = [
                (simulation.workload_of(uid), since, until)
                for uid, since, until in notes.spans()
                if until is None or until - since >= LEAST_WAIT
            ]
            return Rehearsed(
                edits,
                told,
                _budgets(told, budgets, watched, notes.allowed),
                _waited(spans),
                notes.open,
                notes.open_before,
                _at_once(spans),
                max((node.empty for node in told if node.empty is not None), default=_end(told)),
                _end(told),
                len(found.pending),
                len(before.pending),
                found.decisions,
                "over" if notes.is_over(AFTER_MS) else found.ended_by,
                sum(not one.asked for one in found.evictions),
                notes.lost(),
                notes.cordoned_before,
                _left_down(simulation, found, before),
            )


def _left_down(simulation: Simulation, found: TrialResult, before: TrialResult) -> dict[str, int]:
    """Return of workloads how many more pods wait at the end than `before`; bare pods are held one by one."""
    workloads = {one.pod.uid: one.workload for one in before.pods}

    def waiting(uids: Iterable[str]) -> Counter[tuple[str, str]]:
        of = ((workloads[uid] if uid in workloads else simulation.workload_of(uid), uid) for uid in uids)
        return Counter((workload, "" if workload else uid) for workload, uid in of)

    waited = waiting(before.pending)
    workloads = {}
    more: Counter[str] = Counter()
    for (workload, _), pods in (waiting(found.pending) - waited).items():
        more[workload] += pods
    return dict(more.most_common())


def _end(nodes: Iterable[RehearsedNode]) -> int:
    """Return when the last node was back, empty where it does not come back, or given up."""
    return max((node.given_up or node.back or node.empty or 0 for node in nodes), default=0)


# -- budgets -------------------------------------------------------------------------------------------


def _budgets_before(state: ClusterState) -> dict[str, tuple[int, int, int]]:
    return {name_of(one): (one.allowed, one.desired_healthy, one.current_healthy) for one in state.budgets}


def _watched(state: ClusterState, notes: Notes) -> dict[str, int]:
    """Return how many of the pods that had to leave each budget covers."""
    counts: dict[str, int] = defaultdict(int)
    for noted in notes.nodes.values():
        for pod in noted.pods:
            for budget in covering(state, state.pods.infos[pod]):
                counts[name_of(budget)] += 1
    return counts


def _budgets(
    nodes: Iterable[RehearsedNode],
    before: dict[str, tuple[int, int, int]],
    watched: dict[str, int],
    allowed: dict[str, list[Step]],
) -> list[RehearsedBudget]:
    """Return the budgets that watch pods of the nodes; those first that let fewest go."""
    blocks: dict[str, list[tuple[Block, int]]] = defaultdict(list)
    for node in nodes:
        for block in node.blocks:
            for name in block.budgets:
                blocks[name].append((block, node.given_up or node.empty or block.since))
    found = []
    for name, pods in watched.items():
        of_budget = blocks.get(name, ())
        verdicts = (block.verdict for block, _ in of_budget)
        verdict: Verdict = max(verdicts, key=_RANK.__getitem__, default="now")
        waits = [(block.until if block.until is not None else end) - block.since for block, end in of_budget]
        refused = sum(block.tries for block, _ in of_budget)
        figures = before.get(name, (0, 0, 0))
        steps = allowed.get(name, [])
        found.append(RehearsedBudget(name, verdict, pods, *figures, refused, max(waits, default=0), steps))
    return sorted(found, key=lambda one: (-_RANK[one.verdict], -one.refused, one.budget))


# -- who waits -----------------------------------------------------------------------------------------


def _waited(spans: Iterable[tuple[str, int, int | None]]) -> list[Waited]:
    by_workload: dict[str, list[tuple[str, int, int | None]]] = defaultdict(list)
    for span in spans:
        by_workload[span[0]].append(span)
    found = []
    for workload, some in by_workload.items():
        longest = max((until - since for _, since, until in some if until is not None), default=0)
        most = max((value for _, value in _at_once(some)), default=0)
        found.append(Waited(workload, len(some), most, longest, sum(until is None for *_, until in some)))
    return sorted(found, key=lambda one: (-one.at_end, -one.longest, -one.pods, one.workload))


def _at_once(spans: Iterable[tuple[str, int, int | None]]) -> list[Step]:
    """Return how many wait over time."""
    changes: dict[int, int] = defaultdict(int)
    for _, since, until in spans:
        changes[since] += 1
        if until is not None:
            changes[until] -= 1
    steps: list[Step] = [(0, 0)]
    for at in sorted(changes):
        value = steps[-1][1] + changes[at]
        if steps[-1][0] == at:
            steps.pop()
        if not steps or steps[-1][1] != value:
            steps.append((at, value))
    return steps


def with_order(plan: Plan, nodes: Iterable[PlannedNode | str]) -> Plan:
    """Return a plan for these nodes in this order."""
    names = [one if isinstance(one, str) else one.name for one in nodes]
    return msgspec.structs.replace(plan, nodes=names, selector=None, group=None, order="given")
