"""Why pods wait: exact causes on small clusters, and that asking changes nothing."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.explanation import Figure
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import budget, clusters, node, pod
from tests.scheduler_core.world.test_hami import asking, machine, run_of
from tests.scheduler_core.world.test_invariants import SCHEDULERS

GPU = [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]
SPOT = [{"key": "spot", "effect": "NoExecute"}]


def why(objects, name="p", **settled):
    """Return the answer about a pod that waits in a cluster as it stands."""
    return Simulation(RunInput(objects=objects, **settled)).why(f"pod-{name}")


def binding(cause):
    """Return what binds, with what each number means spelt out."""
    first = cause.held[0]
    return {"by": first.plugin, "holds": first.nodes, "alone": first.alone, "first": first.first}


# -- what binds ---------------------------------------------------------------------------------------


def test_the_cause_whose_removal_alone_lets_most_nodes_fit_binds():
    objects = [
        node("a", cpu="4"),
        node("b", cpu="3"),
        *(node(f"gpu-{number}", cpu="16", taints=GPU) for number in range(3)),
        node("shut", cpu="2", unschedulable=True),
        pod("p", cpu="5"),
    ]
    cause = why(objects).cause
    assert (cause.kind, cause.nodes, cause.fits) == ("nodes", 6, 0)
    assert binding(cause) == {"by": "TaintToleration", "holds": 3, "alone": 3, "first": 3}
    assert cause.held[0].particulars == {"dedicated=gpu:NoSchedule": 3}
    assert [(one.plugin, one.reason, one.nodes, one.alone) for one in cause.held[1:]] == [
        ("NodeResourcesFit", "Insufficient cpu", 3, 2),
        ("NodeUnschedulable", "", 1, 0),
    ]


def test_a_node_that_two_things_hold_counts_for_neither():
    cause = why([node("a", cpu="1", taints=GPU), node("b", cpu="1"), pod("p", cpu="2")]).cause
    assert binding(cause) == {"by": "NodeResourcesFit", "holds": 2, "alone": 1, "first": 1}
    assert [one.node for one in cause.nearest] == ["b", "a"]
    assert cause.nearest[1].held == [0, 1]


@pytest.mark.parametrize("profile", ["kube-1.37", "kube-1.33", "kube-1.13", "kube-1.8"])
def test_a_cordon_and_its_taint_are_one_cause(profile):
    """Uncordoning lifts both; other taints there stay a cause, and so does a cordon's on an open node."""
    shut = {"unschedulable": True}
    cordoned = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
    objects = [
        node("a", taints=cordoned, **shut),
        node("b", taints=cordoned, **shut),
        node("c", taints=[*cordoned, *GPU], **shut),
        node("d", taints=cordoned),
        node("full", cpu="1"),
        pod("p", cpu="2"),
    ]
    cause = why(objects, profile=profile).cause
    assert [(one.nodes, one.alone) for one in cause.held] == [(3, 2), (2, 1), (1, 1)]
    assert sum(cause.held[1].reasons.values()) == 2
    assert [one.node for one in cause.nearest] == ["a", "b", "d", "full", "c"]
    if profile not in ("kube-1.13", "kube-1.8"):  # predicates name no taints
        assert cause.held[1].particulars == {"node.kubernetes.io/unschedulable:NoSchedule": 1}
        assert cause.nearest[-1].particulars == ["dedicated=gpu:NoSchedule"]


def test_where_no_single_removal_helps_the_cause_that_holds_most_nodes_binds():
    objects = [node("a", cpu="1", taints=GPU), node("b", cpu="1", unschedulable=True), pod("p", cpu="2")]
    assert binding(why(objects).cause) == {"by": "NodeResourcesFit", "holds": 2, "alone": 0, "first": 0}


def test_among_resources_that_are_short_on_as_many_nodes_the_one_of_which_most_is_missing_binds():
    asks = [{"name": "main", "resources": {"requests": {"cpu": "8", "memory": "8Gi"}}}]
    held = why([node("a", cpu="4", memory="1Gi"), pod("p", containers=asks)]).cause.held
    assert [one.figure.what for one in held] == ["memory", "cpu"]


