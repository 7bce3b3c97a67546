"""What would make pods fit, kind by kind, with the exact numbers."""

import msgspec
import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.fitting.judging import Judge
from scheduler_core.world.fitting.wanted import Wanted
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.trials.playing import never
from scheduler_core.world.trials.trial_result import TriedEviction
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import budget, clusters, node, pod
from tests.scheduler_core.volcano import gangs
from tests.scheduler_core.volcano.test_why import group, queue, worker, workers
from tests.scheduler_core.world.test_hami import HELD, asking, machine
from tests.scheduler_core.world.test_hami import clusters as clusters_with_cards

TAINT = {"key": "dedicated", "value": "db", "effect": "NoSchedule"}
CLOSED = {
    "unschedulable": True,
    "taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}],
}
REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution"


def workload(name, replicas, cpu, **more):
    """Return a ReplicaSet, and its pods: those of `on` have a node each, all others wait."""
    on, priority = more.pop("on", []), more.pop("priority", 0)
    template = pod("template", cpu, priority=priority, labels={"app": name}, **more)
    selector = {"matchLabels": {"app": name}}
    spec = {"replicas": replicas, "selector": selector}
    spec["template"] = {"metadata": {"labels": {"app": name}}, "spec": template["spec"]}
    metadata = {"name": name, "namespace": "default", "uid": name}
    places = [*on, *[None] * (replicas - len(on))]
    return [
        {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec},
        *(
            pod(f"{name}-{number}", cpu, place, priority, {"app": name}, owner=name, **more)
            for number, place in enumerate(places)
        ),
    ]


def fitting(objects, *pods, **more):
    given = {key: more.pop(key) for key in ("profile", "config", "driver") if key in more}
    world = WarmWorld(RunInput(objects=objects, **given))
    start = world.simulation.checkpoint()
    heard = []
    found = what_would_fit(world, pods, told=lambda *progress: heard.append(progress), **more)
    assert world.simulation.checkpoint() == start
    if heard and found.ended_by == "done":
        done, of = heard[-1]
        assert done == of >= len(found.not_enough)
        assert found.proposals or of == len(found.not_enough), "as many as are told of were tried"
    return found


def told(found):
    """Return by kind of change what is proposed: whom or what it is about, and the number."""
    single = (one for one in found.proposals if len(one.changes) == 1)
    return {(one.changes[0].kind, one.changes[0].what): one.changes[0].after for one in single}


def proposal(found, kind, of=None):
    return next(
        one for one in found.proposals if one.changes[0].kind == kind and of in (None, one.changes[0].of)
    )


def test_the_largest_request_that_still_fits_and_the_fewest_nodes():
    objects = [node("a", cpu="4"), *workload("web", 3, "3")]
    found = fitting(objects, "pod-web-0", "pod-web-1", "pod-web-2")
    assert (found.pods, found.placed, found.workload) == (3, 1, "ReplicaSet/default/web")
    assert [cause.plugin for cause in found.causes] == ["NodeResourcesFit"]
    assert told(found) == {("ask_less", "cpu"): 1333, ("add_nodes", ""): 2, ("fewer_pods", ""): 1}
    less = proposal(found, "ask_less")
    assert (less.changes[0].before, less.changes[0].unit, less.pods, less.placed) == (3000, "m", 3, 3)
    assert less.size == pytest.approx((3000 - 1333) / 3000, abs=1e-6)
    assert {(point.value, point.fits) for point in less.points} >= {(1333, True), (1334, False)}
    assert less.points == sorted(less.points, key=lambda point: point.value)
    assert proposal(found, "add_nodes").points[0].placed == 2
    assert (found.ended_by, found.untried) == ("done", [])


