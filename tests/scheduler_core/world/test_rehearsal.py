"""A rehearsal says what the timed run with the same edits says: now, later, late and never."""

import pytest

from scheduler_core.events.decisions import ClusterChange
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.rehearsal.changing import rehearsal
from scheduler_core.world.rehearsal.plan import edits_of, planned_nodes, read_plan
from scheduler_core.world.rehearsal.rehearsing import rehearse
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.controllers.test_drains import budget, web

GRACE = {"terminationGracePeriodSeconds": 10}
NODES = ["n1", "n2", "n3"]


def cluster(*more):
    plain = [pod(f"p{name}", on=name, owner="plain", **GRACE) for name in NODES]
    return [*(node(name) for name in NODES), *plain, *more]


def rehearsed(objects, **plan):
    world = WarmWorld(RunInput(objects=objects, driver="timed"))
    return rehearse(world, read_plan({"nodes": NODES, "back": 60, **plan}))


def lines(found):
    return [(one.node, one.verdict, one.cordoned, one.empty, one.back, one.given_up) for one in found.nodes]


def test_now_nothing_is_refused_and_one_node_follows_the_other():
    found = rehearsed(cluster())
    assert lines(found) == [
        ("n1", "now", 0, 10_000, 70_000, None),
        ("n2", "now", 70_000, 80_000, 140_000, None),
        ("n3", "now", 140_000, 150_000, 210_000, None),
    ]
    assert (found.empty, found.left, found.time, found.end) == (3, 4, 150_000, 210_000)
    assert (found.open_before, found.open) == (3, [(0, 2), (210_000, 3)])


def test_later_a_pod_goes_when_the_copy_of_the_one_before_is_ready():
    objects = cluster(web("a", on="n1", **GRACE), web("b", on="n1", **GRACE), budget(1, 2))
    found = rehearsed(objects)
    [block] = found.nodes[0].blocks
    assert (found.nodes[0].verdict, found.nodes[0].empty) == ("later", 35_000)
    assert (block.pod, block.since, block.until, block.tries) == ("default/b", 0, 25_000, 5)
    # Both copies come to one node, where it goes the same way again.
    [of_web] = found.budgets
    assert (of_web.budget, of_web.verdict) == ("default/web", "later")
    assert (of_web.refused, of_web.longest) == (10, 25_000)
    assert of_web.steps[:3] == [(0, 0), (20_010, 1), (25_000, 0)], "free once a copy is ready"


def test_never_even_with_all_pods_healthy_the_budget_allows_none():
    found = rehearsed(cluster(web("a", on="n2", **GRACE), budget(1, 1)), timeout=60)
    assert lines(found)[1:] == [
        ("n2", "never", 70_000, None, None, 130_000),
        ("n3", "now", 130_000, 140_000, 200_000, None),
    ]
    assert found.never == ["default/web"]
    assert found.budgets[0].refused == 12
    assert found.nodes[1].left == 1


def test_late_is_given_up_though_not_for_ever():
    objects = cluster(web("a", on="n1", **GRACE), web("b", on="n1", **GRACE), budget(1, 2))
    assert lines(rehearsed(objects, timeout=20))[0] == ("n1", "late", 0, None, None, 20_000)


def test_pods_of_two_budgets_keep_a_node_for_ever_and_its_turn_goes_on_at_once():
    objects = cluster(web("a", on="n1"), budget(1, 2), budget(1, 2, name="too"))
    assert lines(rehearsed(objects))[0] == ("n1", "never", 0, None, None, 10_000)


def test_pods_that_wait_for_a_node_are_counted():
    objects = [node("n1"), node("n2", cpu="1"), pod("wide", cpu="4", on="n1", owner="rs", **GRACE)]
    world = WarmWorld(RunInput(objects=objects, driver="timed"))
    found = rehearse(world, read_plan({"nodes": ["n1"], "back": 60}))
    [waited] = found.waited
    assert (waited.pods, waited.most, waited.at_end, found.pending, found.pending_before) == (1, 1, 0, 0, 0)
    assert waited.longest >= 70_000
    assert (found.most_waiting, found.longest_wait) == (1, waited.longest)


