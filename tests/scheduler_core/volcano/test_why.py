"""Why pods wait under Volcano: its four kinds with what was added up, and that asking changes nothing."""

import pytest
import yaml

from dashboard.answers.printers.words import plain
from dashboard.answers.why import why
from dashboard.answers.why_words import words_of
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.explanation import Figure
from scheduler_core.events.sessions import Enqueueing, Gang, SessionClosed, SessionOpened
from scheduler_core.world import RunInput, Simulation
from tests.scheduler_core.clusters import node, pod

GPU = [{"key": "dedicated", "value": "gpu", "effect": "NoSchedule"}]


def queue(name, **spec):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name, "uid": f"queue-{name}"},
        "spec": {"weight": 1, **spec},
        "status": {"state": "Open"},
    }


def group(name, least, queue="default", phase="Pending", **spec):
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": name, "namespace": "default", "uid": f"group-{name}"},
        "spec": {"minMember": least, "queue": queue, **spec},
        "status": {"phase": phase},
    }


def worker(name, of, **settled):
    made = pod(name, **{"schedulerName": "volcano", **settled})
    made["metadata"]["annotations"] = {"scheduling.k8s.io/group-name": of}
    return made


def workers(of, number, **settled):
    return [worker(f"{of}-{place}", of, **settled) for place in range(number)]


def running(one):
    one["status"] = {"phase": "Running"}
    return one


def causes(objects, config=None):
    """Return the causes of all pods that wait, by name, and require that asking changed nothing."""
    simulation = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=config))
    before = simulation.checkpoint()
    names = {one.uid: one.name for one in simulation.state().pods() if not one.node}
    found = {names[uid]: one.cause for uid, one in simulation.whys(names)}
    assert simulation.checkpoint() == before
    assert found.keys() == set(names.values()), "each of them was told why"
    return found


def sums(cause):
    return {one.resource: (one.allowed, one.held, one.promised, one.asked) for one in cause.sums}


def test_a_job_that_overcommit_keeps_out_is_told_with_the_sum():
    objects = [
        node("a", cpu="10"),
        group("runs", 1, phase="Running"),
        worker("runs-0", "runs", cpu="4", on="a"),
        group("before", 1, minResources={"cpu": "5"}, phase="Inqueue"),
        worker("before-0", "before", cpu="12"),
        group("asks", 2, minResources={"cpu": "4"}),
        *workers("asks", 2, cpu="2"),
    ]
    cause = causes(objects)["asks-0"]
    assert (cause.kind, cause.plugin, cause.queue) == ("refused", "overcommit", "default")
    assert sums(cause) == {"cpu": (12_000, 4_000, 5_000, 4_000)}
    played = Simulation(RunInput(objects=objects, profile="volcano-1.16"))
    told = next(one for one in played if isinstance(one, Enqueueing) and one.outcome == "rejected")
    assert (told.lacking, told.sums) == (["overcommit"], cause.sums), "a session says the same"
    assert (cause.gang.job, cause.gang.needed, cause.gang.pods) == ("default/asks", 2, 2)


def test_a_job_that_a_quota_keeps_out_is_told_without_a_sum():
    quota = {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "default"},
        "spec": {"hard": {"cpu": "1"}},
        "status": {"hard": {"cpu": "1"}, "used": {"cpu": "0"}},
    }
    asks = group("asks", 1, minResources={"cpu": "2"})
    plugins = [{"name": name} for name in ("gang", "resourcequota", "proportion")]
    config = {"actions": "enqueue, allocate", "tiers": [{"plugins": plugins}]}
    cause = causes([node("a", cpu="10"), quota, asks, worker("asks-0", "asks", cpu="2")], config)["asks-0"]
    assert (cause.kind, cause.plugin, cause.sums) == ("refused", "resourcequota", [])
    assert "a ResourceQuota of its namespace has no room" in plain(why(cause))