def test_memory_is_asked_for_in_whole_mebibytes():
    waits = pod("x")
    waits["spec"]["containers"][0]["resources"] = {"requests": {"memory": "10Gi"}}
    found = fitting([node("a", memory="8000Mi"), waits], "pod-x")
    change = proposal(found, "ask_less").changes[0]
    assert (change.before, change.after, change.unit) == (10 * 1024**3, 8000 * 1024**2, "bytes")
    assert proposal(found, "ask_less").edits[0]["patch"]["spec"]["containers"][0]["resources"] == {
        "requests": {"memory": "8000Mi"}
    }


def test_a_taint_is_tolerated_or_taken_from_the_fewest_nodes():
    objects = [node("a", cpu="1"), *(node(name, taints=[TAINT]) for name in "bcd"), *workload("web", 2, "3")]
    found = fitting(objects, "pod-web-0", "pod-web-1")
    assert told(found)["tolerate", "dedicated=db:NoSchedule"] is None
    untaint = proposal(found, "untaint").changes[0]
    assert (untaint.after, untaint.names) == (2, ["b", "c"])
    assert [one.changes[0].of for one in found.not_enough if one.changes[0].kind == "add_nodes"] == ["b", "a"]


def test_the_fewest_cordoned_nodes_are_opened():
    objects = [*(node(name, **CLOSED) for name in "abc"), *workload("web", 2, "3")]
    found = fitting(objects, "pod-web-0", "pod-web-1")
    change = proposal(found, "uncordon").changes[0]
    assert (change.after, change.names) == (2, ["a", "b"])
    assert not any(
        change.kind in ("tolerate", "untaint") for one in found.proposals for change in one.changes
    )


def test_selectors_and_affinities_are_dropped():
    terms = [{"matchExpressions": [{"key": "zone", "operator": "In", "values": ["x"]}]}]
    affinity = {"nodeAffinity": {REQUIRED: {"nodeSelectorTerms": terms}}}
    selected = pod("x", nodeSelector={"disk": "ssd", "kubernetes.io/hostname": "a"})
    found = fitting([node("a"), selected], "pod-x")
    assert {key for key in told(found) if key[0] == "drop_selector"} == {
        ("drop_selector", "disk=ssd"), ("drop_selector", ""),
    }  # fmt: skip
    found = fitting([node("a"), pod("x", affinity=affinity)], "pod-x")
    assert ("drop_selector", "") in told(found)


def test_pods_that_keep_apart_are_let_together():
    term = {"topologyKey": "kubernetes.io/hostname", "labelSelector": {"matchLabels": {"app": "web"}}}
    apart = {"podAntiAffinity": {REQUIRED: [term]}}
    found = fitting([node("a"), *workload("web", 2, "1", affinity=apart)], "pod-web-0", "pod-web-1")
    assert told(found) == {
        ("drop_affinity", "podAntiAffinity"): None,
        ("add_nodes", ""): 1,
        ("fewer_pods", ""): 1,
    }


def test_a_spread_is_relaxed_as_far_as_need_be():
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    spread["labelSelector"] = {"matchLabels": {"app": "web"}}
    objects = [
        node("a", cpu="9", labels={"zone": "a"}),
        node("b", cpu="1", labels={"zone": "b"}),
        *workload("web", 4, "1", topologySpreadConstraints=[spread]),
    ]
    found = fitting(objects, *(f"pod-web-{number}" for number in range(4)))
    assert told(found)["relax_spread", "zone"] == 2
    assert told(found)["drop_spread", "zone"] is None


def test_the_lowest_priority_that_fits_says_whom_it_evicts_and_which_budget():
    klass = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass"}
    objects = [
        node("a", cpu="4"),
        {**klass, "metadata": {"name": "high"}, "value": 100},
        {**klass, "metadata": {"name": "higher"}, "value": 200},
        *workload("holds", 2, "2", on=["a", "a"], priority=50),
        budget("guard", "holds", 0),
        pod("x", "2"),
    ]
    found = fitting(objects, "pod-x")
    raised = proposal(found, "priority")
    assert (raised.changes[0].what, raised.changes[0].before, raised.changes[0].after) == (
        "priority-51",
        0,
        51,
    )
    assert raised.changes[0].new
    holds = {"ReplicaSet/default/holds": 1}
    assert (raised.evicted, raised.violated, raised.lost) == (holds, holds, holds)
    assert found.proposals[-1] is raised
    assert "scale_down" not in {kind for kind, _ in told(found)}


