"""What to change so that an upgrade goes through: each change is played to its end, like the plan itself.

Nothing is proposed that was not played. Which changes are tried follows from what was refused; whether one
helps is read off its run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from scheduler_core.objects.problems import BadInput
from scheduler_core.world.controllers.covering import covering
from scheduler_core.world.controllers.evictions import name_of
from scheduler_core.world.rehearsal.plan import Plan, PlannedNode, planned_nodes
from scheduler_core.world.rehearsal.rehearsed import Changed, Rehearsal, Rehearsed, SafestOrder
from scheduler_core.world.rehearsal.rehearsing import rehearse, with_order
from scheduler_core.world.trials.playing import Stop, never
from scheduler_core.world.trials.warm_world import WarmWorld

SCALABLE = ("Deployment", "StatefulSet", "ReplicaSet", "ReplicationController")
LONGER = 4
"""By so much a timeout is longer that is tried."""

Tell = Callable[[int, int], None]


class Idea(NamedTuple):
    """A change that is worth a try."""

    kind: str
    title: str
    costs: str
    plan: Plan


def rehearsal(
    world: WarmWorld,
    plan: Plan,
    *,
    stop: Stop = never,
    is_late: Stop = never,
    tell: Tell = lambda done, of: None,
) -> Rehearsal:
    """Return what a plan comes to, and what would change it; `tell` hears how many runs of how many are done.

    Of the plan's own run it hears how many decisions were played, of nobody knows how many: of 0. Where it
    `is_late`, no more changes are begun. Raises BadInput as `rehearse` does.
    """
    base = rehearse(world, plan, stop=stop, tell=lambda decisions: tell(decisions, 0))
    nodes = planned_nodes(plan, world.simulation.cluster)
    ideas = list(_ideas(world, plan, nodes, base))
    orders = list(_orders(world, plan, nodes)) if any(_harm(base)) else []
    total, done = 1 + len(ideas) + len(orders), 1
    played: list[tuple[str, Plan, Rehearsed]] = []
    changes: list[Changed] = []
    untried = 0
    for idea in (*ideas, *orders):
        tell(done, total)
        done += 1
        if is_late() or stop():
            untried += 1
            continue
        try:
            found = rehearse(world, idea.plan, stop=stop)
        except BadInput:
            continue  # a workload that its own controller scales, a budget that can't be changed
        if found.ended_by == "stopped":
            untried += 1
        elif idea in ideas:
            changes.append(_changed(idea, base, found))
        else:
            played.append((idea.title, idea.plan, found))
    changes.sort(key=_rank)
    safest = _safest(plan, nodes, base, played)
    return Rehearsal(
        msgspec.to_builtins(plan),
        world.run_input.ready_seconds,
        base,
        changes,
        safest,
        untried,
        rests_on=world.rests_on(drains=True),
    )


def _refused(found: Rehearsed) -> int:
    return sum(budget.refused for budget in found.budgets)


def _harm(found: Rehearsed) -> tuple[int, int, int, int, int]:
    """Return what an order does, the worst first, to be compared: 0 in all is a safe one."""
    stay = len(found.nodes) - found.empty
    return stay, found.down, _refused(found), found.preempted, found.most_waiting


def _rank(change: Changed) -> tuple[bool, bool, int, int, int]:
    """What helps first, without leaving nodes out; then the fewest down, the fewest waiting, the time."""
    return not change.helps, change.kind == "skip", change.down, change.most_waiting, change.time


def _is_better(idea: Idea, base: Rehearsed, found: Rehearsed) -> bool:
    """Return whether a plan by which all is well, too, is better: sooner, or with less waiting."""
    if idea.kind == "together":
        return found.time < base.time and found.pending <= base.pending
    key, before = (
        (-one.pending, -_refused(one), -one.most_waiting, -one.longest_wait) for one in (found, base)
    )
    return key > before


def _changed(idea: Idea, base: Rehearsed, found: Rehearsed) -> Changed:
    empty, of = found.empty, len(found.nodes)
    was_well = base.empty == len(base.nodes) and not base.down
    helps = empty == of and not found.down and (not was_well or _is_better(idea, base, found))
    return Changed(
        idea.kind,
        idea.title,
        idea.costs,
        msgspec.to_builtins(idea.plan),
        empty,
        of,
        found.time,
        _refused(found),
        found.most_waiting,
        found.longest_wait,
        found.pending,
        found.down,
        helps,
    )


# -- ideas ---------------------------------------------------------------------------------------------


def _ideas(world: WarmWorld, plan: Plan, nodes: Sequence[PlannedNode], base: Rehearsed) -> Iterator[Idea]:
    kept = [block for node in base.nodes for block in node.blocks if block.verdict in ("never", "late")]
    ever = [block for block in kept if block.verdict == "never"]
    if workloads := sorted({block.workload for block in ever if block.workload.startswith(SCALABLE)}):
        yield _more_replicas(world, plan, workloads)
    if budgets := sorted({block.budgets[0] for block in ever if len(block.budgets) == 1}):
        yield _one_away(plan, budgets)
    stuck = {node.node for node in base.nodes if node.verdict in ("never", "late")}
    if stuck and len(stuck) < len(nodes):
        going = [node for node in nodes if node.name not in stuck]
        staying = [node for node in nodes if node.name in stuck]
        last = with_order(plan, [*going, *staying])
        yield Idea("order", f"{_some(sorted(stuck))} last", "another order", last)
        without = f"{_some(sorted(stuck))} left out"
        yield Idea("skip", without, "these nodes stay as they are", with_order(plan, going))
    if any(block.verdict == "late" for block in kept):
        longer = msgspec.structs.replace(plan, timeout=plan.timeout * LONGER)
        yield Idea("timeout", f"Asks again for {plan.timeout * LONGER:g} s", "more time", longer)
    if stuck or base.most_waiting or _refused(base):
        surge = msgspec.structs.replace(plan, surge=plan.surge + 1)
        yield Idea("surge", f"One more node like {nodes[0].name} first", "one node more meanwhile", surge)
    if plan.together * 2 <= len(nodes):
        faster = msgspec.structs.replace(plan, together=plan.together * 2)
        yield Idea("together", f"{plan.together * 2} nodes at a time", "more nodes closed at once", faster)


def _more_replicas(world: WarmWorld, plan: Plan, workloads: Sequence[str]) -> Idea:
    state, simulation = world.simulation.cluster, world.simulation
    counts = Counter(simulation.workload_of(info.uid) for info in state.pods.infos)
    edits: list[dict[str, Any]] = []
    words = []
    for workload in workloads:
        kind, namespace, name = workload.split("/")
        replicas = counts[workload] + 1
        edits.append(
            {"op": "scale", "kind": kind, "namespace": namespace, "name": name, "replicas": replicas}
        )
        words.append(f"{replicas} of {namespace}/{name}")
    with_them = msgspec.structs.replace(plan, before=[*plan.before, *edits])
    return Idea(
        "replicas",
        f"Run {_some(words)}",
        f"{len(edits)} pod{'s' if len(edits) > 1 else ''} more meanwhile",
        with_them,
    )


def _one_away(plan: Plan, budgets: Sequence[str]) -> Idea:
    edits: list[dict[str, Any]] = []
    for budget in budgets:
        namespace, _, name = budget.partition("/")
        patch = {"spec": {"maxUnavailable": 1, "minAvailable": None}}
        edits.append(
            {
                "op": "patch",
                "kind": "PodDisruptionBudget",
                "namespace": namespace,
                "name": name,
                "patch": patch,
            }
        )
    title = f"maxUnavailable 1 in {_some(budgets)}"
    with_them = msgspec.structs.replace(plan, before=[*plan.before, *edits])
    return Idea("budget", title, "one pod of them less at times", with_them)


def _some(names: Sequence[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3:,} more" if len(names) > 3 else "")


# -- the safest order ----------------------------------------------------------------------------------


def _orders(world: WarmWorld, plan: Plan, nodes: Sequence[PlannedNode]) -> Iterator[Idea]:
    """Yield other orders than the plan's, each once."""
    seen = {tuple(node.name for node in nodes)}
    apart = _apart(world, plan, nodes)
    by_zone = sorted(nodes, key=lambda node: (node.zone, node.name))
    placement = world.simulation.cluster.placement
    fewest = sorted(nodes, key=lambda node: (len(placement.members(node.name)), node.name))
    orders = ("budgets apart", apart), ("fewest pods first", fewest), ("by zone", by_zone)
    for title, order in (*orders, ("by name", sorted(nodes))):
        names = tuple(node.name for node in order)
        if names not in seen:
            seen.add(names)
            yield Idea("order", title, "", with_order(plan, order))