def test_a_job_above_its_queues_capability_is_told_with_the_queues_sum():
    objects = [
        node("a", cpu="10"),
        queue("small", capability={"cpu": "3"}),
        group("runs", 1, "small", "Running", minResources={"cpu": "2"}),
        worker("runs-0", "runs", cpu="2", on="a"),
        group("asks", 1, "small", minResources={"cpu": "2"}),
        worker("asks-0", "asks", cpu="2"),
    ]
    cause = causes(objects)["asks-0"]
    assert (cause.kind, cause.plugin, cause.queue) == ("refused", "proportion", "small")
    assert sums(cause) == {"cpu": (3_000, 2_000, 0, 2_000)}


def test_queues_that_are_no_tree_are_named_for_every_job_and_no_sum_is_made_up():
    """capacity then lets nothing in at all, be it in another queue with room for it."""
    plugins = [{"name": "gang"}, {"name": "capacity", "enableHierarchy": True}, {"name": "predicates"}]
    config = {"actions": "enqueue, allocate", "tiers": [{"plugins": plugins}]}
    inner = [queue("org", parent="root"), queue("team", parent="org"), group("held", 1, "org")]
    asks = [group("asks", 1, "team", minResources={"cpu": "1"}), worker("asks-0", "asks", cpu="1")]
    objects = [node("a", cpu="8"), *inner, worker("held-0", "held", cpu="1"), *asks]
    cause = causes(objects, config)["asks-0"]
    assert (cause.kind, cause.plugin, cause.sums) == ("refused", "capacity", [])
    because = "capacity lets nothing in anywhere while queue org, which has queues below it, has jobs."
    assert plain(why(cause)).endswith(because)
    played = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=config))
    assert all(one.sums == [] for one in played if isinstance(one, Enqueueing))
    orphan = [queue("team", parent="gone"), group("asks", 1, "team", "Inqueue"), asks[1]]
    cause = causes([node("a", cpu="8"), *orphan], config)["asks-0"]
    assert (cause.kind, cause.sums) == ("queue", [])
    assert "while what is above queue team is not there" in cause.reason


@pytest.mark.parametrize("state", ["Closed", "Closing", "Unknown"])
def test_a_queue_that_is_not_open_is_not_said_to_have_its_share(state):
    shut = queue("shut") | {"status": {"state": state}}
    asks = [group("asks", 1, "shut", "Inqueue"), worker("asks-0", "asks", cpu="1")]
    cause = causes([node("a", cpu="8"), shut, *asks])["asks-0"]
    assert (cause.kind, cause.reason) == ("queue", "the queue is not open")
    assert words_of(cause).title == "Queue takes nothing in"
    assert words_of(cause).behind == "for a queue that takes something in"


def test_a_queue_with_its_share_is_told_with_what_it_holds_and_deserves():
    objects = [
        node("a", cpu="8"),
        queue("one"),
        queue("two"),
        group("runs", 1, "one", "Running"),
        worker("runs-0", "runs", cpu="4", on="a"),
        group("other", 1, "two", "Inqueue"),
        worker("other-0", "other", cpu="4"),
        group("asks", 1, "one", "Inqueue"),
        worker("asks-0", "asks", cpu="2"),
    ]
    cause = causes(objects)["asks-0"]
    assert (cause.kind, cause.plugin, cause.queue) == ("queue", "proportion", "one")
    assert sums(cause)["cpu"] == (4_000, 4_000, 0, 2_000)


def test_pods_of_a_gang_that_run_already_are_not_missing():
    objects = [
        node("a", cpu="4"),
        node("b", cpu="4"),
        node("c", cpu="2"),
        queue("default"),
        group("asks", 3, phase="Inqueue"),
        running(worker("asks-runs", "asks", cpu="4", on="a")),
        *workers("asks", 2, cpu="3"),
    ]
    cause = causes(objects)["asks-1"]
    assert (cause.kind, cause.gang.needed, cause.gang.placed) == ("gang", 3, 2), (
        "one runs, one has found room"
    )
    assert "short by 1: 2 of 3 pods found a node, 3 are needed" in plain(why(cause))