def test_pods_that_may_not_evict_are_let():
    objects = [node("a", cpu="2"), pod("low", "2", "a"), pod("x", "2", priority=9, preemptionPolicy="Never")]
    found = fitting(objects, "pod-x")
    let = proposal(found, "preempt")
    assert (let.evicted, let.lost) == ({"": 1}, {"": 1})


def test_the_fewest_pods_of_a_workload_make_room():
    objects = [
        node("a", cpu="4"),
        *workload("low", 4, "1", on=["a"] * 4),
        pod("x", "2"),
        pod("bare", "0", "a"),
    ]
    found = fitting(objects, "pod-x")
    down = proposal(found, "scale_down")
    assert (down.changes[0].of, down.changes[0].before, down.changes[0].after) == (
        "ReplicaSet/default/low",
        4,
        2,
    )
    assert (down.evicted, down.lost) == ({}, {})
    bare = [one for one in found.not_enough if one.changes[0].kind == "remove_pods"]
    assert [one.changes[0].names for one in bare] == [["default/bare"]]


def test_a_request_that_needs_nobody_to_go_is_told_beside_a_larger_one():
    objects = [
        node("a", cpu="4"),
        *workload("low", 1, "1", on=["a"], priority=-5),
        *workload("web", 2, "3"),
    ]
    found = fitting(objects, "pod-web-0", "pod-web-1")
    less = [one for one in found.proposals if one.changes[0].kind == "ask_less"]
    low = {"ReplicaSet/default/low": 1}
    assert [(one.changes[0].after, one.evicted, one.lost) for one in less] == [
        (1500, {}, {}),
        (2000, low, low),
    ]


def test_two_changes_where_none_alone_is_enough():
    objects = [node("a", cpu="4", taints=[TAINT]), pod("x", "6")]
    found = fitting(objects, "pod-x")
    two = [[(change.kind, change.after) for change in one.changes] for one in found.proposals]
    assert [("ask_less", 4000), ("tolerate", None)] in two
    assert [("ask_less", 4000), ("untaint", 1)] in two
    assert all(len(one) == 2 for one in two)
    alone = [one.changes[0].kind for one in found.not_enough if len(one.changes) == 1]
    assert {"ask_less", "tolerate", "untaint", "add_nodes"} <= set(alone)


def test_two_changes_are_made_in_the_order_in_which_they_were_tried():
    """New nodes are like the one that is there: without its taint only once that is untainted."""
    found = fitting([node("a", taints=[TAINT]), *workload("web", 3, "3")], "pod-web-0")
    pairs = {tuple(change.kind for change in one.changes): one for one in found.proposals}
    pair = pairs["untaint", "add_nodes"]
    assert [edit["op"] for edit in pair.edits] == ["untaint", "clone-node"]
    assert (pair.placed, pair.pods) == (3, 3)


def test_gates_are_lifted_and_a_scheduler_is_named_that_is_there():
    assert told(fitting([node("a"), pod("x", schedulingGates=[{"name": "wait"}])], "pod-x")) == {
        ("ungate", ""): None
    }
    found = fitting([node("a"), pod("x", schedulerName="other")], "pod-x")
    assert told(found) == {("scheduler", "default-scheduler"): None}


def test_nothing_found_says_what_was_tried():
    claim = {"name": "data", "persistentVolumeClaim": {"claimName": "none"}}
    found = fitting([node("a"), pod("x", volumes=[claim])], "pod-x")
    assert (found.placed, found.proposals) == (0, [])
    assert found.trials == 2 + len(found.not_enough), "each, and without any change, once more by the clock"
    assert {one.placed for one in found.not_enough} == {0}