def _apart(world: WarmWorld, plan: Plan, nodes: Sequence[PlannedNode]) -> list[PlannedNode]:
    """Return an order in which nodes that follow each other share few pods of one budget, chosen greedily.

    Nodes that are worked on at one time count as neighbours, and so does the one before.
    """
    state = world.simulation.cluster
    of_node = {
        node.name: Counter(
            name_of(budget)
            for pod in state.placement.members(node.name)
            for budget in covering(state, state.pods.infos[pod])
        )
        for node in nodes
    }
    left, order = list(nodes), list[PlannedNode]()
    while left:
        near = Counter[str]()
        for one in order[-plan.together :]:
            near.update(of_node[one.name])
        chosen = min(left, key=lambda node: sum(near[name] for name in of_node[node.name]))
        left.remove(chosen)
        order.append(chosen)
    return order


def _safest(
    plan: Plan,
    nodes: Sequence[PlannedNode],
    base: Rehearsed,
    played: Sequence[tuple[str, Plan, Rehearsed]],
) -> SafestOrder:
    """Return the played order that harms least: nodes that stay, pods that wait in the end, refused tries,
    evictions by others, pods that wait at once. It is the plan's own where that is as good.
    """
    names = [node.name for node in nodes]
    tried = [("as planned", with_order(plan, nodes), base), *played]
    _, best, found = min(tried, key=lambda one: (*_harm(one[2]), one[2].longest_wait))
    return SafestOrder(
        best.nodes or names,
        _refused(found),
        [title for title, _, _ in tried],
        _why_not(found, len(tried)),
        found.most_waiting,
        found.preempted,
    )


