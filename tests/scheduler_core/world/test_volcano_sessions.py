"""Volcano in the world: checkpoints inside a session, the fold, and kube-scheduler beside it."""

import itertools

import msgspec
import pytest
import yaml

from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.decisions import encoder
from scheduler_core.events.fold import Fold
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.setting_up.companions import read_companions
from tests.portions import recorded_cases
from tests.scheduler_core.clusters import node, pod

CLUSTERS = ("gang", "queues", "priority")
FABRICS = ("topology", "subgroups", "gangevict")
"""Recorded families with hyper nodes."""


def input_of(cluster):
    if cluster in FABRICS:
        case = next(case for case in recorded_cases(f"volcano/{cluster}") if "sessions" in case["tags"])
        return RunInput(objects=case["cluster"]["items"], profile="volcano-1.16", config=case["config"])
    scenario = volcano_scenarios(cluster)[0]
    return RunInput(
        objects=list(yaml.safe_load_all(volcano_files(cluster)[0][1])),
        profile=scenario["profile"],
        config=scenario.get("config"),
    )


def lines_of(simulation):
    return [encoder.encode(decision) for decision in simulation]


@pytest.mark.parametrize("cluster", [*CLUSTERS, "topology"])
def test_a_run_goes_on_byte_for_byte_from_a_checkpoint_after_any_step(cluster):
    given = input_of(cluster)
    whole = lines_of(Simulation(given))
    simulation, checkpoints = Simulation(given), []
    while simulation.step() is not None:
        checkpoints.append(simulation.checkpoint())
    assert len(checkpoints) == len(whole)
    for seq, checkpoint in enumerate(checkpoints, start=1):
        resumed = Simulation(given, checkpoint)
        assert resumed.seq == seq
        assert lines_of(resumed) == whole[seq:], seq


@pytest.mark.parametrize("cluster", [*CLUSTERS, "topology"])
def test_one_simulation_is_taken_to_any_step_forwards_and_backwards(cluster):
    given = input_of(cluster)
    simulation = Simulation(given)
    states, checkpoints = [simulation.state()], [None]
    while simulation.step() is not None:
        states.append(simulation.state())
        checkpoints.append(simulation.checkpoint())
    places = range(0, len(states), 3)
    for seq in itertools.chain(reversed(places), places):
        simulation.restore(checkpoints[seq])
        assert simulation.state() == states[seq], seq


@pytest.mark.parametrize("cluster", [*CLUSTERS, *FABRICS])
def test_the_log_folds_to_the_state_after_each_step_and_back(cluster):
    simulation = Simulation(input_of(cluster))
    fold, decisions = Fold(simulation.base), []
    for decision in simulation:
        fold.apply(decision)
        decisions.append(decision)
        assert fold.state() == simulation.state(), decision.seq
    for decision in reversed(decisions):
        fold.revert(decision)
    assert fold.state() == simulation.base


def mixed(first):
    """Two nodes of four CPUs; six pods of one CPU for each scheduler, in a gang and alone."""
    group = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "PodGroup",
        "metadata": {"name": "train", "namespace": "default"},
        "spec": {"minMember": 3, "queue": "default"},
        "status": {"phase": "Inqueue"},
    }
    queue = {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": "default"},
        "spec": {"weight": 1},
        "status": {"state": "Open"},
    }
    objects = [node("n1", cpu="4"), node("n2", cpu="4"), group, queue]
    for number in range(6):
        of_gang = pod(f"train-{number}", cpu="1", schedulerName="volcano")
        of_gang["metadata"].setdefault("annotations", {})["scheduling.k8s.io/group-name"] = "train"
        objects += [of_gang, pod(f"web-{number}", cpu="1")]
    other = {"volcano-1.16": "kube-scheduler", "kube-1.36": "volcano"}[first]
    return RunInput(objects=objects, profile=first, beside=read_companions([{"scheduler": other}]))


@pytest.mark.parametrize("first", ["volcano-1.16", "kube-1.36"])
def test_volcano_and_kube_scheduler_share_a_cluster_each_with_its_own_pods(first):
    given = mixed(first)
    simulation = Simulation(given)
    fold, placed = Fold(simulation.base), {}
    for decision in simulation:
        fold.apply(decision)
        state = fold.state()
        assert state == simulation.state()
        for name in ("n1", "n2"):
            there = [one for one in state.pods() if one.node == name]
            assert sum(one.requests["cpu"] for one in there) <= 4000
        for one in state.pods():
            if one.node:
                placed.setdefault(one.uid, decision.actor)
    own = {one.uid: one.scheduler for one in simulation.base.pods()}
    assert {(own[uid], actor) for uid, actor in placed.items()} == {
        ("volcano", "volcano"),
        ("default-scheduler", "kube-scheduler" if first == "kube-1.36" else "default-scheduler"),
    }
    assert len(placed) == 8
    whole = lines_of(Simulation(given))
    for seq in range(1, len(whole), 4):
        stopped = Simulation(given)
        for _ in range(seq):
            stopped.step()
        assert lines_of(Simulation(given, stopped.checkpoint())) == whole[seq:], seq


@pytest.mark.parametrize("first", ["volcano-1.16", "kube-1.36"])
def test_a_pod_waits_once_in_a_mixture_for_the_scheduler_that_it_asks_for(first):
    simulation = Simulation(mixed(first))
    assert len(list(simulation.base.waiting())) == 12
    assert simulation.base.of_sessions() == {"volcano"}
    for _ in simulation:
        pods = [uid for uid, _ in simulation.state().waiting()]
        assert len(pods) == len(set(pods))


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_the_shares_that_are_foretold_are_those_of_the_session_that_opens_and_change_nothing(cluster):
    simulation = Simulation(input_of(cluster))
    before, foretold = simulation.state(), simulation.queue_shares()
    assert simulation.state() == before
    simulation.step()
    opened = simulation.state().tables["queues"]
    assert msgspec.to_builtins(foretold) == {name: dict(row) for name, row in opened.items()}
    with pytest.raises(LookupError):
        simulation.queue_shares()