def test_who_fits_already_needs_nothing():
    found = fitting([node("a"), pod("x")], "pod-x")
    assert (found.pods, found.placed, found.causes, found.proposals, found.trials) == (1, 1, [], [], 2)
    assert (found.start.ended_by, found.start.at) == ("started", 0)


def test_what_was_not_tried_is_said():
    objects = [node("a", cpu="4"), *workload("web", 3, "3")]
    found = fitting(objects, "pod-web-0", most=3)
    assert (found.ended_by, found.trials) == ("most", 3)
    assert [one.kind for one in found.untried] == ["ask_less", "add_nodes", "fewer_pods"]
    stopped = fitting(objects, "pod-web-0", stop=lambda: True)
    assert (stopped.ended_by, stopped.trials, stopped.proposals) == ("stopped", 0, [])


def test_others_that_wait_take_part_unless_they_are_many(monkeypatch):
    objects = [
        node("a", cpu="4"),
        *(pod(f"o{number}", "1", priority=5) for number in range(2)),
        pod("x", "6"),
    ]
    found = fitting(objects, "pod-x")
    assert (told(found)["ask_less", "cpu"], found.left_out) == (2000, 0)
    monkeypatch.setattr("scheduler_core.world.fitting.judging.MANY_WAIT", 1)
    found = fitting(objects, "pod-x")
    assert (told(found)["ask_less", "cpu"], found.left_out) == (4000, 2)
    found = fitting(objects, "pod-x", others=True)
    assert (told(found)["ask_less", "cpu"], found.left_out) == (2000, 0)


@pytest.mark.parametrize(
    ("ended_by", "workload_of_it", "asked", "unsettled"),
    [
        ("limit", "ReplicaSet/default/web", False, True),
        ("quiet", "ReplicaSet/default/web", False, False),
        ("limit", "ReplicaSet/default/other", False, False),
        ("limit", "ReplicaSet/default/web", True, False),
    ],
)
def test_pods_that_come_and_go_until_the_limit_fit_in_no_trial(ended_by, workload_of_it, asked, unsettled):
    world = WarmWorld(RunInput(objects=[node("a", cpu="9"), *workload("web", 3, "3")]))
    judge = Judge(Wanted(world, ["pod-web-0"]), never, 9)
    begun = judge.begun
    gone = TriedEviction(begun.pods[0].pod, workload_of_it, "a", 1, by="other", asked=asked)
    result = replace(begun, ended_by=ended_by, evictions=[gone])
    assert judge.is_unsettled(result) is unsettled
    assert judge._verdict(result, 3, None).fits is not unsettled


def test_a_pod_that_is_not_there_is_an_error():
    with pytest.raises(KeyError):
        fitting([node("a")], "nobody")
    with pytest.raises(ValueError, match="no pod"):
        fitting([node("a")])


# -- gangs, queues, cards ----------------------------------------------------------------------------


def gang(*objects, **more):
    return fitting([*objects], *more.pop("pods"), profile="volcano-1.16", **more)


def test_a_gang_starts_with_fewer_or_asks_for_less():
    nodes = [node(name, cpu="3") for name in "ab"]
    objects = [*nodes, group("asks", 3), *workers("asks", 3, cpu="2")]
    found = gang(*objects, pods=[f"pod-asks-{number}" for number in range(3)])
    assert found.causes[0].kind == "gang"
    fewer = proposal(found, "minimum")
    assert (fewer.changes[0].before, fewer.changes[0].after, fewer.placed, fewer.pods) == (3, 2, 2, 3)
    assert fewer.is_partial
    assert told(found)["ask_less", "cpu"] == 1500
    assert told(found)["add_nodes", ""] == 1


