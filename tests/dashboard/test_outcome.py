"""The figures of a run's outcome, from hand-made decisions whose sums can be checked by eye."""

from typing import Any

from dashboard.services.results.outcome import Ending, never_tried, outcome
from dashboard.shapes.outcome import lacks_pods
from scheduler_core.events.changes import Set
from scheduler_core.events.decisions import ClusterChange, Eviction, PodRef
from scheduler_core.events.reconciles import Reconciled
from scheduler_core.events.sessions import Placement
from scheduler_core.events.state import GROUPS, NODE_PODS, PODS, NodeRow, PodRow, RunState
from tests.fakes import ACTOR, FakeSimulation, appears, failure, nomination, placement, state_of, vanishes


def row(number: str, *, node: str = "", workload: str = "Deployment/shop/cart", **changed: Any) -> PodRow:
    """A pod of 500 milli-CPU."""
    fields = {
        "uid": f"uid-{number}", "namespace": "shop", "name": f"cart-{number}", "priority": 0, "labels": {},
        "workload": workload, "requests": {"cpu": 500}, "scheduler": "default-scheduler", "node": node,
    }  # fmt: skip
    return PodRow(**{**fields, **changed})


def base(*pods: PodRow) -> RunState:
    """Two nodes of 1000 milli-CPU and these pods."""
    nodes = [
        NodeRow(name=name, labels={}, allocatable={"cpu": 1000}, pod_limit=10, unschedulable=False, taints=[])
        for name in ("node-0", "node-1")
    ]
    return state_of(nodes, list(pods))


def ref(name: str, priority: int = 0) -> PodRef:
    return PodRef(f"uid-{name}", "shop", f"cart-{name}", priority)


def placed(seq: int, name: str, node: str) -> Any:
    return placement(seq, ref(name), node, 2, 0)


def failed(seq: int, name: str) -> Any:
    return failure(seq, ref(name), 2)


def preempted(seq: int, name: str, victim: str, node: str, copy: PodRow | None = None) -> Any:
    decision = nomination(seq, ref(name, 5), node, 2, row(victim, node=node))
    if copy is not None:
        decision.changes.extend(appears(copy))
    return decision


def eviction(seq: int, name: str, outcome: Any, message: str | None = None, changes: Any = ()) -> Eviction:
    return Eviction(
        seq=seq, time=None, actor=ACTOR, cause=None, changes=list(changes), pod=ref(name), outcome=outcome,
        node="node-0", message=message,
    )  # fmt: skip


def test_placements_count_by_workload_and_namespace_and_fill_the_nodes() -> None:
    state = base(row("1", node="node-0"), row("2"), row("3", workload="Job/batch/sum", namespace="batch"))
    figures = outcome(state, [placed(1, "2", "node-1"), placed(2, "3", "node-1")])
    assert (figures["placed"], figures["evicted"], figures["pending"]) == (2, 0, 0)
    assert figures["by_namespace"] == [
        {"namespace": "batch", "placed": 1, "evicted": 0, "pending": 0},
        {"namespace": "shop", "placed": 1, "evicted": 0, "pending": 0},
    ]
    cpu, pods = figures["utilisation"]
    assert cpu == {
        "resource": "cpu", "unit": "milli-CPU", "allocatable": 2000, "allocatable_after": 2000,
        "before": 500, "after": 1500,
    }  # fmt: skip
    assert (pods["resource"], pods["allocatable"], pods["before"], pods["after"]) == ("pods", 20, 1, 3)
    assert figures["below_replicas"] == []


def test_equal_failures_fold_and_only_those_that_still_wait_count() -> None:
    state = base(row("1"), row("2"), row("3"))
    figures = outcome(
        state,
        [failed(1, "1"), failed(2, "2"), failed(3, "3"), placed(4, "3", "node-0")],
        Ending("limit", None),
    )
    assert figures["limit_reached"]
    assert figures["pending"] == 2
    assert figures["first_unschedulable"]["seq"] == 1
    [folded] = figures["failures"]
    assert (folded["count"], folded["seq"]) == (2, 1)
    assert [pod["pod"] for pod in folded["pods"]] == ["shop/cart-1", "shop/cart-2"]
    assert figures["below_replicas"] == [{"workload": "Deployment/shop/cart", "running": 1, "replicas": 3}]


def test_a_copy_that_evicts_in_its_turn_makes_a_cascade() -> None:
    state = base(row("a"), row("v", node="node-0"), row("w", node="node-1"))
    decisions = [
        preempted(2, "a", "v", "node-0", row("v-r1", replaces="uid-v")),
        preempted(3, "v-r1", "w", "node-1"),
    ]
    figures = outcome(state, decisions)
    assert figures["evicted"] == 2
    assert figures["cascades"] == {"count": 1, "longest": [[2, 3]]}
    assert figures["first_eviction"] == {
        "seq": 2, "pod": "shop/cart-v", "node": "node-0", "by": "shop/cart-a", "victims": 1,
    }  # fmt: skip
    assert [violation["seq"] for violation in figures["budgets_violated"]] == [2]