def test_who_waits_without_the_upgrade_too_is_not_left_down_by_it():
    low, high = pod("low", cpu="4", on="n2", owner="low"), pod("high", cpu="4", owner="high", priority=9)
    narrow = [node("n1", cpu="1"), node("n3", cpu="1"), pod("small", cpu="1", on="n1", owner="rs", **GRACE)]
    found = rehearsed([*narrow, node("n2"), low, high], nodes=["n1"])
    [copy] = [one for one in found.waited if one.at_end]
    assert (copy.workload, found.pending, found.pending_before) == ("ReplicaSet/default/low", 1, 1)
    assert (found.left_down, found.down) == ({}, 0)
    found = rehearsed([*narrow[::2], node("n2"), low, high], nodes=["n1"], back=None)
    assert (found.left_down, found.down) == ({"ReplicaSet/default/rs": 1}, 1)


def test_a_surge_node_comes_first():
    objects = [node("n1"), node("n2", cpu="1"), pod("wide", cpu="4", on="n1", owner="rs", **GRACE)]
    world = WarmWorld(RunInput(objects=objects, driver="timed"))
    found = rehearse(world, read_plan({"nodes": ["n1"], "surge": 1}))
    assert (found.most_waiting, found.empty) == (0, 1)


@pytest.mark.parametrize("plan", [{}, {"together": 2}, {"order": "name", "timeout": 30}])
def test_a_scenario_with_the_same_edits_makes_the_same_run(plan):
    objects = cluster(web("a", on="n1", **GRACE), web("b", on="n1", **GRACE), budget(1, 2))
    found = rehearsed(objects, **plan)
    decisions = list(Simulation(RunInput(objects=objects, driver="timed", edits=found.edits)))
    assert found.decisions == len(decisions)
    changes = [one for one in decisions if isinstance(one, ClusterChange) and one.actor == "scenario"]
    cordoned = {one.object: one.time for one in changes if one.outcome == "asked"}
    back = {one.object: one.time for one in changes if one.outcome == "updated"}
    for one in found.nodes:
        assert cordoned[f"Node {one.node}"] == one.cordoned
        assert back.get(f"Node {one.node}") == one.back


def test_the_order_and_the_nodes_meant():
    zone = "topology.kubernetes.io/zone"
    labels = {"b": {zone: "1", "pool": "x"}, "a": {zone: "2"}, "c": {zone: "1"}}
    objects = [node(name, labels=of_node) for name, of_node in labels.items()]
    state = WarmWorld(RunInput(objects=objects, driver="timed")).simulation.cluster

    def names(**plan):
        return [one.name for one in planned_nodes(read_plan(plan), state)]

    assert names(nodes=["c", "a", "b"]) == ["c", "a", "b"]
    assert names(nodes=["c", "a", "b"], order="zone") == ["b", "c", "a"]
    assert names(nodes=["c", "a", "b"], order="name") == ["a", "b", "c"]
    assert names(selector="pool=x") == names(group="pool=x") == ["b"]
    plan = read_plan({"nodes": ["a"], "surge": 2})
    [clone, drain] = edits_of(plan, planned_nodes(plan, state))
    assert (clone["count"], drain["together"], drain["back"]) == (2, 1, 180.0)


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        ({"nodes": None}, "exactly one"),
        ({"group": "pool=x"}, "exactly one"),
        ({"together": 0}, "1 node at a time"),
        ({"nodes": ["nowhere"]}, "there is no Node nowhere$"),
        ({"nodes": ["n-1"]}, "there is no Node n-1; did you mean n1\\?"),
        ({"nodes": None, "selector": "a=b"}, "no node is of a=b"),
        ({"back": 0}, "back: must be seconds"),
        ({"surge": 101}, "surge"),
    ],
)
def test_what_no_plan_can_be(plan, reason):
    with pytest.raises(BadInput, match=reason):
        rehearsed(cluster(), **plan)


def test_it_needs_a_clock():
    with pytest.raises(BadInput, match="needs the driver timed"):
        rehearse(WarmWorld(RunInput(objects=cluster())), read_plan({"nodes": NODES}))