def test_what_a_queue_holds_of_the_gang_itself_is_told_apart():
    names = ["gang", "predicates", "capacity", "nodeorder"]
    config = {"actions": "enqueue, allocate", "tiers": [{"plugins": [{"name": name} for name in names]}]}
    objects = [
        node("a", cpu="9"),
        queue("small", capability={"cpu": "6"}),
        group("runs", 1, "small", "Running"),
        worker("runs-0", "runs", cpu="3", on="a"),
        group("asks", 2, "small", "Inqueue"),
        *workers("asks", 2, cpu="2"),
    ]
    cause = causes(objects, config)["asks-1"]
    assert (cause.kind, cause.queue) == ("queue", "small")
    assert sums(cause)["cpu"] == (6_000, 5_000, 0, 2_000), "three are held, and two by the gang's first pod"
    assert plain(why(cause)) == (
        "Queue small would go over its limit: it may hold 6 cpu and holds 5 with 1 other pod of its job, "
        "which needs 2 pods; the pod asks for 2."
    )


def test_of_a_gang_that_would_evict_no_number_of_one_pod_stands_for_all():
    names = ["priority", "gang", "predicates", "capacity", "nodeorder"]
    config = {
        "actions": "enqueue, allocate, reclaim",
        "tiers": [{"plugins": [{"name": name} for name in names]}],
    }
    objects = [
        *(node(name, cpu="4") for name in "abc"),
        queue("one", deserved={"cpu": "8"}),
        queue("two", deserved={"cpu": "0"}),
        group("runs", 1, "two", "Running"),
        *(running(worker(f"runs-{name}", "runs", cpu="4", on=name)) for name in "abc"),
        group("asks", 2, "one", "Inqueue"),
        *workers("asks", 2, cpu="4"),
    ]
    found = causes(objects, config)
    assert {one.kind for one in found.values()} == {"preempts"}
    assert plain(why(found["asks-0"])) == (
        "Would be placed by evicting 1 pod on a, for one of the 2 pods of its job."
    )
    assert "priority" not in words_of(found["asks-0"]).means, "reclaim goes by shares"


def test_a_queue_that_may_reclaim_nothing_is_no_reason_where_it_may_take_the_pod_in():
    names = ["priority", "gang", "predicates", "capacity", "nodeorder"]
    config = {
        "actions": "enqueue, allocate, reclaim",
        "tiers": [{"plugins": [{"name": name} for name in names]}],
    }
    launcher, rank = worker("asks-launcher", "asks", cpu="1"), worker("asks-0", "asks", cpu="6", priority=9)
    for one, role in ((launcher, "launcher"), (rank, "rank")):
        one["metadata"]["annotations"]["volcano.sh/task-spec"] = role
    objects = [
        node("a", cpu="8"),
        node("b", cpu="4"),
        queue("one", deserved={"cpu": "4"}),
        group("runs", 1, "one", "Running"),
        running(worker("runs-0", "runs", cpu="4", on="a")),
        group("asks", 2, "one", "Inqueue"),
        launcher,
        rank,
    ]
    for cause in causes(objects, config).values():
        assert (cause.kind, cause.held[0].reason) == ("nodes", "Insufficient cpu")


def test_where_nobody_can_be_evicted_for_it_a_node_with_room_is_no_reason():
    tiers = [["priority", "gang", "conformance"], ["predicates", "proportion", "nodeorder"]]
    config = {
        "actions": "enqueue, allocate, preempt, backfill",
        "tiers": [{"plugins": [{"name": name} for name in names]} for names in tiers],
    }
    objects = [
        node("a", cpu="8"),
        queue("one", capability={"cpu": "5"}),
        group("runs", 1, "one", "Running"),
        worker("runs-0", "runs", cpu="4", on="a"),
        group("asks", 1, "one", "Inqueue"),
        worker("asks-0", "asks", cpu="2"),
    ]
    cause = causes(objects, config)["asks-0"]
    assert (cause.kind, cause.plugin, sums(cause)["cpu"]) == ("queue", "proportion", (5_000, 4_000, 0, 2_000))


