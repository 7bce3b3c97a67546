"""What must hold of every run in which the cluster's controllers act, nodes are lost and drains ask again."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import Attempt
from scheduler_core.state.nodes import NodeTable
from scheduler_core.state.pod_index import PodIndex, controller_uid
from scheduler_core.world import RunInput
from tests.portions import tries
from tests.scheduler_core.clusters import clusters, node, pod
from tests.scheduler_core.first_decisions import FirstDecisions
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.world.test_timed_controllers import controller

examples = settings(max_examples=tries(30))
TAINTS = [
    [],
    [{"key": "gone", "effect": "NoExecute"}],
    [{"key": "gone", "effect": "NoExecute"}, {"key": "dark", "value": "x", "effect": "NoExecute"}],
    [{"key": "node.kubernetes.io/unreachable", "effect": "NoExecute"}],
    [{"key": "node.kubernetes.io/out-of-service", "effect": "NoExecute"}],
]
TOLERATIONS = [
    None,
    [{"operator": "Exists", "tolerationSeconds": 3}],
    [{"key": "gone", "operator": "Exists", "tolerationSeconds": 12}, {"key": "dark", "operator": "Exists"}],
]


@st.composite
def controlled(draw):
    """Return a cluster with budgets that are counted and pods that tolerate, and edits that try both."""
    objects = [node("node-0"), node("doomed"), *draw(clusters())]
    objects += [
        *controller("ReplicaSet", "r", [pod("r-1", on="doomed", cpu="100m")]),
        *controller("StatefulSet", "s", [pod("s-0", on="doomed", cpu="100m")]),
    ]
    for item in objects:
        if item["kind"] == "Pod":
            item["spec"]["terminationGracePeriodSeconds"] = draw(st.sampled_from([0, 2, 30]))
            if (tolerations := draw(st.sampled_from(TOLERATIONS))) is not None:
                item["spec"]["tolerations"] = tolerations
        elif item["kind"] == "PodDisruptionBudget":
            item["spec"]["minAvailable"] = draw(st.integers(0, 2))
            item["status"] |= {"desiredHealthy": item["spec"]["minAvailable"], "expectedPods": 3}
    names = sorted(item["metadata"]["name"] for item in objects if item["kind"] == "Node")
    names.remove("doomed")
    edits = []
    for _ in range(draw(st.integers(1, 5))):
        name, at = draw(st.sampled_from(names)), draw(st.sampled_from([None, 0, 1.5, 10, 31]))
        taints = {"spec": {"taints": draw(st.sampled_from(TAINTS))}}
        edit = draw(
            st.sampled_from(
                [
                    {"op": "drain", "node": name},
                    {"op": "drain", "node": name, "timeout": 12},
                    {"op": "uncordon", "node": name},
                    {"op": "patch", "kind": "Node", "name": name, "patch": taints},
                    {"op": "stop-kubelet", "node": name, "gracePeriod": 4},
                    {"op": "start-kubelet", "node": name},
                ]
            )
        )
        edits.append(edit | ({} if at is None else {"at": at}))
    lost = [
        {"op": "evict", "pod": "default/s-0", "at": 0.5},
        {"op": "delete", "kind": "Node", "name": "doomed", "at": 1},
        {"op": "add", "manifest": node("doomed"), "at": draw(st.sampled_from([3, 39, 70]))},
        {"op": "stop-kubelet", "node": "doomed", "at": 71},
    ]
    edits += lost[: draw(st.integers(0, len(lost)))]
    ready = draw(st.sampled_from([0.001, 4, 20]))
    return RunInput(objects, driver="timed", edits=edits, until=130, ready_seconds=ready)


def assert_follows(world):
    """What is kept beside nodes and pods is what would be made of them anew."""
    state = world.state
    nodes, anew = state.nodes, NodeTable(state.nodes.objects, state.nodes.resources)
    anew.fill(nodes.objects, nodes.turns)
    for name in ("allocatable", "pod_limit", "unschedulable", "taint_set", "in_turn", "by_name"):
        assert getattr(nodes, name).tolist() == getattr(anew, name).tolist(), name
    assert nodes.taint_sets == anew.taint_sets
    assert str(nodes.images) == str(anew.images)
    for key in ("kubernetes.io/hostname", "zone"):
        one, other = nodes.topology(key), anew.topology(key)
        assert (one.domain.tolist(), one.values) == (other.domain.tolist(), other.values)
    owned = next(one.owned for one in world.world.controllers if hasattr(one, "owned"))
    index = PodIndex()
    for info in state.pods.infos:
        index.add(info.row, info.key, info.pod)
    assert state.pods.index.named([]) == index.named([])
    for uid in {controller_uid(info.pod) for info in state.pods.infos} - {""}:
        rows = owned.by_owner.of(uid)
        assert rows == index.controlled(uid)
        assert owned.active(uid) == [row for row in rows if owned.is_active(row)]
        assert owned.by_owner.inactive(uid) == {row for row in rows if not owned.is_active(row)}


def picture(simulation):
    state = simulation._world.state
    assert_follows(simulation._world)
    return (
        simulation.checkpoint(),
        msgspec.json.encode(simulation.state()),
        state.requested.tobytes(),
        state.pod_node.tobytes(),
        [(one.name, one.allowed, one.current_healthy) for one in state.budgets],
    )


@examples
@given(controlled())
def test_the_folded_log_is_the_state_forwards_and_backwards(run_input):
    assert_folds_both_ways(FirstDecisions(run_input))


@examples
@given(controlled(), st.integers(0, 60))
def test_a_resumed_run_is_the_uninterrupted_one(run_input, after):
    first = FirstDecisions(run_input)
    for _ in range(after):
        if first.step() is None:
            break
    second = FirstDecisions(run_input, first.checkpoint())
    assert picture(second) == picture(first)
    assert list(second) == list(first)
    assert picture(second) == picture(first)


@examples
@given(controlled())
def test_going_back_before_a_decision_is_exact_and_so_is_going_on(run_input):
    simulation = FirstDecisions(run_input)
    while True:
        before = picture(simulation)
        decision = simulation.step()
        if decision is None:
            break
        after = picture(simulation)
        with simulation._world.before():
            if type(decision).__name__ != "Flush":
                assert picture(simulation) == before
        assert picture(simulation) == after


@examples
@given(controlled())
def test_a_budget_allows_what_its_healthy_pods_leave_it(run_input):
    """Counted by hand as an attempt sees it: bound, not on its way out, ready."""
    simulation = FirstDecisions(run_input)
    world = simulation._world
    for decision in simulation:
        cluster = world.world.cluster
        for budget in world.state.budgets if isinstance(decision, Attempt) else ():
            if budget.allowed > 0:
                healthy = sum(
                    info.row not in world.state.gone.values
                    and bool(info.pod.spec.node_name)
                    and info.pod.metadata.deletion_timestamp is None
                    and info.labels.get("app") == budget.name.removeprefix("d")
                    and cluster.is_ready(info.row)
                    for info in world.state.pods.infos
                )
                assert budget.allowed <= max(0, healthy - budget.desired_healthy) or _untouched(budget)


def _untouched(budget):
    """The snapshot's figures stand until a pod of the budget changes."""
    return budget.current_healthy == 0
