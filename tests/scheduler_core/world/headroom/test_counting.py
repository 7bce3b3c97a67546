"""How many more fit: exact numbers, and that a run which adds them says the same."""

from collections import Counter

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboard.answers.more_fit import lead, more_fit
from dashboard.answers.printers.words import plain
from samples.teaching.sample import teaching_files
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.texts import read_text
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.fitting.what_fits import what_would_fit
from scheduler_core.world.headroom.counting import free_room, headroom, room_for, world_after
from scheduler_core.world.headroom.shapes import (
    Shape,
    as_new,
    shape_like,
    shape_of_job,
    shape_of_pod,
    usual_shapes,
)
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import budget, clusters, node, pod
from tests.scheduler_core.volcano import gangs
from tests.scheduler_core.volcano.test_why import group, queue, running, worker, workers
from tests.scheduler_core.world.cards_by_claims import by_template, cards
from tests.scheduler_core.world.fitting.test_what_fits import CLOSED, TAINT, workload
from tests.scheduler_core.world.test_hami import asking, machine
from tests.scheduler_core.world.test_hami import clusters as clusters_with_cards

few = settings(max_examples=5, suppress_health_check=list(HealthCheck))


def of_cpu(cpu, **more):
    return shape_of_pod(cpu, pod("x", cpu, **more)["spec"])


def room(objects, shape, **more):
    begun = RunInput(objects=objects, **more)
    world = WarmWorld(begun)
    start = world.simulation.checkpoint()
    found = room_for(world, shape)
    assert world.simulation.checkpoint() == start
    assert_runs_say_so(begun, shape, found)
    return found


def missing(begun, shape, count):
    """Return how many of so many more have no node in a whole run, in which no other pod is scheduled."""
    known = {one["metadata"]["uid"] for one in begun.objects if one["kind"] == "Pod"}
    simulation = Simulation(msgspec.structs.replace(begun, edits=shape.more(count)))
    list(simulation)
    replaces = simulation.cluster.pod_changes.replaces
    rows = simulation.cluster.pods.by_uid
    new = [one for one in simulation.state().pods() if one.uid not in known and rows[one.uid] not in replaces]
    return count * shape.size - sum(bool(one.node) for one in new)  # some may be evicted again


def assert_runs_say_so(begun, shape, found):
    """So many more all have a node in a whole run, and one more than that has none."""
    whole = found.fit + found.evicting
    if found.fit:
        assert missing(begun, shape, found.fit) == 0
    assert missing(begun, shape, whole) == 0 if whole else True
    if found.ended_by == "first":
        assert missing(begun, shape, whole + 1) > 0


def test_of_pods_that_no_scheduler_serves_none_fits_and_that_is_said():
    found = room([node("a"), pod("other", "1")], of_cpu("1", schedulerName="nobody"))
    assert (found.fit, found.ended_by, found.cause.kind) == (0, "first", "unserved")


def test_pools_and_what_stops_the_next_one():
    objects = [
        node("a", cpu="4", labels={"pool": "general"}),
        node("b", cpu="9", labels={"pool": "general"}),
        node("c", cpu="9", memory="1Gi", pods="1", labels={"pool": "mem"}),
        node("d", cpu="1", labels={"pool": "small"}),
        node("t", labels={"pool": "gpu"}, taints=[TAINT]),
        node("u", labels={"pool": "gpu"}, **CLOSED),
        pod("there", "2", "a"),
    ]
    found = room(objects, of_cpu("2"))
    assert (found.fit, found.evicting, found.ended_by) == (6, 0, "first")
    assert [(one.pool, one.nodes, one.fit, one.closed) for one in found.pools] == [
        ("general", 2, 5, False),
        ("gpu", 2, 0, True),
        ("mem", 1, 1, False),
        ("small", 1, 0, False),
    ]
    assert found.pools[0].taking == {"a": 1, "b": 4}
    assert {(one.plugin, one.resource): one.nodes for one in found.stops} == {
        ("NodeResourcesFit", "cpu"): 3,
        ("NodeResourcesFit", "pods"): 1,
        ("NodeUnschedulable", ""): 1,
        ("TaintToleration", ""): 1,
    }
    assert {name: found.stops[at].resource for name, at in found.stopped.items()} == {
        "a": "cpu",
        "b": "cpu",
        "c": "pods",
    }
    assert found.cause.kind == "nodes"