def test_a_job_none_of_whose_pods_fits_is_told_by_the_nearest_node():
    objects = [
        node("a", cpu="3"),
        node("b", cpu="2"),
        node("closed", cpu="8", taints=GPU),
        group("asks", 2, phase="Inqueue"),
        *workers("asks", 2, cpu="4"),
    ]
    for cause in causes(objects).values():
        assert (cause.kind, cause.held[0].reason, cause.held[0].alone) == ("nodes", "Insufficient cpu", 2)
        assert cause.held[0].figure == Figure("cpu", 4000, 3000, "m", 3000)
        assert cause.held[1].particulars == {"dedicated=gpu:NoSchedule": 1}


def test_a_cordon_and_its_taint_are_one_cause():
    cordoned = [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}]
    objects = [
        node("a", cpu="4", unschedulable=True, taints=cordoned),
        node("b", cpu="4", unschedulable=True, taints=[*cordoned, *GPU]),
        queue("default"),
        group("g", 1),
        worker("g-0", "g", cpu="2"),
    ]
    held = causes(objects)["g-0"].held
    assert [(one.plugin, one.nodes, one.alone) for one in held] == [
        ("NodeUnschedulable", 2, 1),
        ("TaintToleration", 1, 0),
    ]


def test_a_pod_that_no_card_takes_is_told_with_the_reasons_of_the_cards():
    [(_, content)], spread = volcano_files("vgpu"), volcano_scenarios("vgpu")[1]["config"]
    cause = causes(list(yaml.safe_load_all(content)), spread)["finetune-0"]
    assert (cause.kind, [one.plugin for one in cause.held]) == ("nodes", ["deviceshare"])
    [held] = cause.held
    assert (held.alone, held.cards) == (2, {"too little memory is left": 4})
    assert "2 have only too few cards that would do: too little memory is left on 4 cards" in plain(
        why(cause)
    )


@pytest.mark.parametrize(
    ("limits", "wish", "why_not"),
    [
        ({"number": "1", "memory": "24577"}, {}, "it has less memory than the pod asks for"),
        ({"number": "1"}, {"volcano.sh/vgpu-mode": "mig"},
         "its node divides cards in another mode than the pod wants"),
        ({"number": "3"}, {}, "its node has fewer cards than the pod asks for"),
        ({"number": "1"}, {"nvidia.com/use-gputype": "H100"}, "it is not of the type that the pod wants"),
    ],
)  # fmt: skip
def test_cards_that_would_not_do_if_they_were_free_are_not_told_as_taken(limits, wish, why_not):
    """Two nodes with two idle cards of 24,576 MiB each, of the type NVIDIA-A10, in the mode hami-core."""
    [(_, content)], binpack = volcano_files("vgpu"), volcano_scenarios("vgpu")[0]["config"]
    objects = [one for one in yaml.safe_load_all(content) if one]
    [pod] = [one for one in objects if one["metadata"]["name"] == "notebook-0" and one["kind"] == "Pod"]
    asked = {f"volcano.sh/vgpu-{name}": amount for name, amount in limits.items()}
    pod["spec"]["containers"][0]["resources"]["limits"] = asked
    pod["metadata"]["annotations"] |= wish
    kept = [one for one in objects if one["kind"] != "Pod"]
    cause = causes([*kept, pod], binpack)["notebook-0"]
    [held] = cause.held
    assert held.cards == {why_not: 4}
    assert f"2 have only too few cards that would do: {why_not} on 4 cards" in plain(why(cause))


def test_a_plugin_of_volcanos_own_that_refuses_nodes_is_told():
    grouped = node("a", labels={"volcano.sh/nodegroup-name": "blue"})
    affinity = {"nodeGroupAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": ["green"]}}
    objects = [grouped, queue("green", affinity=affinity), group("asks", 1, "green", phase="Inqueue")]
    tiers = [{"plugins": [{"name": name} for name in ("gang", "predicates", "nodegroup")]}]
    config = {"actions": "enqueue, allocate", "tiers": tiers}
    cause = causes([*objects, worker("asks-0", "asks")], config)["asks-0"]
    assert [(one.plugin, one.alone) for one in cause.held] == [("nodegroup", 1)]