def test_a_cascade_of_three_evictions_is_one() -> None:
    state = base(row("a"), row("v", node="node-0"), row("w", node="node-1"), row("x", node="node-0"))
    decisions = [
        preempted(2, "a", "v", "node-0", row("v-r1", replaces="uid-v")),
        preempted(3, "v-r1", "w", "node-1", row("w-r1", replaces="uid-w")),
        preempted(5, "w-r1", "x", "node-0"),
    ]
    assert outcome(state, decisions)["cascades"] == {"count": 1, "longest": [[2, 3, 5]]}


def test_a_cascade_goes_on_with_a_copy_that_came_later_and_by_no_other() -> None:
    """Copies that keep their name come when the pod is gone, at the decision of somebody else."""
    state = base(
        row("a"), row("b"), row("v", node="node-0"), row("w", node="node-1"), row("x", node="node-1")
    )
    later = preempted(3, "b", "w", "node-1")
    later.changes.extend(appears(row("v-2", name="cart-v", replaces="uid-v")))
    figures = outcome(state, [preempted(2, "a", "v", "node-0"), later, preempted(4, "v-2", "x", "node-1")])
    assert figures["cascades"] == {"count": 1, "longest": [[2, 4]]}


def test_a_victim_that_is_terminating_already_violates_no_budget_again() -> None:
    state = base(row("a"), row("b"), row("v", node="node-0"))
    first, second = preempted(2, "a", "v", "node-0"), preempted(4, "b", "v", "node-0")
    asked_to_go = {"evicted": False, "terminating": False}, {"evicted": True, "terminating": True}
    first.changes[:3] = [Set(PODS, "uid-v", *asked_to_go)]
    del second.changes[:3]
    figures = outcome(state, [first, second])
    assert figures["evicted"] == 1
    assert [(row["seq"], row["pod"]) for row in figures["budgets_violated"]] == [(2, "shop/cart-v")]


def test_pods_that_were_never_tried_are_told_from_those_that_failed() -> None:
    figures = outcome(base(row("1"), row("2"), row("3")), [failed(1, "2")])
    assert (figures["pending"], never_tried(figures)) == (3, 2)
    assert [row["count"] for row in figures["failures"]] == [1]


def test_evictions_of_a_drain_count_and_refusals_are_listed() -> None:
    state = base(row("1", node="node-0"), row("2", node="node-0"))
    decisions = [
        eviction(1, "1", "evicted", changes=vanishes(row("1", node="node-0"))),
        eviction(2, "2", "refused", "the budget cart allows none"),
    ]
    figures = outcome(state, decisions)
    assert figures["counts"] == {"evicted": 1, "refused": 1}
    assert figures["first_eviction"]["by"] is None
    assert figures["evictions_refused"][0]["message"] == "the budget cart allows none"


def test_the_figures_of_a_long_run_add_up() -> None:
    class Script:
        config = {"pods": 500, "nodes": 7}

    simulation = FakeSimulation(Script)
    figures = outcome(simulation.base, list(simulation))
    end = simulation.state()
    assert figures["placed"] - figures["evicted"] == sum(map(len, end.lists[NODE_PODS].values()))
    assert sum(row["count"] for row in figures["failures"]) == figures["pending"]
    assert figures["utilisation"][0]["after"] == sum(pod.requests["cpu"] for pod in end.pods() if pod.node)


def refusing_drain() -> dict[str, Any]:
    """The result of a drain of which the budget `search` refuses one eviction of eight."""
    refused = {
        "uid": "uid-2", "pod": "shop/cart-2", "node": "node-0", "budgets": ["shop/search"], "message": "no",
    }  # fmt: skip
    problem = "1 of 8 evictions refused by PodDisruptionBudget shop/search: shop/cart-2 stays on node-0"
    return {
        "index": 0, "op": "drain", "sentence": "drain node-0: asks for 8 evictions", "problems": [problem],
        "evictions": 8, "refused": [refused],
    }  # fmt: skip


def test_a_drain_that_a_budget_stopped_leads_with_its_budget_and_decision() -> None:
    result = refusing_drain()
    decision = eviction(3, "2", "refused", "no")
    figures = outcome(base(row("2", node="node-0")), [decision], None, [result])
    [incomplete] = figures["incomplete"]
    assert incomplete["title"] == "Drain of node-0 incomplete"
    assert incomplete["problems"] == result["problems"]
    assert [(one["seq"], one["budgets"]) for one in incomplete["refused"]] == [(3, ["shop/search"])]


def test_refusals_that_a_run_has_not_come_to_are_not_told() -> None:
    assert outcome(base(row("2", node="node-0")), [], None, [refusing_drain()])["incomplete"] == []