def whole(objects, **plan):
    world = WarmWorld(RunInput(objects=objects, driver="timed"))
    before = world.simulation.checkpoint()
    found = rehearsal(world, read_plan({"nodes": NODES, "back": 60, **plan}))
    assert world.simulation.checkpoint() == before, "nothing stays"
    return found


def test_a_change_is_told_with_what_its_run_came_to():
    pods = [web(name, on=on, **GRACE) for name, on in (("a", "n1"), ("b", "n2"))]
    for one in pods:
        one["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    template = {"metadata": {"labels": {"app": "web"}}, "spec": pods[0]["spec"] | {"nodeName": None}}
    controller = {
        "apiVersion": "apps/v1",
        "kind": "ReplicaSet",
        "metadata": {"name": "rs", "namespace": "default", "uid": "rs"},
        "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "web"}}, "template": template},
    }
    objects = cluster(*pods, controller, budget(2, 2))
    found = whole(objects, timeout=60)
    assert found.rehearsed.empty == 1
    changes = {one.kind: one for one in found.changes}
    assert (changes["budget"].empty, changes["budget"].of, changes["budget"].helps) == (3, 3, True)
    assert (changes["skip"].empty, changes["skip"].of, changes["skip"].helps) == (1, 1, True)
    assert not changes["surge"].helps
    assert found.changes[0].helps
    assert (changes["replicas"].empty, changes["replicas"].helps) == (3, True)
    assert changes["replicas"].title == "Run 3 of default/rs"
    again = WarmWorld(RunInput(objects=objects, driver="timed"))
    assert rehearse(again, read_plan(changes["budget"].plan)).empty == 3
    assert found.safest is not None
    assert found.safest.reason == "default/web never lets default/a go: no order helps"


def test_where_nothing_is_refused_the_order_is_safe_and_only_speed_is_tried():
    found = whole(cluster())
    assert [one.kind for one in found.changes] == ["together"] * (len(NODES) >= 2)
    assert found.safest is not None
    assert (found.safest.nodes, found.safest.refused, found.safest.reason) == (NODES, 0, "")


def test_where_two_pods_leave_one_node_no_order_helps():
    objects = cluster(web("a", on="n2", **GRACE), web("b", on="n2", **GRACE), budget(1, 2))
    found = whole(objects)
    assert found.safest is not None
    assert found.safest.refused > 0
    assert "had to ask again" in found.safest.reason


def test_it_tells_decisions_while_the_plan_itself_is_played_then_runs():
    told = []
    world = WarmWorld(RunInput(objects=cluster(web("a", on="n1"), budget(1, 1)), driver="timed"))
    found = rehearsal(world, read_plan({"nodes": NODES}), tell=lambda done, of: told.append((done, of)))
    decisions = world.baseline().decisions + found.rehearsed.decisions
    assert told[:decisions] == [(number, 0) for number in range(1, decisions + 1)]
    runs = told[decisions:]
    assert [done for done, _ in runs] == list(range(1, len(runs) + 1))
    assert {of for _, of in runs} == {len(runs) + 1}


def test_what_is_late_is_not_begun_and_told():
    world = WarmWorld(RunInput(objects=cluster(web("a", on="n1"), budget(1, 1)), driver="timed"))
    found = rehearsal(world, read_plan({"nodes": NODES}), is_late=lambda: True)
    assert (found.changes, found.untried > 3) == ([], True)


def test_nodes_that_are_given_back_stay_away_and_the_next_turn_comes_once_one_is_empty():
    found = rehearsed(cluster(), back=None, nodes=["n1", "n2"])
    assert lines(found) == [("n1", "now", 0, 10_000, None, None), ("n2", "now", 10_000, 20_000, None, None)]
    assert (found.end, found.open[-1]) == (20_000, (10_000, 1))


def test_the_safest_order_lets_the_fewest_wait_or_says_who_has_to():
    wide = [pod(f"w{name}", cpu="3", on=name, owner="wide", **GRACE) for name in NODES]
    found = whole([*(node(name) for name in NODES), *wide], back=60)
    assert found.safest.most_waiting == 1
    assert found.safest.reason.startswith(
        "1 more waits for a node at once, most of them of ReplicaSet/default/wide"
    )