def test_those_by_evicting_stand_apart_with_whom_they_evict():
    objects = [
        node("a", cpu="4"),
        node("b", cpu="4"),
        *workload("low", 2, "3", on=["a", "b"], priority=-5),
        budget("guard", "low", 0),
    ]
    found = room(objects, of_cpu("1"))
    low = {"ReplicaSet/default/low": 2}
    assert (found.fit, found.evicting, found.evicted, found.violated) == (2, 6, low, low)
    assert (found.cause.kind, found.stops[0].resource, found.stops[0].nodes) == ("preempts", "cpu", 2)


def test_free_room_is_played_once_where_the_next_one_would_evict(monkeypatch):
    world = WarmWorld(RunInput(objects=[node("a", cpu="4"), pod("low", "3", on="a", priority=-5)]))
    begun, plays = world.begun, []

    def counted(*args, **more):
        plays.append(1)
        return begun(*args, **more)

    monkeypatch.setattr(world, "begun", counted)
    assert free_room(world, of_cpu("1")) == 1
    assert len(plays) == 1


def test_of_pods_of_sessions_that_number_is_tried_which_too_many_have_found(monkeypatch):
    objects = [node("a", cpu="18"), queue("small", capability={"cpu": "9"})]
    gang = (group("g", 1, "small", minResources={"cpu": "1"}), as_new(workers("g", 1, cpu="1")[0]))
    world = WarmWorld(RunInput(objects=objects, profile="volcano-1.16"))
    trial, tried = world.trial, []

    def counted(edits, **more):
        tried.append(len(edits) and len(edits[0]["manifest"]["items"]) // 2)
        return trial(edits, **more)

    monkeypatch.setattr(world, "trial", counted)
    assert room_for(world, Shape("gang", gang)).fit == 9
    assert tried == [19, 9, 10]


def test_one_more_of_a_workload_keeps_its_rules():
    spread = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}
    spread["labelSelector"] = {"matchLabels": {"app": "web"}}
    objects = [
        node("a", cpu="9", labels={"zone": "a"}),
        node("b", cpu="2", labels={"zone": "b"}),
        *workload("web", 1, "1", on=["a"], topologySpreadConstraints=[spread]),
    ]
    found = room(objects, shape_like(WarmWorld(RunInput(objects=objects)), "ReplicaSet/default/web"))
    assert (found.fit, found.pools[0].taking) == (4, {"a": 2, "b": 2})
    assert found.edits == [
        {"op": "scale", "kind": "ReplicaSet", "namespace": "default", "name": "web", "replicas": 6}
    ]


def test_more_than_may_be_tried_is_said():
    world = WarmWorld(RunInput(objects=[node("a", cpu="9")]))
    found = room_for(world, of_cpu("1"), most=5)
    assert (found.fit, found.ended_by, found.cause) == (5, "most", None)
    assert room_for(world, of_cpu("0"), most=30).fit == 20


def test_several_shapes_and_what_nobody_got_to():
    objects = [
        node("a", cpu="9"),
        *workload("web", 2, "1", on=["a", "a"]),
        *workload("one", 1, "3", on=["a"]),
    ]
    world = WarmWorld(RunInput(objects=objects))
    shapes = usual_shapes(world)
    assert [shape.name for shape in shapes] == ["ReplicaSet/default/web", "ReplicaSet/default/one"]
    done = []
    found = headroom(world, shapes, told=lambda *told: done.append(told))
    assert [one.fit for one in found.rooms] == [4, 1]
    assert (done, found.untried) == ([(0, 2), (1, 2), (2, 2)], [])
    assert headroom(world, shapes, stop=lambda: True).untried == [shape.name for shape in shapes]


