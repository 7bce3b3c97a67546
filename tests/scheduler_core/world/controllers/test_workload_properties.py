"""What must hold of every run in which workloads' controllers act, whatever they do."""

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from scheduler_core.events.changes import Appear
from scheduler_core.events.decisions import ClusterChange
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.clusters import node
from tests.scheduler_core.folding import assert_folds_both_ways

examples = settings(max_examples=tries(20), deadline=None)
KINDS = ("StatefulSet", "Job", "Deployment", "DaemonSet", "ReplicaSet")
SAMPLED = st.sampled_from


def workload(kind, cpu, replicas, variant):
    spec = {"containers": [{"name": "main", "image": "pause", "resources": {"requests": {"cpu": cpu}}}]}
    template = {"metadata": {"labels": {"app": kind.lower()}}, "spec": spec}
    own = {"template": template, "selector": {"matchLabels": {"app": kind.lower()}}}
    if kind == "Job":
        spec["restartPolicy"] = "Never"
        template["metadata"]["annotations"] = {"sandtable/duration": "7", "sandtable/fails-in-runs": "1,3"}
        own = {"template": template, "parallelism": replicas, "completions": 4}
        own |= {"completionMode": "Indexed", "backoffLimitPerIndex": 1} if variant else {"backoffLimit": 2}
    elif kind != "DaemonSet":
        own["replicas"] = replicas
    if variant and kind == "StatefulSet":
        own["podManagementPolicy"] = "Parallel"
    if variant and kind == "Deployment":
        own["strategy"] = {"type": "Recreate"}
    if variant and kind == "DaemonSet":
        own["updateStrategy"] = {
            "type": "RollingUpdate",
            "rollingUpdate": {"maxSurge": 1, "maxUnavailable": 0},
        }
    return {
        "apiVersion": "batch/v1" if kind == "Job" else "apps/v1",
        "kind": kind,
        "metadata": {"name": kind.lower(), "namespace": "default"},
        "spec": own,
    }


@st.composite
def runs(draw):
    """Workloads that come at the start, and what is done to them later."""
    kinds = draw(st.lists(SAMPLED(KINDS), min_size=1, max_size=3, unique=True))
    objects = [node(name, cpu=draw(SAMPLED(["1", "2", "4"]))) for name in ("n", "m")]
    if draw(st.booleans()):
        quota = {"pods": str(draw(st.integers(1, 5)))}
        objects.append({"kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": quota}})
    edits = []
    for kind in kinds:
        made = workload(kind, draw(SAMPLED(["500m", "900m"])), draw(st.integers(0, 4)), draw(st.booleans()))
        edits.append({"op": "add", "manifest": made, "at": draw(st.integers(0, 3))})
    for _ in range(draw(st.integers(0, 4))):
        edits.append({**draw(later(kinds)), "at": draw(st.integers(5, 60))})
    until = draw(SAMPLED([20, 150]))
    return RunInput(objects=objects, driver="timed", edits=edits, until=until, ready_seconds=1.0)


def later(kinds):
    named = SAMPLED(kinds).map(lambda kind: {"kind": kind, "name": kind.lower(), "namespace": "default"})
    sized = [kind for kind in kinds if kind != "DaemonSet"]
    rolled = [kind for kind in kinds if kind != "Job"]
    cpu = {
        "spec": {
            "containers": [{"name": "main", "image": "pause", "resources": {"requests": {"cpu": "600m"}}}]
        }
    }
    options = [
        st.just({"op": "drain", "node": "n"}),
        named.map(lambda one: {"op": "delete", **one}),
    ]
    if sized:
        of = SAMPLED(sized).map(lambda kind: {"kind": kind, "name": kind.lower(), "namespace": "default"})
        options.append(
            st.tuples(of, st.integers(0, 5)).map(lambda pair: {"op": "scale", **pair[0], "replicas": pair[1]})
        )
    if rolled:
        of = SAMPLED(rolled).map(lambda kind: {"kind": kind, "name": kind.lower(), "namespace": "default"})
        options.append(of.map(lambda one: {"op": "patch", **one, "patch": {"spec": {"template": cpu}}}))
    return st.one_of(options)


def started(run):
    """Return the run's simulation; of a workload that is deleted twice there is none."""
    try:
        return Simulation(run)
    except BadInput:
        reject()


@examples
@given(runs())
def test_the_folded_log_is_the_state_forwards_and_backwards(run):
    simulation = started(run)
    assert_folds_both_ways(simulation)


@examples
@given(runs(), st.integers(0, 60))
def test_a_resumed_run_is_the_uninterrupted_one(run, after):
    first = started(run)
    for _ in range(after):
        if first.step() is None:
            break
    second = Simulation(run, first.checkpoint())
    assert second.state() == first.state()
    assert list(second) == list(first)
    assert second.state() == first.state()


@examples
@given(runs(), st.integers(0, 60))
def test_a_run_that_goes_back_repeats_itself(run, after):
    simulation = started(run)
    checkpoint, log = simulation.checkpoint(), []
    for decision in simulation:
        log.append(decision)
        if decision.seq == after:
            checkpoint = simulation.checkpoint()
    simulation.restore(checkpoint)
    again = simulation.seq
    assert list(simulation) == log[again:]