def test_a_queue_is_given_more():
    objects = [
        node("a", cpu="10"),
        queue("small", capability={"cpu": "3"}),
        group("runs", 1, "small", "Running", minResources={"cpu": "2"}),
        worker("runs-0", "runs", cpu="2", on="a"),
        group("asks", 1, "small", minResources={"cpu": "2"}),
        worker("asks-0", "asks", cpu="2"),
    ]
    found = gang(*objects, pods=["pod-asks-0"])
    assert found.causes[0].kind == "refused"
    change = proposal(found, "capability").changes[0]
    assert (change.of, change.before, change.after, change.unit) == ("small", 3000, 4000, "m")


def test_a_weight_is_raised_as_far_as_need_be():
    objects = [
        node("a", cpu="12"),
        queue("mine"),
        queue("theirs", weight=2, reclaimable=False),
        group("runs", 2, "theirs", "Running"),
        *workers("runs", 2, cpu="3", on="a"),
        group("more", 1, "theirs"),
        *workers("more", 1, cpu="6"),
        group("asks", 2, "mine"),
        *workers("asks", 2, cpu="3"),
    ]
    found = gang(*objects, pods=["pod-asks-0", "pod-asks-1"])
    assert found.placed == 0, found.causes
    assert told(found)["weight", ""] == 2, found


def test_a_slice_of_a_card_is_smaller_or_a_card_is_freed():
    held = asking("held", memory=4000, annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    objects = [machine("a", 1), held, asking("x", memory=8000)]
    found = fitting(objects, "uid-default-x", profile="hami-2.10")
    less = proposal(found, "ask_less").changes[0]
    assert (less.what, less.before, less.after) == ("nvidia.com/gpumem", 8000, 6000)
    assert ("remove_pods", "") in told(found)


def _deployed(*, template=None, own=None):
    """Return a ReplicaSet of one pod; `template`, `own`: the annotations of either."""
    waiting = asking("web-0", memory=8000, annotations=own)
    of = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "web", "uid": "web", "controller": True}
    waiting["metadata"] |= {"ownerReferences": [of], "labels": {"app": "web"}}
    made = {"metadata": {"labels": {"app": "web"}, "annotations": template or {}}, "spec": waiting["spec"]}
    spec = {"replicas": 1, "selector": {"matchLabels": {"app": "web"}}, "template": made}
    metadata = {"name": "web", "namespace": "default", "uid": "web"}
    owner = {"apiVersion": "apps/v1", "kind": "ReplicaSet", "metadata": metadata, "spec": spec}
    return [owner, waiting]