def test_shapes_that_there_are_not():
    world = WarmWorld(RunInput(objects=[node("a"), *workload("web", 1, "1", on=["a"]), pod("bare", on="a")]))
    for name, fault in (
        ("ReplicaSet/default/nobody", "not in this"),
        ("Pod", "not in this"),
        ("Node/default/a", "not|can"),
    ):
        with pytest.raises(BadInput, match=fault):
            shape_like(world, name)
    assert room_for(world, shape_like(world, "Pod/default/bare")).fit == 2


def test_a_job_whose_next_pod_comes_once_the_one_before_it_is_placed():
    objects = [one for _, content in teaching_files() for one in read_text(content, None).objects]
    world = WarmWorld(RunInput(objects=objects))
    found = room_for(world, shape_like(world, "Job/media/transcode"))
    assert (found.fit, found.evicting, found.ended_by) == (0, 2, "first")


def test_at_a_decision_of_a_run():
    objects = [node("a", cpu="4"), pod("x", "1"), pod("y", "1")]
    world, simulation = WarmWorld(RunInput(objects=objects)), Simulation(RunInput(objects=objects))
    counts = [room_for(world_after(world, simulation), of_cpu("1")).fit]
    for _ in simulation:
        counts.append(room_for(world_after(world, simulation), of_cpu("1")).fit)
    assert counts == [4, 3, 2]


def test_gangs_count_whole():
    objects = [node("a", cpu="4"), node("b", cpu="5")]
    shape = Shape("gang", (group("g", 3), *(as_new(one) for one in workers("g", 3, cpu="1"))))
    found = room(objects, shape, profile="volcano-1.16")
    assert (shape.size, found.fit, found.evicting) == (3, 3, 0)
    assert found.cause.kind in ("gang", "refused", "queue", "nodes")


def test_a_queue_stops_the_next_one():
    objects = [node("a", cpu="9"), queue("small", capability={"cpu": "4"})]
    gang = (group("g", 1, "small", minResources={"cpu": "2"}), as_new(workers("g", 1, cpu="2")[0]))
    found = room(objects, Shape("gang", gang), profile="volcano-1.16")
    assert (found.fit, found.cause.kind, found.cause.queue) == (2, "refused", "small")


def test_slices_of_cards():
    objects = [machine("a", 2), machine("b", 1)]
    found = room(objects, Shape("slice", (as_new(asking("x", memory=4000, cores=0)),)), profile="hami-2.10")
    assert found.fit == 6
    assert not any(one.closed for one in found.pools)
    assert found.cause.held[0].cards


@few
@given(clusters(), st.sampled_from(["1", "500m", "3"]), st.sampled_from(["instant", "timed"]))
def test_any_cluster(objects, cpu, driver):
    placed = [one for one in objects if one["kind"] != "Pod" or one["spec"].get("nodeName")]
    room(placed, of_cpu(cpu), driver=driver)


@few
@given(gangs.clusters(), gangs.CONFIGURATIONS)
def test_any_gangs(objects, config):
    shape = Shape("gang", (group("g", 2), *(as_new(one) for one in workers("g", 2, cpu="1"))))
    for one in shape.objects:
        one["metadata"]["namespace"] = "default"
    begun = RunInput(objects=objects, profile="volcano-1.16", config=config)
    assert_runs_say_so(begun, shape, room_for(WarmWorld(begun), shape, most=12))


@few
@given(clusters_with_cards())
def test_any_cards(begun):
    nodes = [one for one in begun.objects if one["kind"] != "Pod"]
    begun = msgspec.structs.replace(begun, objects=nodes)
    shape = Shape("slice", (as_new(asking("x", memory=4000, cores=30)),))
    assert_runs_say_so(begun, shape, room_for(WarmWorld(begun), shape, most=12))


