"""Nodes that could be given back: what keeps one is named, nothing else moves, and all is undone."""

from itertools import count
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import Attempt, Eviction
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.consolidation import consolidating
from scheduler_core.world.consolidation.candidates import in_order
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.consolidation.nowhere_else import NowhereElse
from scheduler_core.world.consolidation.prices import Price, price_of, read_prices
from scheduler_core.world.reporting.room import Shortage, may_have_room, shortage
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import clusters, node, pod
from tests.scheduler_core.world.controllers.test_drains import budget


def owned(name, on, cpu="1", **spec):
    return pod(name, cpu, on, owner="rs", **spec)


def consolidated(objects, *args, **settings):
    return consolidation(WarmWorld(RunInput(objects=objects)), *args, **settings)


def freed(found):
    return [one.node for one in found.freed]


def test_nodes_are_given_back_as_long_as_their_pods_find_others():
    objects = [*(node(name, cpu="2") for name in "abc"), owned("1", "a"), owned("2", "b"), owned("3", "c")]
    found = consolidated(objects)
    assert freed(found) == ["a"], "then both others are full"
    assert (found.moved, found.pending, found.ended_by) == (1, 0, "all")
    assert found.amounts == {"cpu": 2000, "memory": 8 * 2**30}
    [b, c] = found.kept
    assert (b.node, b.obstacle, c.node) == ("b", "no_room", "c")
    assert (b.short, b.beside) == (Shortage("cpu", 2000, 1000), 1), "with the pod of a"
    assert found.trials == 2, "for a, and for the two others at once: for neither alone"


def test_it_tells_decisions_while_pods_that_wait_have_their_turn_then_nodes():
    told = []
    objects = [node("a", cpu="2"), node("b", cpu="2"), pod("waits", "1"), pod("too", "1")]
    consolidated(objects, told=lambda done, of: told.append((done, of)))
    assert told[:2] == [(1, 0), (2, 0)]
    assert {of for _, of in told[2:]} == {2}
    assert told[-1] == (2, 2)


def test_the_new_pod_of_a_rollout_may_be_what_keeps_a_node():
    """By the clock it comes in the trial, and is no copy of another."""
    app = {"matchLabels": {"app": "x"}}

    def template(version):
        labels = {"app": "x", "version": version}
        return {"metadata": {"labels": labels}, "spec": {"containers": pod("x", "2")["spec"]["containers"]}}

    deployment = {"apiVersion": "apps/v1", "kind": "Deployment"}
    deployment |= {"metadata": {"name": "app", "namespace": "default", "uid": "app"}}
    deployment |= {"spec": {"replicas": 1, "selector": app, "template": template("2")}}
    deployment |= {"status": {"replicas": 1, "updatedReplicas": 0}}
    reference = {
        "apiVersion": "apps/v1", "kind": "Deployment", "name": "app", "uid": "app", "controller": True,
    }  # fmt: skip
    old = {"apiVersion": "apps/v1", "kind": "ReplicaSet"}
    old |= {"metadata": {"name": "rs", "namespace": "default", "uid": "rs", "ownerReferences": [reference]}}
    old |= {"spec": {"replicas": 1, "selector": app, "template": template("1")}}
    there = owned("old", "a", "2")
    there["metadata"]["labels"] = {"app": "x", "version": "1"}
    nodes = [node("a", cpu="2"), node("b", cpu="1"), node("c", cpu="1")]
    objects = [*nodes, deployment, old, there, pod("other", "1", "b", owner="others")]
    found = consolidation(WarmWorld(RunInput(objects=objects, driver="timed")), ["b"])
    [b] = found.kept
    assert (b.obstacle, b.workload.startswith("ReplicaSet/default/app-")) == ("no_place", True)
    assert b.pod.startswith("default/app-")