def test_what_only_the_pods_say_of_cards_holds_for_those_made_anew_too():
    """The pod's annotation keeps it off the L40S that is free, whatever its template says."""
    held = asking("held", memory=4000, annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    objects = [machine("a", 1, kind="NVIDIA A100"), machine("b", 1, kind="NVIDIA L40S"), held]
    wish = {"nvidia.com/use-gputype": "A100"}
    found = fitting([*objects, *_deployed(own=wish)], "uid-default-web-0", profile="hami-2.10")
    less = proposal(found, "ask_less")
    assert (less.changes[0].what, less.changes[0].after) == ("nvidia.com/gpumem", 6000)
    edit, deletion = less.edits
    assert edit["patch"]["spec"]["template"]["metadata"] == {"annotations": wish}
    assert deletion == {"op": "delete", "kind": "Pod", "namespace": "default", "names": ["web-0"]}
    assert ("drop_wish", "nvidia.com/use-gputype=A100") in told(found)
    found = fitting([*objects, *_deployed(template=wish, own=wish)], "uid-default-web-0", profile="hami-2.10")
    edit, _ = proposal(found, "ask_less").edits
    assert "metadata" not in edit["patch"]["spec"]["template"]
    edit, _ = proposal(found, "drop_wish").edits
    assert edit["kind"].startswith("ReplicaSet")


@pytest.mark.parametrize("wish", ["nvidia.com/use-gputype=H100", "volcano.sh/vgpu-mode=mig"])
def test_what_keeps_a_pod_off_volcanos_cards_may_be_left_out(wish):
    """Nodes with idle cards of the type NVIDIA-A10, in the mode hami-core."""
    [(_, content)], binpack = volcano_files("vgpu"), volcano_scenarios("vgpu")[0]["config"]
    objects = [one for one in yaml.safe_load_all(content) if one]
    [one] = [each for each in objects if each["metadata"]["name"] == "notebook-0" and each["kind"] == "Pod"]
    key, _, text = wish.partition("=")
    one["metadata"] |= {"uid": "asks", "annotations": one["metadata"]["annotations"] | {key: text}}
    kept = [each for each in objects if each["kind"] != "Pod"]
    found = fitting([*kept, one], "asks", profile="volcano-1.16", config=binpack)
    assert list(told(found)) == [("drop_wish", wish)]


def test_only_those_are_asked_to_go_who_are_on_nodes_with_such_cards():
    held = asking("held", memory=4000, annotations=HELD, nodeName="a") | {"status": {"phase": "Running"}}
    others = [asking(f"o{at}", memory=9000, nodeName="b") | {"status": {"phase": "Running"}} for at in (1, 2)]
    objects = [machine("a", 1, kind="NVIDIA A100"), machine("b", 2, kind="NVIDIA L40S"), held, *others]
    wish = {"nvidia.com/use-gputype": "A100"}
    found = fitting([*objects, asking("x", 8000, annotations=wish)], "uid-default-x", profile="hami-2.10")
    gone = [one.changes[0].of for one in found.proposals if one.changes[0].kind == "remove_pods"]
    vain = [one.changes[0].of for one in found.not_enough if one.changes[0].kind == "remove_pods"]
    assert (gone, vain) == (["default/held"], [])


# -- a proposal is what a run says -------------------------------------------------------------------


def assert_runs_say_so(begun, found, mine):
    """Play each proposal as a whole run, in which all pods fit and as many are evicted as it says."""
    for one in found.proposals:
        simulation = Simulation(msgspec.structs.replace(begun, edits=one.edits))
        list(simulation)
        pods = [row for row in simulation.state().pods() if mine(row)]
        assert (len(pods), sum(bool(row.node) for row in pods)) == (one.pods, one.placed), one.changes
        assert one.is_partial or one.placed == one.pods


def test_proposals_of_a_workload_as_runs():
    objects = [node("a", cpu="4"), node("b", taints=[TAINT]), *workload("web", 3, "3")]
    begun = RunInput(objects=objects)
    found = what_would_fit(WarmWorld(begun), [f"pod-web-{number}" for number in range(3)])
    assert len(found.proposals) == 3
    assert_runs_say_so(begun, found, lambda row: row.name.startswith("web"))


def assert_proposals_hold(begun):
    """Ask about the first pod that waits at the end; play what is proposed."""
    world = WarmWorld(begun)
    waiting = world.baseline().pending
    known = [uid for uid in waiting if world.simulation.knows(uid)]
    if known:
        uid = known[0]
        workload = world.simulation.workload_of(uid)
        found = what_would_fit(world, [uid], most=25)
        assert found == what_would_fit(world, [uid], most=25)
        if not workload:
            assert_runs_say_so(begun, found, lambda row: row.uid == uid)


few = settings(max_examples=3, suppress_health_check=list(HealthCheck))


@few
@given(clusters())
def test_proposals_of_any_cluster_as_runs(objects):
    assert_proposals_hold(RunInput(objects=objects))


@few
@given(gangs.clusters(), gangs.CONFIGURATIONS)
def test_proposals_of_any_gangs_as_runs(objects, config):
    assert_proposals_hold(RunInput(objects=objects, profile="volcano-1.16", config=config))


@few
@given(clusters_with_cards())
def test_proposals_of_any_cards_as_runs(begun):
    assert_proposals_hold(begun)