def test_what_a_quota_refused_leads_too() -> None:
    edit = {"index": 1, "op": "scale", "sentence": "scale cart to 9", "problems": ["quota refused 3 pods"]}
    [incomplete] = outcome(base(), [], None, [edit])["incomplete"]
    assert (incomplete["title"], incomplete["refused"]) == ("Incomplete: scale cart to 9", [])


def gang(phase: str) -> RunState:
    """A pod group that needs one pod, and two pods of it on nodes."""
    members = [row(number, node=f"node-{number}", workload="", group="shop/sum") for number in ("0", "1")]
    fields = {
        "namespace": "shop", "name": "sum", "queue": "default", "priority": 0, "min_member": 1,
        "min_resources": {}, "phase": phase, "message": "",
    }  # fmt: skip
    state = base(*members)
    return RunState(state.at, state.time, {**state.tables, GROUPS: {"shop/sum": fields}}, state.lists)


def evicted_and_finished() -> list[Any]:
    """The gang's first pod is evicted and gone, its second runs to its end."""
    first, second = (row(number, node=f"node-{number}", workload="", group="shop/sum") for number in "01")
    end = ClusterChange(
        seq=2, time=None, actor=ACTOR, cause=None, changes=vanishes(second)[1:], pod=ref("1"), outcome="gone",
        object="Pod shop/cart-1", edit=None, wakes=[], heard=[],
    )  # fmt: skip
    return [eviction(1, "0", "evicted", changes=vanishes(first)), end]


def test_a_gang_that_has_completed_misses_nobody_and_lacks_nothing() -> None:
    done = outcome(gang("Completed"), evicted_and_finished())
    assert done["below_replicas"] == []
    [found] = done["by_group"]
    assert (found["pods"], found["completed"], lacks_pods(found)) == (0, 1, False)
    going_on = outcome(gang("Running"), evicted_and_finished())
    assert going_on["below_replicas"] == [{"workload": "PodGroup/shop/sum", "running": 0, "replicas": 1}]
    [found] = going_on["by_group"]
    assert not lacks_pods(found), "who has completed counts for the minimum"
    assert lacks_pods({**found, "min_member": 2})


def test_a_pod_that_a_session_refused_has_been_tried_before_the_session_ends() -> None:
    refused = Placement(
        seq=1, time=None, actor=ACTOR, cause=None, changes=[], session=1, action="allocate", pod=ref("1"),
        job="shop/sum", queue="default", role="main", outcome="refused", node="", why="", message="0/2 nodes",
        nodes=2, feasible=0, reasons=[], best=[], best_count=0, total=None, victims=[], tiers=[],
    )  # fmt: skip
    waiting = base(row("1"), row("2"))
    assert never_tried(outcome(waiting, [])) == 2
    figures = outcome(waiting, [refused])
    assert never_tried(figures) == 1
    assert [(row["message"], row["count"]) for row in figures["failures"]] == [("0/2 nodes", 1)]


def job_controller(seq: int, action: str, *pods: PodRow) -> Reconciled:
    changes = [change for pod in pods for change in vanishes(pod)[1:]]
    return Reconciled(
        seq=seq, time=None, actor=ACTOR, cause=None, changes=changes,
        controller="job", object="Job shop/sum", outcome="done", event="PodEvicted", action=action,
        phase_before="Running", phase="Restarting", created=[], updated=[], told=[],
        deleted=[f"Pod {pod.namespace}/{pod.name}" for pod in pods],
    )  # fmt: skip


def test_pods_that_go_with_an_evicted_one_since_their_job_restarts_are_counted_and_missed() -> None:
    first, second = (row(number, node=f"node-{number}", workload="", group="shop/sum") for number in "01")
    gone = eviction(1, "0", "evicted", changes=vanishes(first))
    figures = outcome(gang("Pending"), [gone, job_controller(2, "RestartJob", second)])
    assert (figures["evicted"], figures["deleted"], figures["pending"]) == (1, 1, 0)
    assert figures["below_replicas"] == [{"workload": "PodGroup/shop/sum", "running": 0, "replicas": 2}]
    fewer = outcome(gang("Running"), [job_controller(1, "SyncJob", second)])
    assert fewer["deleted"] == 1
    assert fewer["below_replicas"] == [], "a job of fewer replicas asks for fewer pods"
    assert outcome(gang("Running"), evicted_and_finished())["deleted"] == 0


def test_who_comes_under_the_name_of_an_evicted_pod_comes_for_it() -> None:
    gone = eviction(1, "1", "evicted", changes=vanishes(row("1", node="node-0")))
    again = row("1", uid="uid-new")
    figures = outcome(
        base(row("1", node="node-0")), [gone, eviction(2, "2", "skipped", changes=appears(again))]
    )
    assert figures["below_replicas"] == [{"workload": "Deployment/shop/cart", "running": 0, "replicas": 1}]