@examples
@given(runs())
def test_no_quota_is_ever_exceeded_and_no_name_is_there_twice(run):
    simulation = started(run)
    limits = [int(item["spec"]["hard"]["pods"]) for item in run.objects if item["kind"] == "ResourceQuota"]
    for _ in simulation:
        names = [pod.name for pod in simulation.state().pods()]
        assert len(names) == len(set(names))
        assert all(len(names) <= limit for limit in limits)


def test_a_pod_that_comes_under_the_name_of_a_gone_one_is_another_pod():
    deployment = workload("Deployment", "500m", 1, False)
    scale = {"op": "scale", "kind": "Deployment", "name": "deployment", "namespace": "default"}
    edits = [
        {"op": "add", "manifest": deployment, "at": 0},
        {**scale, "replicas": 0, "at": 5},
        {**scale, "replicas": 1, "at": 5},
    ]
    simulation = started(RunInput(objects=[node("n", cpu="2")], driver="timed", edits=edits, until=60))
    start = simulation.checkpoint()
    log = list(simulation)
    [pod] = simulation.state().pods()
    changes = [change for decision in log for change in decision.changes if isinstance(change, Appear)]
    came = [change.id for change in changes if change.table == "pods"]
    assert len(set(came)) == len(came) == 2
    assert came[1] == pod.uid
    simulation.restore(start)
    assert list(simulation) == log


@pytest.mark.parametrize("at", [0, 5])
def test_a_pod_on_its_way_out_keeps_its_name_and_counts_for_its_quota(at):
    """It has 30 s to leave; its successor is refused until then, and tried again by its controller."""
    quota = {"kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"pods": "1"}}}
    objects = [node("n", cpu="2"), quota]
    deployment = workload("Deployment", "500m", 1, False)
    scale = {"op": "scale", "kind": "Deployment", "name": "deployment", "namespace": "default"}
    edits = [
        {"op": "add", "manifest": deployment, "at": 0},
        {**scale, "replicas": 0, "at": at},
        {**scale, "replicas": 1, "at": at},
    ]
    simulation = started(RunInput(objects=objects, driver="timed", edits=edits, until=120))
    names = set()
    for _ in simulation:
        there = [pod.name for pod in simulation.state().pods()]
        assert len(there) <= 1
        names.update(there)
    assert len(names) == 2
    assert len(simulation.state().pods()) == 1


def test_a_planned_pod_is_refused_where_a_pod_on_its_way_out_has_the_quota():
    """When edits are read there is room for it; at its instant the drain's pod and the copy have that."""
    quota = {"kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"pods": "2"}}}
    scale = {"op": "scale", "kind": "Deployment", "name": "deployment", "namespace": "default"}
    edits = [
        {"op": "add", "manifest": workload("Deployment", "500m", 1, False), "at": 0},
        {"op": "drain", "node": "m", "at": 5},
        {**scale, "replicas": 2, "at": 6},
    ]
    objects = [node("m", cpu="2"), node("n", cpu="1"), quota]
    simulation = started(RunInput(objects=objects, driver="timed", edits=edits, until=120))
    start, log = simulation.checkpoint(), []
    for decision in simulation:
        assert len(simulation.state().pods()) <= 2
        log.append(decision)
    [refused] = [one for one in log if isinstance(one, ClusterChange) and one.outcome == "refused"]
    assert (refused.time, refused.edit, refused.pod, refused.changes) == (6000, 2, None, [])
    assert "exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2" in refused.message
    assert len([pod for pod in simulation.state().pods() if not pod.terminating]) == 2
    simulation.restore(start)
    assert list(simulation) == log


def test_a_deleted_job_takes_the_pods_along_that_only_the_run_has_made():
    """When edits are read, the quota leaves the Job no pod; in the run it is first."""
    quota = {"kind": "ResourceQuota", "metadata": {"name": "q"}, "spec": {"hard": {"pods": "2"}}}
    edits = [
        {"op": "add", "manifest": workload("StatefulSet", "500m", 2, False), "at": 0},
        {"op": "add", "manifest": workload("Job", "500m", 1, False), "at": 0},
        {"op": "delete", "kind": "Job", "name": "job", "namespace": "default", "at": 5},
    ]
    objects = [node("n", cpu="2"), quota]
    simulation = started(RunInput(objects=objects, driver="timed", edits=edits, until=60))
    log = []
    for decision in simulation:
        there = {pod.name: pod.terminating for pod in simulation.state().pods()}
        log.append((getattr(decision, "outcome", ""), there))
    [deleted] = [at for at, (outcome, _) in enumerate(log) if outcome == "deleted"]
    assert log[deleted - 1][1] == {"statefulset-0": False, "job-1": False}
    assert log[deleted][1] == {"statefulset-0": False, "job-1": True}
    assert log[-1][1] == {"statefulset-0": False, "statefulset-1": False}
