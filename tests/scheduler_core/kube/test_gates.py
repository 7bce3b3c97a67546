"""Feature gates: those that change a decision are played or refused, never passed over."""

import pytest

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.v1_33 import V1_33
from scheduler_core.kube.framework_releases.v1_37 import V1_37
from scheduler_core.kube.gates import DEFAULT_GATES, Gates, GroupGates, defaults_of, read_gates
from scheduler_core.kube.known_gates import READ, UNREAD
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.builders import node, pod


def test_without_gates_a_play_has_those_of_the_scheduler():
    assert read_gates(None) == read_gates({}) == DEFAULT_GATES == Gates(compares_taints=False)
    assert read_gates({"TaintTolerationComparisonOperators": True}) == Gates(compares_taints=True)
    assert not DEFAULT_GATES.pod_groups.groups


def test_gates_of_pod_groups_are_read_one_by_one():
    gates = read_gates({"GenericWorkload": True, "GangScheduling": True, "WorkloadAwarePreemption": True})
    assert gates.pod_groups == GroupGates(groups=True, gangs=True, preempts_for_groups=True)


def test_defaults_are_those_of_the_release():
    assert defaults_of("1.36")["GenericWorkload"] is False
    assert defaults_of("1.36")["DRAExtendedResource"] is True
    assert "DynamicResourceAllocation" not in defaults_of("1.36")  # locked
    assert (defaults_of("1.32")["PodLevelResources"], defaults_of("1.34")["PodLevelResources"]) == (
        False,
        True,
    )
    assert not UNREAD & set(READ)


@pytest.mark.parametrize(
    ("gates", "said"),
    [
        ({"GenericWorklod": True}, "GenericWorklod: is no feature gate of Kubernetes 1.36"),
        ({"AllAlpha": True}, "name each"),
        ({"DynamicResourceAllocation": False}, "is locked to true since 1.35"),
        ({"WorkloadAwarePreemption": True, "GenericWorkload": True}, "can't be on without GangScheduling"),
        ({"GenericWorkload": "yes"}, "featureGates.GenericWorkload: must be true or false"),
    ],
)
def test_a_gate_with_which_kube_scheduler_would_not_start_is_refused_by_name(gates, said):
    with pytest.raises(BadInput, match=said):
        read_gates(gates)


@pytest.mark.parametrize(
    ("release", "said"),
    [(V1_33, "is no feature gate of 1.33: it came with 1.35"), (V1_37, "can't be set in 1.37 yet")],
)
def test_a_release_knows_its_own_gates(release, said):
    with pytest.raises(BadInput, match=said):
        build_profiles({"featureGates": {"GangScheduling": True}}, release=release)


def _run(gates, *objects, **settings):
    objects = [node("a"), pod("p"), *objects]
    return Simulation(
        RunInput(objects=objects, profile="kube-1.36", config={"featureGates": gates}, **settings)
    )


def test_a_gate_that_changes_nothing_here_is_told():
    run = _run({"VolumeLimitScaling": True, "NodeSwap": False, "SchedulerAsyncPreemption": False})
    assert run.trust.without_effect == [
        "the feature gate VolumeLimitScaling, which is on: nothing in this cluster depends on it",
        "the feature gate NodeSwap, which is off: kube-scheduler doesn't read it",
        "the feature gate SchedulerAsyncPreemption, which is off: without a clock it decides nothing",
    ]


def test_a_gate_that_is_not_played_and_would_change_answers_is_refused():
    whole = pod("whole", spec={"resources": {"requests": {"cpu": "1"}}})
    with pytest.raises(BadInput, match="PodLevelResources: is not played in 1"):
        _run({"PodLevelResources": False, "InPlacePodLevelResourcesVerticalScaling": False}, whole)


def test_tolerations_compare_where_the_gate_is_on():
    tainted = node("t", taints=[{"key": "load", "value": "5", "effect": "NoSchedule"}])
    tolerated = {"key": "load", "operator": "Lt", "value": "9", "effect": "NoSchedule"}
    there = {"kubernetes.io/hostname": "t"}
    picky = pod("q", spec={"tolerations": [tolerated], "nodeSelector": there})
    on = _run({"TaintTolerationComparisonOperators": True}, tainted, picky)
    off = _run({}, tainted, picky)
    outcomes = [{one.pod.name: one.outcome for one in run} for run in (on, off)]
    assert [found["q"] for found in outcomes] == ["scheduled", "unschedulable"]