def _why_not(found: Rehearsed, tried: int) -> str:
    """Return why no safe order was found, of so many that were tried; empty where this one is safe."""
    if not _refused(found):
        return _who_waits(found, tried)
    for node in found.nodes:
        for block in node.blocks:
            if block.verdict == "never":
                return f"{' and '.join(block.budgets)} never lets {block.pod} go: no order helps"
    for node in found.nodes:
        counts = Counter(name for block in node.blocks for name in block.budgets)
        if counts:
            [(name, count)] = counts.most_common(1)
            more = f"{count} pod{'s' if count > 1 else ''} of budget {name} on {node.node} had to ask again"
            return f"{more}; of {tried} order{'s' if tried > 1 else ''} that were tried none is without"
    return ""


def _who_waits(found: Rehearsed, tried: int) -> str:
    """Return which pods have to wait or go in the best order though no budget refuses; empty for none."""
    orders = f"; of {tried} order{'s' if tried > 1 else ''} that {'were' if tried > 1 else 'was'} tried"
    if found.preempted:
        pods = f"{found.preempted} pod{'s' if found.preempted > 1 else ''}"
        return f"{pods} evicted for others of higher priority{orders} none needs fewer"
    if not found.most_waiting:
        return ""
    longest = max(found.waited, key=lambda one: (one.at_end, one.most, one.workload), default=None)
    whose = f", most of them of {longest.workload}" if longest is not None and longest.workload else ""
    verb = "waits" if found.most_waiting == 1 else "wait"
    return f"{found.most_waiting} more {verb} for a node at once{whose}{orders} none has fewer"
