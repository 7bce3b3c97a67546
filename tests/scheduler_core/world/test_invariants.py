"""What must hold of every run, whatever the cluster."""

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import clusters
from tests.scheduler_core.folding import assert_folds_both_ways

examples = settings(max_examples=tries(60))
SCHEDULERS = [
    ("kube-1.36", "instant"),
    ("kube-1.8", "fifo"),
    ("kube-1.9", "instant"),
    ("kube-1.11", "instant"),
    ("kube-1.13", "fifo"),
    ("kube-1.8", "grace"),
    ("kube-1.13", "grace"),
]
kinds = st.tuples(st.sampled_from(["recreate", "none"]), st.sampled_from(SCHEDULERS))


def run_of(objects, kind):
    controllers, (profile, driver) = kind
    return RunInput(objects=objects, controllers=controllers, profile=profile, driver=driver)


def used_cpu(state):
    used = dict.fromkeys((node.name for node in state.nodes()), 0)
    for pod in state.pods():
        if pod.node:
            used[pod.node] += pod.requests.get("cpu", 0)
    return used


@examples
@given(clusters(), kinds)
def test_no_node_ever_holds_more_than_it_has(objects, kind):
    simulation = Simulation(run_of(objects, kind))
    size = {node.name: node.allocatable["cpu"] for node in simulation.base.nodes()}
    for _ in simulation:
        assert all(used <= size[name] for name, used in used_cpu(simulation.state()).items())


@examples
@given(clusters(), kinds)
def test_the_folded_log_is_the_state_forwards_and_backwards(objects, kind):
    simulation = Simulation(run_of(objects, kind))
    assert_folds_both_ways(simulation)


@examples
@given(clusters(), kinds, st.integers(0, 30))
def test_a_resumed_run_is_the_uninterrupted_one(objects, kind, after):
    first = Simulation(run_of(objects, kind))
    for _ in range(after):
        if first.step() is None:
            break
    second = Simulation(run_of(objects, kind), first.checkpoint())
    assert second.state() == first.state()
    assert list(second) == list(first)
    assert second.state() == first.state()


@examples
@given(clusters(), kinds, st.integers(0, 30))
def test_a_run_that_has_ended_goes_back_to_a_checkpoint_and_repeats_itself(objects, kind, after):
    simulation = Simulation(run_of(objects, kind))
    start, checkpoint, log = picture(simulation), simulation.checkpoint(), []
    for decision in simulation:
        log.append(decision)
        if decision.seq == after:
            start, checkpoint = picture(simulation), simulation.checkpoint()
    simulation.restore(checkpoint)
    assert picture(simulation) == start
    again = simulation.seq
    assert list(simulation) == log[again:]


@examples
@given(clusters(), kinds, st.integers(0, 30))
def test_the_state_before_the_first_decision_is_known_wherever_a_run_stands(objects, kind, after):
    first, second = Simulation(run_of(objects, kind)), Simulation(run_of(objects, kind))
    base, trust, log = first.base, first.trust, list(first)
    for _ in range(after):
        second.step()
    here, done = picture(second), second.seq
    assert (second.base, second.trust) == (base, trust)
    assert picture(second) == here
    assert list(second) == log[done:]


@examples
@given(clusters(), kinds)
def test_a_second_run_repeats_the_first(objects, kind):
    assert list(Simulation(run_of(objects, kind))) == list(Simulation(run_of(objects, kind)))


@examples
@given(clusters(), kinds)
def test_undo_restores_the_state_bit_by_bit(objects, kind):
    simulation = Simulation(run_of(objects, kind))
    world = simulation._world
    while True:
        before = picture(simulation)
        turn = world.look()
        if turn is None:
            break
        assert picture(simulation) == before, "looking changes nothing"
        decision = world.apply(turn)
        with world.before():
            assert picture(simulation) == before
        assert world.seq == decision.seq
        world.state.undo_to(0)
        world.seq -= 1
        assert picture(simulation) == before
        simulation.step()


def picture(simulation):
    state = simulation._world.state
    return (
        simulation.checkpoint(),
        msgspec.json.encode(simulation.state()),
        state.requested.tobytes(),
        state.non_zero_cpu.tobytes(),
        state.non_zero_memory.tobytes(),
        state.pod_count.tobytes(),
        state.pod_node.tobytes(),
    )


@examples
@given(clusters(), kinds)
def test_an_explanation_agrees_with_the_log_and_leaves_no_trace(objects, kind):
    explained, plain = Simulation(run_of(objects, kind)), Simulation(run_of(objects, kind))
    for decision in plain:
        explanation = explained.explain()
        assert explanation.decision == decision
        for row in explanation.nodes():
            answer = explanation.node(row.node)
            failing = [entry.plugin for entry in answer.filters if entry.code]
            if answer.first_failure:
                assert answer.first_failure == row.status.plugin
                assert failing or answer.nominated_pods_counted
        assert explained.state() == plain.state()