def test_pods_that_a_schedulers_controllers_make_of_waiting_jobs_have_their_turn_first():
    """Else the room that such a job is about to take is given back."""
    spec = {"containers": pod("x", "2")["spec"]["containers"]}
    task = {"name": "w", "replicas": 2, "template": {"spec": spec}}
    job = {
        "apiVersion": "batch.volcano.sh/v1alpha1",
        "kind": "Job",
        "metadata": {"name": "train", "uid": "u"},
    }
    job |= {"spec": {"schedulerName": "volcano", "minAvailable": 2, "queue": "default", "tasks": [task]}}
    nodes = [node(name, cpu="2") for name in "abc"]
    world = WarmWorld(RunInput(objects=[*nodes, job], profile="volcano-1.16"))
    found = consolidation(world)
    assert (freed(found), found.placed, found.evicted) == (["c"], 2, 0)
    assert [one.obstacle for one in found.kept] == ["no_place", "no_place"]
    ended = job | {"status": {"state": {"phase": "Completed"}}}
    world = WarmWorld(RunInput(objects=[*nodes, ended], profile="volcano-1.16"))
    assert consolidation(world).placed == 0


def test_a_pod_that_fits_alone_and_finds_no_node_after_the_others_is_named():
    small = [owned(name, "a", "600m") for name in ("1", "2")]
    objects = [node("a", cpu="2"), node("b", cpu="1"), node("c", cpu="1"), *small, owned("3", "a", "500m")]
    found = consolidated([*objects, owned("4", "c", "300m")], ["a"])
    [a] = found.kept
    assert (a.node, a.obstacle, found.trials) == ("a", "no_place", 1)
    assert a.cause is not None
    assert a.pod == "default/3", "named as the cluster has it, not as the copy is called"


def test_what_pods_ask_for_together_is_held_against_what_is_free_in_all_and_by_size():
    names = ("cpu", "memory")
    free = np.array([[500, 9], [700, 9], [0, 9]])
    assert shortage(np.array([[600, 1], [500, 1]]), free, names) is None
    assert shortage(np.array([[600, 1], [601, 1]]), free, names) == Shortage("cpu", 1201, 1200)
    assert shortage(np.array([[600, 1], [600, 1]]), free, names) == Shortage("cpu", 2, 1, 600)
    assert shortage(np.array([[0, 28]]), free, names) == Shortage("memory", 28, 27)
    assert shortage(np.array([[0, 28]]), free, names[:1]) is None, "memory is not looked at"


def test_a_pod_that_no_node_takes_whole_has_no_room_whatever_its_resources_have_each():
    free = np.array([[500, 1], [100, 9]])
    assert shortage(np.array([[500, 9]]), free, ("cpu", "memory")) is None
    assert not may_have_room(np.array([[500, 9]]), free)
    assert may_have_room(np.array([[500, 1], [100, 9]]), free)
    assert not may_have_room(np.array([[300, 1], [301, 1]]), free), "together they ask for more than is free"
    assert may_have_room(np.zeros((0, 2), dtype=np.int64), free)


@settings(max_examples=60, deadline=None)
@example([4, 7, 4, 5, 5], [(1, 0), (1, 0), (2, 1), (2, 1), (2, 1), (1, 1)])
@given(
    st.lists(st.integers(1, 8), min_size=2, max_size=5),
    st.lists(st.tuples(st.integers(1, 5), st.integers(0, 4)), min_size=1, max_size=12),
)
def test_what_filters_keep_no_trial_gives_back(sizes, pods):
    """With the filters' word switched off the same nodes can be given back, by more trials.

    All trials begin with the cluster of the start: from one that was begun anew, pods may pack otherwise.
    """
    nodes = [node(f"n{number}", cpu=str(size)) for number, size in enumerate(sizes)]
    left = dict(enumerate(sizes))
    objects = list(nodes)
    for number, (cpu, on) in enumerate(pods):
        if on < len(sizes) and left[on] >= cpu:
            left[on] -= cpu
            objects.append(owned(f"p{number}", f"n{on}", str(cpu)))
    with mock.patch.object(consolidating, "_AGAIN", 0):
        found = consolidated(objects)
        with mock.patch.object(NowhereElse, "keeping", return_value=None):
            tried = consolidated(objects)
    assert freed(found) == freed(tried)
    assert {one.node for one in found.kept} == {one.node for one in tried.kept}
    assert found.trials <= tried.trials