@pytest.mark.parametrize(
    ("profile", "scheduler"), [("kube-1.37", "default-scheduler"), ("volcano-1.16", "volcano")]
)
def test_what_a_workload_lacks_comes_before_any_more(profile, scheduler):
    """A pod that is ending has its room still; its controller makes another one, whoever asks for more."""
    objects = [node("a"), queue("default"), *workload("web", 1, "1", on=["a"])]
    for one in objects:
        if one["kind"] in ("Pod", "ReplicaSet"):
            spec = one["spec"] if one["kind"] == "Pod" else one["spec"]["template"]["spec"]
            spec["schedulerName"] = scheduler
    ending = next(one for one in objects if one["kind"] == "Pod")
    ending["metadata"]["deletionTimestamp"] = "2026-05-01T00:00:30Z"
    world = WarmWorld(RunInput(objects=objects, profile=profile))
    found = room_for(world, shape_like(world, "ReplicaSet/default/web"))
    assert (found.fit, sum(pool.fit for pool in found.pools)) == (2, 2)


def volcano_job(name, replicas, least, cpu="1", **spec):
    resources = {"requests": {"cpu": cpu}}
    task = {"name": "a", "replicas": replicas}
    task["template"] = {"spec": {"containers": [{"name": "a", "image": "a", "resources": resources}]}}
    metadata = {"name": name, "namespace": "default", "uid": f"job-{name}"}
    spec = {"minAvailable": least, "schedulerName": "volcano", "queue": "default", "tasks": [task], **spec}
    return {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": metadata, "spec": spec}


def placed_jobs(begun, shape, count):
    """Return of so many more jobs how many have their gang placed at the end of a whole run."""
    simulation = Simulation(msgspec.structs.replace(begun, edits=shape.more(count)))
    list(simulation)
    keys = (simulation.workload_of(one.uid) for one in simulation.state().pods() if one.node)
    placed = Counter(key for key in keys if key.startswith(shape.jobs))
    return sum(number >= shape.least for number in placed.values())


def test_of_jobs_that_ask_for_the_same_one_is_a_usual_shape():
    jobs = [volcano_job("first", 2, 2), volcano_job("second", 2, 2), volcano_job("wide", 3, 3)]
    begun = RunInput(objects=[node("n", cpu="9"), queue("default"), *jobs], profile="volcano-1.16")
    world = WarmWorld(begun)
    with world.begun([]) as simulation:
        while simulation.step() is not None:
            pass
        names = [shape.name for shape in usual_shapes(world_after(world, simulation))]
    assert names == ["Job.batch.volcano.sh/default/wide", "Job.batch.volcano.sh/default/first"]


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_one_more_job_counts_once_its_gang_is_placed(driver):
    waits = volcano_job("waits", 9, 9)
    objects = [node("a", cpu="4"), node("b", cpu="3"), queue("default"), volcano_job("train", 3, 2), waits]
    begun = RunInput(objects=objects, profile="volcano-1.16", driver=driver)
    world = WarmWorld(begun)
    shape = shape_like(world, "Job.batch.volcano.sh/default/train")
    found = room_for(world, shape)
    whole = found.fit + found.evicting
    assert (shape.size, found.ended_by, whole > 0) == (2, "first", True)
    assert [placed_jobs(begun, shape, number) for number in (whole, whole + 1)] == [whole, whole]


def test_a_job_that_enters_no_queue_is_none_more():
    objects = [node("a", cpu="9"), queue("default", capability={"cpu": "1"})]
    world = WarmWorld(RunInput(objects=[*objects, volcano_job("train", 2, 2)], profile="volcano-1.16"))
    found = headroom(world, [shape_like(world, "Job.batch.volcano.sh/default/train")]).rooms[0]
    assert (found.fit, found.evicting, found.cause.kind) == (0, 0, "refused")


def test_one_more_of_a_pod_group_is_its_least_number_of_pods():
    objects = [node("a", cpu="4"), node("b", cpu="5"), queue("default"), group("g", 3), *workers("g", 4)]
    shape = shape_like(WarmWorld(RunInput(objects=objects, profile="volcano-1.16")), "PodGroup/default/g")
    assert (shape.size, shape.is_gang, shape.least) == (3, True, 0)
    alone = [one for one in objects if one["kind"] in ("Node", "Queue")]
    assert room(alone, shape, profile="volcano-1.16").fit == 3


def test_what_is_not_played_is_told_with_the_room_and_with_what_would_fit():
    member = pod("member", "9")
    member["spec"]["schedulingGroup"] = {"podGroupName": "gang"}
    world = WarmWorld(RunInput(objects=[node("a"), member], profile="kube-1.36"))
    said = ["1 pod of pod groups, tried one by one: no gang waits to be whole"]
    found = [headroom(world, [of_cpu("1")]), what_would_fit(world, [member["metadata"]["uid"]])]
    assert [one.rests_on.trust.not_modelled for one in found] == [said, said]


@pytest.mark.parametrize(("pods", "fit"), [("1", 0), ("3", 2)])
def test_pods_that_a_quota_keeps_from_being_created_do_not_fit(pods, fit):
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "default"},
        "spec": {"hard": {"pods": pods}},
        "status": {"hard": {"pods": pods}, "used": {"pods": "1"}},
    }
    objects = [node("a", cpu="8"), pod("x", cpu="1", on="a"), quota]
    world = WarmWorld(RunInput(objects=objects))
    found = room_for(world, shape_like(world, "Pod/default/x"))
    assert (found.fit, found.evicting, found.ended_by) == (fit, 0, "first")
    assert found.cause.kind == "not_created"
    assert found.cause.reason.startswith("exceeded quota: few, ")
    begins = f"{fit or 'No'} more of default/x fit. The next one: Is not created: exceeded quota"
    assert plain(lead(found)).startswith(begins)


