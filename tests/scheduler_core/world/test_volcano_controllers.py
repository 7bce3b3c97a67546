"""Volcano's controllers in a run without a clock: what they decide, and that the log holds all of it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import encoder
from scheduler_core.events.fold import Fold
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.world import Simulation
from scheduler_core.world.consolidation.consolidating import consolidation
from scheduler_core.world.setting_up.companions import read_companions
from scheduler_core.world.trials.warm_world import WarmWorld
from tests.scheduler_core.clusters import pod
from tests.scheduler_core.world.jobs import command, job, reconciled, run_input


def lines_of(simulation):
    return [encoder.encode(decision) for decision in simulation]


def play(*objects, **more):
    simulation = Simulation(run_input(*objects, **more))
    return simulation, list(simulation)


def test_a_job_gets_a_group_then_a_queue_then_pods_then_nodes():
    simulation, decisions = play(job("train", 3))
    kinds = [one.__struct_config__.tag for one in decisions]
    of_job = [one for one in reconciled(decisions) if one.object == "Job ml/train"]
    made, filled, runs = of_job
    assert (made.created, made.phase_before, made.phase) == (["PodGroup ml/train-uid-train"], "", "Pending")
    assert filled.created == [f"Pod ml/train-worker-{index}" for index in range(3)]
    assert kinds[filled.cause - 1] == "enqueue"
    assert (runs.event, runs.phase_before, runs.phase) == ("PodRunning", "Pending", "Running")
    assert (kinds[runs.cause - 1], decisions[runs.cause - 1].outcome) == ("gang", "committed")
    placed = {one.name: one.node for one in simulation.state().pods()}
    assert all(placed[f"train-worker-{index}"] for index in range(3))
    assert simulation.state().tables["jobs"]["ml/train"]["running"] == 3


def test_a_job_without_room_stays_outside_its_queue_and_has_no_pods():
    simulation, decisions = play(job("train", 20))
    assert [one.created for one in reconciled(decisions) if one.created] == [["PodGroup ml/train-uid-train"]]
    assert simulation.state().tables["jobs"]["ml/train"]["phase"] == "Pending"
    assert not simulation.state().pods()


def test_a_pod_without_a_group_gets_one_and_a_node():
    simulation, decisions = play(pod("alone", cpu="1", schedulerName="volcano"))
    [made] = [one for one in reconciled(decisions) if one.controller == "podgroup"]
    [row] = simulation.state().pods()
    assert (made.object, made.updated) == ("Pod default/alone", ["Pod default/alone"])
    assert f"PodGroup {row.group}" == made.created[0]
    assert row.node == "n0"


def begun_job(least, *nodes):
    """Return a job whose pods run on these nodes, and then these pods."""
    made = job("train", len(nodes), minAvailable=least)
    made["status"] = {"state": {"phase": "Running"}, "minAvailable": least, "running": len(nodes)}
    owner = {"apiVersion": made["apiVersion"], "kind": "Job", "name": "train", "uid": "uid-train"}
    pods = []
    for index, name in enumerate(nodes):
        one = pod(f"train-worker-{index}", cpu="1", schedulerName="volcano", nodeName=name)
        one["metadata"] |= {
            "namespace": "ml",
            "annotations": {
                "scheduling.k8s.io/group-name": "train-uid-train",
                "volcano.sh/job-name": "train",
                "volcano.sh/job-version": "0",
                "volcano.sh/task-spec": "worker",
            },
            "ownerReferences": [owner | {"controller": True}],
        }
        one["status"] = {"phase": "Running"}
        pods.append(one)
    return made, *pods


def test_an_evicted_pod_of_a_job_is_made_anew_by_the_jobs_controller_under_its_name():
    edits = [{"op": "cordon", "node": "n0"}, {"op": "evict", "pod": "ml/train-worker-0"}]
    running = Simulation(run_input(job("train", 1)))
    list(running)
    old, stored = begun_job(1, "n0")
    simulation, decisions = play(old, stored, edits=edits)
    evicted = next(one for one in decisions if one.__struct_config__.tag == "eviction")
    made = next(one for one in reconciled(decisions) if one.created == ["Pod ml/train-worker-0"])
    assert evicted.outcome == "evicted"
    assert made.cause is not None
    [row] = simulation.state().pods()
    assert (row.name, row.node, row.replaces) == ("train-worker-0", "n1", stored["metadata"]["uid"])


@pytest.mark.parametrize("driver", ["instant", "timed"])
def test_evicted_pods_of_a_job_are_followed_to_those_in_their_place(driver):
    cluster = run_input(*begun_job(2, "n0", "n1"), nodes=3, driver=driver)
    world = WarmWorld(cluster)
    found = world.trial([{"op": "drain", "node": "n0"}])
    [copy] = [one for one in found.pods if one.replaces]
    assert (copy.replaces, copy.pod.name) == (found.evictions[0].pod.uid, "train-worker-0")
    assert copy.node in ("n1", "n2")
    assert {one.node for one in consolidation(world).freed} == {"n2", "n0"}, "one node has room for both"


def test_a_restarted_jobs_pods_are_in_nobodys_place():
    old, *stored = begun_job(2, "n0", "n1")
    old["spec"]["policies"] = [{"event": "PodEvicted", "action": "RestartJob"}]
    simulation, _ = play(old, *stored, edits=[{"op": "evict", "pod": "ml/train-worker-0"}])
    places = {row.name: row.replaces for row in simulation.state().pods()}
    assert places == {"train-worker-0": stored[0]["metadata"]["uid"], "train-worker-1": None}


def test_what_a_jobs_plugins_made_before_the_run_is_there_without_being_in_the_snapshot():
    running = job("train", 1, plugins={"svc": [], "ssh": []})
    running["status"] = {
        "state": {"phase": "Running"},
        "minAvailable": 1,
        "controlledResources": {"plugin-svc": "svc", "plugin-ssh": "ssh"},
    }
    hosts = {
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": "train-svc", "namespace": "ml", "uid": "u"},
        "data": {"worker.host": "train-worker-0.train"},
    }
    for objects in ([running], [running, hosts]):
        imported, _ = withhold_private(objects)
        _, decisions = play(*imported, command("AbortJob", "train"))
        done = reconciled(decisions)
        assert [name for one in done for name in one.created + one.updated if "train-svc" in name] == []
        gone = [name for one in done for name in one.deleted if not name.startswith(("Command", "Pod"))]
        assert sorted(gone) == [
            "ConfigMap ml/train-svc",
            "NetworkPolicy ml/train",
            "Secret ml/train-ssh",
            "Service ml/train",
        ]


def test_a_command_is_taken_and_aborts_its_job():
    simulation, decisions = play(job("train"), command("AbortJob", "train"))
    taken, *_ = [one for one in reconciled(decisions) if one.deleted == ["Command ml/order"]]
    assert (taken.object, taken.event, taken.action) == ("Job ml/train", "CommandIssued", "AbortJob")
    assert simulation.state().tables["jobs"]["ml/train"]["phase"] == "Aborted"


def test_a_queue_is_open_and_below_root_before_the_run_and_is_closed_by_a_command():
    queue = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": "side"},
        "spec": {"weight": 1},
    }
    order = command("CloseQueue", "side")
    order["target"] |= {"apiVersion": "scheduling.volcano.sh/v1beta1", "kind": "Queue"}
    simulation, decisions = play(queue, order)
    before = simulation.base.tables["queues"]["side"]
    assert (before["parent"], before["state"]) == ("root", "Open")
    taken, closed = reconciled(decisions)
    assert (taken.object, taken.deleted) == ("Queue side", ["Command ml/order"])
    assert (closed.action, closed.phase_before, closed.phase) == ("CloseQueue", "Open", "Closed")
    assert [one.message for one in closed.told] == ["Close queue succeed"]
    assert simulation.state().tables["queues"]["side"]["state"] == "Closed"


def test_without_controllers_nobody_makes_pods():
    _, decisions = play(job("train"), controllers="none")
    assert reconciled(decisions) == []


def test_pods_of_a_job_for_another_scheduler_are_tried_by_that_one():
    beside = read_companions([{"scheduler": "kube-scheduler"}])
    mixed = job("train", 2, schedulerName="default-scheduler")
    _, decisions = play(mixed, beside=beside)
    bound = [one.pod.name for one in decisions if one.__struct_config__.tag == "attempt"]
    assert bound == ["train-worker-0", "train-worker-1"]


# -- the log, checkpoints ------------------------------------------------------------------------------


def clusters():
    one = st.tuples(
        st.integers(1, 5),
        st.sampled_from(["1", "2"]),
        st.sampled_from([None, "AbortJob", "RestartJob", "TerminateJob", "CompleteJob"]),
        st.booleans(),
        st.integers(0, 3),
    )
    return st.lists(one, min_size=1, max_size=3)


def objects_of(drawn):
    found = []
    for number, (replicas, cpu, action, lasts, least) in enumerate(drawn):
        made = job(f"j{number}", replicas, cpu=cpu, minAvailable=min(least or replicas, replicas))
        if not lasts:
            made["spec"]["ttlSecondsAfterFinished"] = 0
        found.append(made)
        if action:
            found.append(command(action, f"j{number}", f"order-{number}"))
    return [*found, pod("alone", cpu="1", schedulerName="volcano")]


@settings(max_examples=8)
@given(clusters())
def test_a_run_folds_forwards_and_backwards_and_goes_on_from_any_checkpoint(drawn):
    given_input = run_input(*objects_of(drawn))
    simulation = Simulation(given_input)
    fold, decisions, checkpoints = Fold(simulation.base), [], []
    while (decision := simulation.step()) is not None:
        fold.apply(decision)
        decisions.append(decision)
        if decision.seq % 3 == 1:
            checkpoints.append(simulation.checkpoint())
            assert fold.state() == simulation.state(), decision.seq
    for decision in reversed(decisions):
        fold.revert(decision)
    assert fold.state() == simulation.base
    whole = [encoder.encode(decision) for decision in decisions]
    for place, checkpoint in enumerate(checkpoints):
        seq = 3 * place + 1
        resumed = Simulation(given_input, checkpoint)
        assert resumed.state().at == seq
        assert lines_of(resumed) == whole[seq:], seq
    simulation.restore(None)
    assert simulation.state() == simulation.base
    assert lines_of(simulation) == whole


@pytest.mark.parametrize("first", ["volcano-1.16", "kube-1.36"])
def test_an_explanation_before_an_attempt_leaves_the_controllers_as_they_were(first):
    other = {"volcano-1.16": "kube-scheduler", "kube-1.36": "volcano"}[first]
    given_input = run_input(
        job("train", 2),
        job("web", 2, schedulerName="default-scheduler"),
        pod("big", cpu="9"),
        profile=first,
        beside=read_companions([{"scheduler": other}]),
    )
    whole = lines_of(Simulation(given_input))
    simulation = Simulation(given_input)
    told = []
    for _ in whole:
        explanation = simulation.explain()
        told.append(encoder.encode(explanation.decision))
    assert told == whole


def test_ports_that_a_plugin_opens_keep_pods_of_the_hosts_network_apart():
    alone = job("train", 3, minAvailable=1, plugins={"mpi": ["--port=2222"]})
    alone["spec"]["tasks"][0]["template"]["spec"]["hostNetwork"] = True
    simulation, _ = play(alone)
    placed = sorted(one.node for one in simulation.state().pods() if one.node)
    assert placed == ["n0", "n1"]