def test_cpu_and_memory_of_one_filter_are_two_causes():
    small = {"cpu": "1", "memory": "1Gi"}
    asks = [{"name": "main", "resources": {"requests": {"cpu": "2", "memory": "2Gi"}}}]
    objects = [node("a", **small), node("b", cpu="8", memory="1Gi"), pod("p", containers=asks)]
    cause = why(objects).cause
    assert [(one.reason, one.nodes, one.alone) for one in cause.held] == [
        ("Insufficient memory", 2, 1),
        ("Insufficient cpu", 1, 0),
    ]
    assert [one.node for one in cause.nearest] == ["b", "a"]


# -- figures -------------------------------------------------------------------------------------------


def test_the_nearest_node_and_what_is_short_there_are_told_in_numbers():
    objects = [
        node("a"),
        node("b"),
        pod("x", on="a", cpu="2"),
        pod("y", on="b", cpu="3"),
        pod("p", cpu="2500m"),
    ]
    first = why(objects).cause.held[0]
    assert first.node == "a"
    assert first.figure == Figure("cpu", 2500, 2000, "m", 4000)
    assert first.largest == 4000


def test_what_no_open_node_could_hold_is_told_by_the_largest_open_node():
    objects = [node("a"), node("big", cpu="64", taints=GPU), pod("p", cpu="32")]
    held = why(objects).cause.held
    room = next(one for one in held if one.plugin == "NodeResourcesFit")
    assert (room.figure.asked, room.largest) == (32_000, 4000)
    assert held[0].plugin == "TaintToleration"


def test_no_node_is_open_where_all_are_closed():
    objects = [node("a", taints=GPU), node("b", cpu="1", taints=GPU), pod("p", cpu="2")]
    room = next(one for one in why(objects).cause.held if one.plugin == "NodeResourcesFit")
    assert room.largest is None


def test_a_missing_label_is_named_with_its_nodes():
    objects = [node("a", labels={"disk": "hdd"}), node("b"), pod("p", nodeSelector={"disk": "ssd"})]
    first = why(objects).cause.held[0]
    assert (first.plugin, first.particulars) == ("NodeAffinity", {"disk=ssd": 2})


def test_taints_are_named_as_kubectl_writes_them():
    objects = [node("a", taints=SPOT), node("b", taints=GPU), node("c", taints=GPU), pod("p")]
    assert why(objects).cause.held[0].particulars == {"dedicated=gpu:NoSchedule": 2, "spot:NoExecute": 1}


def test_the_chain_says_what_each_plugin_leaves():
    objects = [
        node("a", cpu="1"),
        node("gpu", cpu="1", taints=GPU),
        node("shut", unschedulable=True, taints=GPU),
        pod("p", cpu="2"),
    ]
    chain = why(objects).cause.chain
    assert [(one.plugin, one.rejected, one.left, one.some) for one in chain] == [
        ("NodeUnschedulable", 1, 2, ["shut"]),
        ("TaintToleration", 1, 1, ["gpu"]),
        ("NodeResourcesFit", 1, 0, ["a"]),
    ]


def test_marks_are_by_node_in_the_order_of_the_cluster():
    objects = [node("b", cpu="1"), node("a"), node("gpu", cpu="1", taints=GPU), pod("p", cpu="2")]
    marks = why(objects).marks
    assert marks.names == ["b", "a", "gpu"]
    assert marks.number.tolist() == [1, 0, 2]
    assert marks.short.tolist() == [500, 0, 500]
    assert marks.first.tolist()[1] == -1
    assert [(one.place, one.mask.tolist()) for one in marks.against] == [
        (1, [False, False, True]),
        (0, [True, False, True]),
    ]
    assert [one.wanted.at(0).free for one in marks.against if one.wanted] == [1000]


def test_a_preemption_that_helps_nobody_is_told():
    objects = [node("a", cpu="4"), pod("x", on="a", cpu="4", priority=5), pod("p", cpu="1", priority=5)]
    evicting = why(objects).cause.evicting
    assert (evicting.eligible, evicting.looked_at, evicting.candidates) == (True, 1, 0)


# -- other causes --------------------------------------------------------------------------------------


def test_a_pod_that_would_be_placed_now_fits():
    cause = why([node("a"), node("b", cpu="1"), pod("p", cpu="2")]).cause
    assert (cause.kind, cause.fits, cause.chosen) == ("fits", 1, "a")


def test_a_pod_that_would_evict_others_says_whom_it_costs():
    objects = [node("a", cpu="2"), pod("x", on="a", cpu="2"), pod("p", cpu="2", priority=10)]
    cause = why(objects).cause
    assert (cause.kind, cause.evicting.node, cause.evicting.victims) == ("preempts", "a", 1)


