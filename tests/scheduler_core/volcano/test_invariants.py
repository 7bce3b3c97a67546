"""What must hold of every run of Volcano, whatever the cluster and the configuration."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.events.decisions import encoder
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.run_input import Companion
from tests.portions import tries
from tests.scheduler_core.folding import assert_folds_both_ways
from tests.scheduler_core.volcano.gangs import CONFIGURATIONS, clusters

examples = settings(max_examples=tries(40), suppress_health_check=list(HealthCheck))
controllers = st.sampled_from(["recreate", "none"])


def run_of(objects, config, controllers="none", **more):
    return RunInput(objects=objects, profile="volcano-1.16", config=config, controllers=controllers, **more)


def used(state):
    totals = {node.name: Counter() for node in state.nodes()}
    for pod in state.pods():
        if pod.node:
            totals[pod.node].update(pod.requests)
            totals[pod.node]["pods"] += 1
    return totals


@examples
@given(clusters(), CONFIGURATIONS, controllers)
def test_no_node_ever_holds_more_than_it_has(objects, config, controllers):
    simulation = Simulation(run_of(objects, config, controllers))
    size = {node.name: node.allocatable | {"pods": node.pod_limit} for node in simulation.base.nodes()}
    for _ in simulation:
        for name, amounts in used(simulation.state()).items():
            assert all(amount <= size[name].get(what, 0) for what, amount in amounts.items())


@examples
@given(clusters(), CONFIGURATIONS, controllers)
def test_the_folded_log_is_the_state_forwards_and_backwards(objects, config, controllers):
    simulation = Simulation(run_of(objects, config, controllers))
    assert_folds_both_ways(simulation)


@examples
@given(clusters(), CONFIGURATIONS, controllers, st.data())
def test_a_run_resumed_inside_a_session_is_the_uninterrupted_one(objects, config, controllers, data):
    given_input = run_of(objects, config, controllers)
    whole = [encoder.encode(decision) for decision in Simulation(given_input)]
    stop = data.draw(st.integers(0, len(whole)))
    first = Simulation(given_input)
    begun = [encoder.encode(first.step()) for _ in range(stop)]
    resumed = Simulation(given_input, first.checkpoint())
    assert resumed.seq == stop
    assert begun + [encoder.encode(decision) for decision in resumed] == whole


@examples
@given(clusters(), CONFIGURATIONS)
def test_a_job_is_bound_with_its_minimum_or_not_at_all(objects, config):
    simulation = Simulation(run_of(objects, config))
    least = {
        f"ml/{item['metadata']['name']}": item["spec"]["minMember"]
        for item in objects
        if item["kind"] == "PodGroup"
    }
    held = Counter(f"ml/{pod.name.rpartition('-worker-')[0]}" for pod in simulation.base.pods() if pod.node)
    for decision in simulation:
        if decision.__struct_config__.tag != "gang" or not decision.bound:
            continue
        held[decision.job] += len(decision.bound)
        # Best-effort pods that wait count for the minimum of a job that is bound.
        waiting = sum(
            not pod.requests and not pod.node and pod.name.startswith(decision.job[3:] + "-")
            for pod in simulation.state().pods()
        )
        assert held[decision.job] + waiting >= least[decision.job]


@examples
@given(clusters(), CONFIGURATIONS, st.booleans())
def test_kube_scheduler_beside_volcano_takes_its_own_pods_and_no_room_twice(objects, config, is_first):
    for item in objects:
        if item["kind"] == "Pod" and item["metadata"]["name"].startswith("job-0-"):
            item["spec"]["schedulerName"] = "default-scheduler"
    if is_first:
        given_input = run_of(objects, config, beside=[Companion(name="kube", scheduler="kube-scheduler")])
    else:
        companion = Companion(name="", scheduler="volcano", config=config)
        given_input = RunInput(objects=objects, controllers="none", beside=[companion])
    simulation = Simulation(given_input)
    actors = {"default-scheduler": "kube" if is_first else "kube-scheduler", "volcano": "volcano"}
    names = {pod.uid: pod.scheduler for pod in simulation.base.pods()}
    size = {node.name: node.allocatable | {"pods": node.pod_limit} for node in simulation.base.nodes()}
    for decision in simulation:
        if decision.pod is not None:
            assert decision.actor == actors[names[decision.pod.uid]]
        for name, amounts in used(simulation.state()).items():
            assert all(amount <= size[name].get(what, 0) for what, amount in amounts.items())