@pytest.mark.parametrize(
    ("extra", "objects", "obstacle"),
    [
        ({"owner": None}, [], "no_controller"),
        ({"volumes": [{"name": "scratch", "emptyDir": {}}]}, [], "local_storage"),
        ({"labels": {"app": "web"}}, [budget(1, 1)], "budget"),
        ({"labels": {"app": "web"}}, [budget(1, 3), budget(1, 3, name="too")], "budgets"),
        ({"nodeSelector": {"kubernetes.io/hostname": "a"}}, [], "no_place"),
    ],
)
def test_what_keeps_a_node_is_named(extra, objects, obstacle):
    only = pod("only", "1", "a", **{"owner": "rs", **extra})
    [kept] = consolidated([node("a"), node("b"), owned("other", "b", "3500m"), only, *objects], ["a"]).kept
    assert (kept.node, kept.obstacle, kept.pod) == ("a", obstacle, "default/only")
    if obstacle in ("budget", "budgets"):
        assert kept.lasts == "ever"


def test_a_node_stays_whose_pods_successor_is_still_to_come():
    leaving = owned("only", "a")
    leaving["metadata"]["deletionTimestamp"] = "2026-05-01T00:00:30Z"
    [kept] = consolidated([node("a"), node("b"), leaving], ["a"]).kept
    assert (kept.node, kept.obstacle, kept.pod) == ("a", "ending", "default/only")


def test_local_storage_may_be_lost_if_somebody_says_so():
    scratch = owned("only", "a", volumes=[{"name": "scratch", "emptyDir": {}}])
    found = consolidated([node("a"), node("b"), scratch], ["a"], local_storage=True)
    assert (freed(found), found.local_storage) == (["a"], True)


def test_pods_of_one_budget_go_one_after_the_other():
    pods = [pod(name, on="a", owner="rs", labels={"app": "web"}) for name in ("1", "2")]
    assert freed(consolidated([node("a"), node("b"), *pods, budget(1, 2)], ["a"])) == ["a"]


def test_nobody_is_evicted_for_it():
    objects = [
        node("a"),
        node("b"),
        pod("great", "4", "a", 10, owner="rs"),
        pod("small", "4", "b", 0, owner="other"),
    ]
    [kept] = consolidated(objects, ["a"]).kept
    assert (kept.obstacle, kept.pod, kept.evicts) == ("evicts", "default/great", "default/small")


def test_static_pods_and_those_of_daemon_sets_go_with_their_node_unless_it_is_a_control_plane():
    mirror = pod("static", on="a")
    mirror["metadata"]["annotations"] = {"kubernetes.io/config.mirror": "x"}
    daemon = pod("agent", on="a", owner="ds")
    daemon["metadata"]["ownerReferences"][0]["kind"] = "DaemonSet"
    role = {"node-role.kubernetes.io/control-plane": ""}
    objects = [node("a", cpu="2"), node("b"), node("m", labels=role), owned("x", "b", "3"), mirror, daemon]
    found = consolidated(objects, ["a", "m"])
    assert (freed(found), [(one.node, one.obstacle) for one in found.kept]) == (
        ["a"],
        [("m", "control_plane")],
    )


def test_pods_that_find_no_node_wait_as_before():
    found = consolidated([node("a"), node("b"), owned("1", "a"), pod("never", "9")])
    assert (len(found.freed), found.pending, found.placed) == (1, 1, 0)


def test_pods_that_wait_have_their_turn_before_any_node_is_tried():
    """A node that one of them finds room on is not given away; without it both nodes could not go."""
    objects = [node("a"), node("b"), owned("1", "a"), owned("waits", None, "4")]
    found = consolidated(objects)
    assert (freed(found), found.pending, found.placed, found.evicted) == ([], 0, 1, 0)
    evicting = [node("a"), node("b"), owned("1", "a", "3"), owned("2", "b", "3")]
    found = consolidated([*evicting, owned("waits", None, "2", priority=9)])
    assert (freed(found), found.pending, found.placed, found.evicted) == ([], 1, 1, 1)
    moving = [node("a"), node("b"), node("c", "2"), owned("1", "a", "3", priority=5)]
    moving += [owned("2", "b", "1500m"), owned("3", "b", "2"), owned("waits", None, "2200m", priority=9)]
    found = consolidated(moving)  # the copy of the evicted pod goes to c, and had not waited
    assert (found.pending, found.placed, found.evicted) == (0, 1, 1)