def test_what_stops_the_next_one_is_told_by_what_cards_lack():
    objects = [
        machine("a", 1),
        machine("b", 1, kind="NVIDIA L40S"),
        machine("c", 1, kind="NVIDIA L40S"),
        node("plain", cpu="8") | {"apiVersion": "v1"},
    ]
    wish = {"nvidia.com/use-gputype": "A100"}
    world = WarmWorld(RunInput(objects=objects, profile="hami-2.10"))
    shape = shape_of_pod("a100", asking("x", 4000)["spec"], annotations=wish)
    found = room_for(world, shape)
    assert found.fit == 2
    assert [(one.lack.kind, one.lack.frees, one.nodes) for one in found.stops] == [
        ("memory", True, 1),
        ("type", False, 2),
        ("unregistered", False, 1),
    ]
    assert plain(lead(found)) == (
        "2 more of a100 fit. What stops the next one: memory of NVIDIA cards of type A100 on 1 node, "
        "no NVIDIA card of type A100 on 2 nodes, no cards on 1 node."
    )
    missing = {"nvidia.com/use-gputype": "H200"}
    none = room_for(world, shape_of_pod("h200", asking("x")["spec"], annotations=missing))
    assert (none.fit, [one.closed for one in none.pools]) == (0, [True])


def test_a_device_class_that_is_not_there_is_named_as_what_stops_the_next_one():
    containers = [{"name": "a", "image": "a", "resources": {"claims": [{"name": "card"}]}}]
    shape = shape_of_pod("card", by_template() | {"containers": containers})
    objects = [one for one in cards(a=2) if one["kind"] != "DeviceClass"]
    found = room_for(WarmWorld(RunInput(objects=objects, profile="kube-1.36")), shape)
    assert plain(lead(found)) == (
        "No more of card fit. What stops the next one: "
        "request card: device class gpu does not exist on 1 node."
    )


RECLAIMING = {
    "actions": "enqueue, allocate, reclaim",
    "tiers": [
        {"plugins": [{"name": name} for name in ("priority", "gang", "predicates", "capacity", "nodeorder")]}
    ],
}


