"""Preemption's dry run in columns is what it would be node by node, and by asking every filter."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework import Cycle, View
from scheduler_core.kube.nominated import Room
from scheduler_core.kube.preemption.dry_run import DryRuns, _potential_victims, dry_run, sort_by_importance
from scheduler_core.state.build import build_state
from scheduler_core.world import RunInput, Simulation
from tests.builders import container, node, pod
from tests.portions import tries

GPU = "nvidia.com/gpu"
requests = st.fixed_dictionaries(
    {},
    optional={
        "cpu": st.sampled_from(["100m", "700m", "1", "2", str(2**61)]),
        "memory": st.sampled_from(["1Gi", "3Gi", str(2**62)]),
        GPU: st.sampled_from(["1", "2"]),
    },
)
STARTS = [None, "2026-05-01T00:00:00Z", "2026-05-01T00:00:01Z", "2026-05-01T00:00:02Z"]
residents = st.tuples(requests, st.integers(0, 3), st.sampled_from(STARTS))
fleets = st.lists(
    st.tuples(st.sampled_from(["1", "2", "4"]), st.sampled_from(["2", "3", "110"]), st.lists(residents)),
    min_size=1,
    max_size=4,
)


def asking(name, asked, priority, **parts):
    return pod(name, containers=[container(requests=asked)], spec={"priority": priority}, **parts)


def cluster(fleet, asked, promised, budget):
    objects = []
    for place, (cpu, pods, members) in enumerate(fleet):
        made = node(f"n{place}", cpu=cpu, pods=pods)
        made["status"]["allocatable"][GPU] = "2"
        objects.append(made)
        for number, (amounts, priority, start) in enumerate(members):
            status = {"phase": "Running", **({"startTime": start} if start else {})}
            labels = {"app": f"a{number % 2}"}
            name = f"p{place}-{number}"
            objects.append(asking(name, amounts, priority, on=f"n{place}", status=status, labels=labels))
    if budget:
        objects.append(
            {
                "apiVersion": "policy/v1",
                "kind": "PodDisruptionBudget",
                "metadata": {"name": "b", "namespace": "default"},
                "spec": {"selector": {"matchLabels": {"app": "a1"}}},
                "status": {"disruptionsAllowed": 0},
            }
        )
    objects += [asking("promised", {"cpu": "700m"}, 5), asking("preemptor", asked, 2)]
    state = build_state(objects).state
    rows = {info.name: info.row for info in state.pods.infos}
    if promised:
        state.nominate(rows["promised"], "n0")
    return state, rows["preemptor"]


def columns(state, preemptor):
    """The dry run on all nodes, as lists."""
    cycle = Cycle(state, state.pods.infos[preemptor])
    profile = build_profiles(None)["default-scheduler"]
    profile.run_pre_filter(cycle)
    runs = dry_run(DryRuns, Room(profile, View(cycle)), preemptor, state.nodes.all)
    return [
        each.tolist()
        for each in (runs.owner, runs.pods, runs.violates, runs.condemned, runs.plugin, runs.code)
    ]


@settings(max_examples=tries(80), deadline=None)
@given(fleets, requests, st.booleans(), st.booleans())
def test_where_only_room_counts_the_filters_would_say_the_same(fleet, asked, promised, budget):
    state, preemptor = cluster(fleet, asked, promised, budget)
    by_room = columns(state, preemptor)
    only = Room.only_filter
    Room.only_filter = lambda self: None
    try:
        assert columns(state, preemptor) == by_room
    finally:
        Room.only_filter = only


def test_room_alone_is_looked_at_where_it_alone_counts():
    fleet = [("4", "110", [({"cpu": "1"}, 0, None)] * 3)]
    state, preemptor = cluster(fleet, {"cpu": "2"}, False, False)
    cycle = Cycle(state, state.pods.infos[preemptor])
    profile = build_profiles(None)["default-scheduler"]
    profile.run_pre_filter(cycle)
    _, plugin = Room(profile, View(cycle)).only_filter()
    slack = plugin.slack(View(cycle), np.array([0]))
    # One of 4 CPUs is left beside three pods; 2 are asked for.
    assert slack.take(np.array([0]), np.array([0])).tolist() != [0]
    assert [one.tolist() for one in slack.amounts] == [[-1000]]


@settings(max_examples=tries(80), deadline=None)
@given(fleets, st.randoms())
def test_victims_are_those_of_each_node_in_the_order_of_its_list(fleet, random):
    state, preemptor = cluster(fleet, {"cpu": "1"}, False, False)
    for pods in state.node_pods:
        if pods and random.random() < 0.5:
            # Who leaves and comes back is at the end of the list.
            mover, name = random.choice(pods), state.nodes.names[state.pod_node[pods[0]]]
            state.free_room(mover, name)
            state.take_room(mover, name)
    nodes = np.array([row for row in state.nodes.all.tolist() if random.random() < 0.8], dtype=np.int64)
    owner, pods = _potential_victims(state, preemptor, nodes, DryRuns.importance)
    expected = [
        (run, victim)
        for run, row in enumerate(nodes.tolist())
        for victim in sort_by_importance(
            state, [one for one in state.node_pods[row] if state.pods.priority[one] < 2]
        )
    ]
    assert list(zip(owner.tolist(), pods.tolist(), strict=True)) == expected


def test_a_search_without_nodes_needs_no_prefilter():
    """As the real scheduler (v1.36.1) answers: nothing is to be put back, so nobody asks what is left."""
    switched_off = {"preFilter": {"disabled": [{"name": "NodeResourcesFit"}]}}
    config = {
        "apiVersion": "kubescheduler.config.k8s.io/v1",
        "kind": "KubeSchedulerConfiguration",
        "profiles": [{"schedulerName": "default-scheduler", "plugins": switched_off}],
    }
    elsewhere = asking("high", {"cpu": "1"}, 10)
    elsewhere["spec"]["nodeSelector"] = {"disk": "ssd"}
    objects = [node("n", cpu="1"), asking("low", {"cpu": "1"}, 0, on="n"), elsewhere]
    decision = Simulation(RunInput(objects=objects, config=config)).step()
    assert decision.message == (
        "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to "
        "deallocate, preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling."
    )