def test_gates_are_named():
    cause = why([node("a"), pod("p", schedulingGates=[{"name": "later"}, {"name": "quota"}])]).cause
    assert (cause.kind, cause.plugin) == ("gated", "SchedulingGates")
    assert cause.reason == "waiting for scheduling gates: [later quota]"


def test_nobody_serves_its_scheduler_name():
    cause = why([node("a"), pod("p", schedulerName="other")]).cause
    assert (cause.kind, cause.scheduler, cause.reason) == (
        "unserved",
        "",
        "no scheduler of this run serves the schedulerName other",
    )


def test_a_missing_claim_is_one_cause_whoever_looks_it_up():
    volume = {"name": "data", "persistentVolumeClaim": {"claimName": "gone"}}
    cause = why([node("a"), node("b", taints=GPU), pod("p", volumes=[volume])]).cause
    assert cause.kind == "pre_filter"
    assert cause.reason == 'persistentvolumeclaim "gone" not found'
    assert binding(cause) == {"by": "VolumeRestrictions", "holds": 2, "alone": 1, "first": 2}


def test_a_cluster_without_nodes_holds_nothing():
    cause = why([pod("p")]).cause
    assert (cause.kind, cause.nodes, cause.held) == ("nodes", 0, [])


def test_an_extender_outside_is_not_asked_and_told():
    extender = {"urlPrefix": "http://elsewhere.example/x", "filterVerb": "filter"}
    cause = why([node("a", cpu="1"), pod("p", cpu="2")], config={"extenders": [extender]}).cause
    assert (cause.kind, cause.unasked) == ("nodes", ["http://elsewhere.example/x"])


@pytest.mark.parametrize("profile", ["kube-1.8", "kube-1.13", "kube-1.28", "kube-1.37"])
def test_all_releases_name_what_binds(profile):
    objects = [node("a", cpu="1"), node("b", cpu="1"), node("gpu", cpu="8", taints=GPU), pod("p", cpu="2")]
    cause = why(objects, profile=profile).cause
    assert (cause.held[0].reason, cause.held[0].alone) == ("Insufficient cpu", 2)
    assert cause.held[0].figure == Figure("cpu", 2000, 1000, "m", 1000)
    assert cause.held[1].particulars == {"dedicated=gpu:NoSchedule": 1}


# -- HAMi ----------------------------------------------------------------------------------------------


def test_cards_are_counted_by_hamis_reasons():
    held = {"hami.io/vgpu-node": "a", "hami.io/vgpu-devices-allocated": "a-gpu-0,NVIDIA,15000,20:;"}
    holder = asking("holder", annotations=held, nodeName="a")
    simulation = Simulation(
        run_of(machine("a"), machine("b", 1), holder, asking("p", memory=10_000, number=2))
    )
    waiting = next(one.uid for one in simulation.base.pods() if one.name == "p")
    cause = simulation.why(waiting).cause
    assert cause.kind == "nodes"
    assert (cause.held[0].nodes, cause.held[0].alone, cause.held[0].looked_at) == (2, 2, 2)
    assert "CardInsufficientMemory" in cause.held[0].cards
    assert cause.scheduler == "hami-scheduler"


# -- what holds of every cluster -----------------------------------------------------------------------


@settings(max_examples=tries(60))
@given(clusters(), st.sampled_from([*SCHEDULERS, ("kube-1.36", "timed")]), st.integers(0, 12))
def test_asking_changes_nothing_and_agrees_with_the_attempt(objects, scheduler, after):
    profile, driver = scheduler
    simulation = Simulation(
        RunInput(objects=[*objects, budget("guard", "a", 0)], profile=profile, driver=driver)
    )
    for _ in range(after):
        simulation.step()
    before = simulation.checkpoint()
    waiting = [one.uid for one in simulation.state().pods() if not one.node]
    found = dict(simulation.whys(waiting))
    assert simulation.checkpoint() == before
    assert {uid: one.cause for uid, one in simulation.whys(waiting)} == {
        uid: one.cause for uid, one in found.items()
    }
    for answered in found.values():
        cause = answered.cause
        assert (cause.fits > 0) == (cause.kind == "fits")
        assert sum(one.first for one in cause.held) + cause.fits == cause.nodes
        assert all(one.alone <= one.nodes for one in cause.held)
        assert (answered.marks.number == 0).sum() == cause.fits
        assert (sum(one.mask for one in answered.marks.against) == answered.marks.number).all()