def test_a_gang_that_is_short_says_by_how_many_and_who_is_missing():
    objects = [
        node("a", cpu="3"),
        node("b", cpu="3"),
        group("asks", 3, phase="Inqueue"),
        *workers("asks", 3, cpu="2"),
    ]
    found = causes(objects)
    for cause in found.values():
        assert cause.kind == "gang"
        assert (cause.gang.needed, cause.gang.placed, cause.gang.missing) == (3, 2, "asks-2")
        assert cause.held[0].figure == Figure("cpu", 2000, 1000, "m", 3000)


def test_a_gang_that_lacks_pods_of_one_task_alone_is_told_with_that_tasks_numbers():
    """Four of five have a node, as many as the job needs: but of task b it needs two."""
    of_tasks = group("asks", 4, phase="Inqueue", minTaskMember={"a": 2, "b": 2})
    pods = [*workers("asks", 4, cpu="1"), worker("asks-4", "asks", cpu="9")]
    for place, one in enumerate(pods):
        one["metadata"]["annotations"]["volcano.sh/task-spec"] = "a" if place < 3 else "b"
    cause = causes([node("a", cpu="8"), node("b", cpu="8"), of_tasks, *pods])["asks-4"]
    assert (cause.kind, cause.gang.needed, cause.gang.placed, cause.gang.pods) == ("gang", 4, 4, 5)
    task = cause.gang.task
    assert (task.job, task.needed, task.placed, task.pods) == ("b", 2, 1, 2)
    said = plain(why(cause))
    assert said.startswith(
        "Its job is short by 1: 1 of 2 pods of task b found a node, 2 are needed; for asks-4, 2 lack only cpu"
    )


def test_a_gang_without_enough_pods_is_told():
    cause = causes([node("a"), group("asks", 3, phase="Inqueue"), *workers("asks", 2)])["asks-0"]
    assert (cause.kind, cause.reason) == (
        "gang",
        "Not enough valid tasks for gang-scheduling, valid: 2, min: 3",
    )


def test_what_sessions_look_away_from_is_told():
    objects = [
        node("a"),
        worker("alone", ""),
        worker("lost", "gone"),
        group("astray", 1, "nowhere"),
        worker("astray-0", "astray"),
    ]
    del objects[1]["metadata"]["annotations"]
    found = causes(objects)
    assert {cause.kind for cause in found.values()} == {"ignored"}
    assert found["alone"].reason == "it is of no pod group, and sessions look at pod groups alone"
    assert found["lost"].reason.startswith("its pod group default/gone does not exist")
    assert found["astray-0"].reason.startswith("queue nowhere does not exist")


def test_a_node_that_a_session_gives_without_binding_is_no_placement():
    """reclaim pipelines two pods where it evicts nobody; allocate then keeps the third unbound, too."""
    tiers = [["priority", "gang", "conformance"], ["predicates", "proportion", "nodeorder"]]
    config = {
        "actions": "enqueue, reclaim, allocate, backfill",
        "tiers": [{"plugins": [{"name": name} for name in names]} for names in tiers],
    }
    objects = [
        node("a", cpu="6"),
        node("b", cpu="2"),
        queue("one"),
        queue("two"),
        group("runs", 1, "two", "Running"),
        running(worker("runs-0", "runs", cpu="2", on="a")),
        group("asks", 2, "one", "Inqueue"),
        *workers("asks", 3, cpu="2"),
    ]
    found = causes(objects, config)
    assert {name: (cause.kind, cause.chosen) for name, cause in found.items()} == {
        "asks-0": ("unbound", "a"),
        "asks-1": ("unbound", "a"),
        "asks-2": ("unbound", "b"),
    }
    assert plain(why(found["asks-2"])) == (
        "Is given a node and not bound: b; nothing of its job is bound until 2 of its pods can be."
    )
    run = Simulation(RunInput(objects=objects, profile="volcano-1.16", config=config))
    for _ in run:
        pass
    assert [one.name for one in run.state().pods() if not one.node] == ["asks-0", "asks-1", "asks-2"]


def test_a_gate_is_told():
    gated = worker("asks-0", "asks", schedulingGates=[{"name": "later"}])
    cause = causes([node("a"), group("asks", 1, phase="Inqueue"), gated])["asks-0"]
    assert (cause.kind, cause.reason) == ("gated", "waiting for scheduling gates: [later]")