def shared():
    """Return two nodes of which queue `big` holds all but one cpu each, while `own` deserves eight."""
    return [
        node("a", cpu="5"),
        node("b", cpu="5"),
        queue("own", deserved={"cpu": "8"}),
        queue("big", deserved={"cpu": "0"}),
        group("runs", 1, "big", "Running"),
        *(running(worker(f"runs-{name}{at}", "runs", cpu="2", on=name)) for name in "ab" for at in (1, 2)),
    ]


def test_beyond_those_that_evict_stands_what_stops_the_next_one():
    gang = (group("g", 2, "own"), *(as_new(one) for one in workers("g", 2, cpu="2")))
    world = WarmWorld(RunInput(objects=shared(), profile="volcano-1.16", config=RECLAIMING))
    found = headroom(world, [Shape("gang", gang)])
    [one] = found.rooms
    assert (one.fit, one.evicting) == (0, 1)
    assert one.evicted == {"PodGroup/default/runs": 2}, "three of four may go, a gang needs two"
    assert plain(lead(one)) == (
        "No more of gang fit. 1 more would, by evicting others. What stops the next one: cpu on 2 nodes."
    )
    trust = [plain(said) for said in more_fit(found, asked=True).trust]
    assert trust[0] == (
        "Other pods that wait take part: their scheduler decides about all together, in sessions."
    )


def test_pods_that_keep_waiting_since_more_are_there_are_counted():
    first = group("waits", 4, "own", minResources={"cpu": "4"})
    objects = [node("a", cpu="5"), queue("own"), first, *workers("waits", 4, cpu="1")]
    high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}}
    urgent = group("g", 2, "own", priorityClassName="high")
    gang = (urgent, *(as_new(one) for one in workers("g", 2, cpu="1")))
    world = WarmWorld(RunInput(objects=[*objects, high | {"value": 9}], profile="volcano-1.16"))
    found = room_for(world, Shape("gang", gang))
    assert (found.fit, found.held_up) == (2, 4)
    assert "With them 4 other pods keep waiting that would find a node otherwise." in plain(lead(found))
    assert (
        room_for(world, Shape("one", (group("g", 1, "own"), as_new(worker("g", "g", cpu="1"))))).held_up == 0
    )


def test_evicted_pods_of_a_pod_group_are_named_by_it_and_not_as_bare_pods():
    held = [worker(f"low-{on}", "low", cpu="4", on=on, priority=-5) for on in "ab"]
    objects = [node("a", cpu="4"), node("b", cpu="4"), node("c", cpu="4"), group("low", 1), *held]
    alone = pod("alone", "4", on="c", priority=-5)
    found = headroom(WarmWorld(RunInput(objects=[*objects, alone])), [of_cpu("4")])
    assert found.rooms[0].evicted == {"PodGroup/default/low": 2, "": 1}
    [table] = more_fit(found, asked=True).tables
    assert "3: default/low ×2, bare pods ×1" in [plain(cell) for cell in table.rows[0]]


def test_why_a_job_enters_no_queue_is_told_with_the_sum():
    objects = [node("a", cpu="40"), queue("small", capability={"cpu": "3"})]
    world = WarmWorld(RunInput(objects=objects, profile="volcano-1.16"))
    found = room_for(world, shape_of_job("train", volcano_job("train", 2, 2, cpu="2", queue="small")))
    assert found.fit == 0
    assert plain(lead(found)) == (
        "No more of train fit. The next one: Its job may not enter its queue: "
        "queue small allows 3 cpu, 0 held, 0 promised; it asks for 4, 1 too much."
    )


def test_what_is_refused_of_a_shape_is_told_by_its_name():
    job = volcano_job("train", 1, 1, queue="unknown")
    world = WarmWorld(RunInput(objects=[node("a"), queue("default"), job], profile="volcano-1.16"))
    shape = shape_like(world, "Job.batch.volcano.sh/default/train")
    for count in (lambda: headroom(world, [shape]), lambda: room_for(world, shape)):
        with pytest.raises(BadInput) as refused:
            count()
        [problem] = refused.value.problems
        assert (problem.object, problem.field) == (shape.name, "manifest.spec.queue")