def test_the_dearest_first_then_the_largest_then_those_with_fewest_pods():
    kinds = {"a": ("4", "m"), "b": ("8", "none"), "c": ("4", "m"), "d": ("2", "l"), "e": ("16", "none")}
    objects = [node(name, cpu, labels={"kind": kind}) for name, (cpu, kind) in kinds.items()]
    prices = read_prices("kind=m: 0.5\nkind=l: 1.25")
    state = WarmWorld(RunInput(objects=[*objects, owned("1", "a")])).simulation.cluster

    def names(prices):
        return "".join(one.name for one in in_order(state, None, prices))

    assert names(prices) == "dcaeb"
    assert names([]) == "ebcad"
    found = consolidated(objects, prices=prices)
    assert (found.price, found.unpriced, found.priced) == (2_250_000, 2, 3), "all nodes are empty"


def test_whoever_ends_it_is_told_what_was_not_tried():
    objects = [node(name) for name in "abc"]
    found = consolidated(objects, stop=lambda: True)
    assert (found.freed, found.untried, found.ended_by) == ([], ["a", "b", "c"], "stopped")
    assert consolidated(objects, is_late=lambda: True).ended_by == "late"


def test_it_may_be_late_while_pods_that_wait_have_their_turn_and_then_tries_no_node():
    asked = count()
    objects = [node("a"), node("b"), *(pod(f"p{number}", "1") for number in range(6))]
    found = consolidated(objects, is_late=lambda: next(asked) > 2)
    assert (found.freed, found.untried, found.ended_by, found.placed) == ([], ["a", "b"], "late", 0)
    assert next(asked) < 12, "it has gone on"


def test_prices_as_lines_csv_and_json():
    lines = "# ours\nlabel,value,price\nkind=m: 0.768\n kind, l ,1\nzone=eu-1,2\n"
    found = [Price("kind", "m", 768_000), Price("kind", "l", 1_000_000), Price("zone", "eu-1", 2_000_000)]
    assert read_prices(lines) == found
    assert read_prices({"kind=m": 0.768, "kind=l": "1", "zone=eu-1": 2}) == found
    assert price_of(found, {"kind": "l"}) == 1_000_000
    assert price_of(found, {"kind": "x"}) is None
    assert read_prices(None) == []


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ("kind=m: 1\nkind=m: 2", "line 2: kind=m has a price already, in line 1"),
        ("\nkind: 1", "line 2: must be label=value"),
        ("kind=m: dear", "line 1: the price must be a number"),
        ("kind=m: -1", "from 0 to"),
        ("kind=m: nan", "from 0 to"),
        ({"kind=m": True}, '"kind=m": the price must be a number'),
        ("a,b,c,1", "must be label=value"),
        ({"a\0=b": 1}, "is no label of a node"),
    ],
)
def test_bad_prices_are_told_by_line(given, reason):
    with pytest.raises(BadInput, match=reason):
        read_prices(given)


@settings(max_examples=30, deadline=None)
@given(clusters(), st.sampled_from([1, 1000]))
def test_a_plain_run_says_the_same_and_no_more_wait(objects, again):
    """The nodes of each step, drained in a run of their own, leave no pod without a node that had one."""
    world = WarmWorld(RunInput(objects=objects))
    before = world.simulation.checkpoint()
    before_again, consolidating._AGAIN = consolidating._AGAIN, again
    try:
        found = consolidation(world)
    finally:
        consolidating._AGAIN = before_again
    assert world.simulation.checkpoint() == before
    assert len(found.freed) + len(found.kept) == len(world.simulation.cluster.nodes)
    first = [one.node for one in found.freed if one.step == 1]
    if not first or found.placed or found.evicted:
        return  # the plain run below has no pods that wait, and so none that found a node before
    rest = [one for one in objects if one["kind"] != "PodDisruptionBudget"]
    waiting = [
        one["metadata"]["uid"] for one in rest if one["kind"] == "Pod" and not one["spec"].get("nodeName")
    ]
    run = Simulation(
        RunInput(
            objects=[one for one in rest if one["metadata"].get("uid") not in waiting],
            edits=[{"op": "drain", "nodes": first}],
        )
    )
    decisions = list(run)
    evicted = [one for one in decisions if isinstance(one, Eviction) and one.outcome == "evicted"]
    attempts = [one for one in decisions if isinstance(one, Attempt)]
    assert len(evicted) == sum(one.pods for one in found.freed if one.step == 1) == len(attempts)
    assert all(one.outcome == "scheduled" and one.chosen not in first for one in attempts)
    state = run.cluster
    assert (state.requested <= state.nodes.allocatable).all()