@pytest.mark.parametrize("cluster", ["gang", "queues", "priority", "hyper_nodes", "sub_groups"])
def test_asking_before_and_after_a_run_changes_nothing(cluster):
    scenario = volcano_scenarios(cluster)[0]
    objects = list(yaml.safe_load_all(volcano_files(cluster)[0][1]))
    given = RunInput(objects=objects, profile=scenario["profile"], config=scenario.get("config"))
    asked, plain = Simulation(given), Simulation(given)
    for _ in range(2):
        before = asked.checkpoint()
        assert list(asked.whys([one.uid for one in asked.state().pods() if not one.node])) is not None
        assert asked.checkpoint() == before
        assert list(asked) == list(plain)


def test_nobody_is_asked_while_a_session_is_open():
    objects = [node("a", cpu="1"), group("asks", 1, phase="Inqueue"), worker("asks-0", "asks", cpu="2")]
    simulation = Simulation(RunInput(objects=objects, profile="volcano-1.16"))
    simulation.step()
    with pytest.raises(LookupError, match="a session is open"):
        simulation.why("pod-asks-0")


@pytest.mark.parametrize("cluster", ["gang", "queues", "priority", "vgpu", "hyper_nodes", "sub_groups"])
def test_what_is_told_within_a_session_becomes_what_its_end_tells_and_nothing_changes(cluster):
    scenario = volcano_scenarios(cluster)[0]
    objects = list(yaml.safe_load_all(volcano_files(cluster)[0][1]))
    given = RunInput(objects=objects, profile=scenario["profile"], config=scenario.get("config"))
    simulation, before = Simulation(given), Simulation(given)
    for decision in Simulation(given):
        simulation.step()
        if isinstance(decision, SessionOpened):
            break
        before.step()
    steps = next(n for n, one in enumerate(Simulation(given), 1) if isinstance(one, SessionClosed))
    steps -= simulation.seq + 1
    waiting = [one.uid for one in before.state().pods() if not one.node]
    held = simulation.checkpoint()
    for uid in waiting:
        ended, there = before.why(uid).cause, simulation.why_in_session(uid, steps).cause
        assert there == ended or (there.kind, ended.kind) == ("untried", "untried")
        assert simulation.why_in_session(uid, 0).cause.kind in ("untried", "gang", "gated", "ignored")
    assert simulation.checkpoint() == held
    simulation.step()
    with pytest.raises(LookupError, match="just opened"):
        simulation.why_in_session(waiting[0], 0)


def test_a_job_of_an_import_that_is_written_by_hand_has_the_defaults_of_the_webhook():
    """No API server has one without a queue: its controller would end it, since no queue has no name."""
    spec = {"containers": pod("x", cpu="1")["spec"]["containers"]}
    tasks = [{"name": "w", "replicas": 2, "template": {"spec": spec}}]
    for status in ({}, {"state": {"phase": "Pending"}}):
        job = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}}
        job |= {"spec": {"tasks": tasks}, "status": status}
        played = Simulation(RunInput(objects=[node("a", cpu="8"), job], profile="volcano-1.16"))
        gangs = [one for one in played if isinstance(one, Gang)]
        assert [(one.outcome, one.queue, one.min_available) for one in gangs] == [("committed", "default", 2)]


def test_a_queue_of_an_import_that_says_no_state_is_open_for_jobs_of_edits_too():
    """Its controller opens it at once: only a manifest by hand says no state."""
    spec = {"containers": pod("x", cpu="1")["spec"]["containers"]}
    tasks = [{"name": "w", "replicas": 1, "template": {"spec": spec}}]
    job = {"apiVersion": "batch.volcano.sh/v1alpha1", "kind": "Job", "metadata": {"name": "train"}}
    add = {"op": "add", "manifest": job | {"spec": {"queue": "mine", "tasks": tasks}}}
    new = {name: value for name, value in queue("mine").items() if name != "status"}
    played = Simulation(RunInput(objects=[node("a", cpu="8"), new], edits=[add], profile="volcano-1.16"))
    assert [one.outcome for one in played if isinstance(one, Gang)] == ["committed"]
