"""What workloads' controllers do where a clock moves, and when."""

import pytest

from scheduler_core.events.workloads import WorkloadStep
from scheduler_core.objects.identity import with_identity
from scheduler_core.world import RunInput, Simulation
from tests.builders import owned_by
from tests.scheduler_core.clusters import node, pod


def workload(kind, name="w", cpu="1", annotations=(), restart="Always", **spec):
    container = {"name": "main", "image": "pause", "resources": {"requests": {"cpu": cpu}}}
    template = {
        "metadata": {"labels": {"app": name}, "annotations": dict(annotations)},
        "spec": {"containers": [container], "restartPolicy": restart},
    }
    labels = {"app": name} if kind == "ReplicationController" else {"matchLabels": {"app": name}}
    selector = {} if kind == "Job" else {"selector": labels}
    groups = {"Job": "batch/v1", "ReplicationController": "v1"}
    return {
        "apiVersion": groups.get(kind, "apps/v1"),
        "kind": kind,
        "metadata": {"name": name, "namespace": "default"},
        "spec": {**spec, **selector, "template": template},
    }


def job(annotations=(), **spec):
    return workload("Job", annotations=annotations, restart="Never", **spec)


def quota(pods):
    return {
        "apiVersion": "v1",
        "kind": "ResourceQuota",
        "metadata": {"name": "few", "namespace": "default"},
        "spec": {"hard": {"pods": str(pods)}},
    }


def add(manifest, at=0):
    return {"op": "add", "manifest": manifest, "at": at}


def on(kind, op, at, name="w", **more):
    return {"op": op, "kind": kind, "name": name, "namespace": "default", "at": at, **more}


def play(objects, *edits, **settings):
    settings = {"ready_seconds": 2.0, **settings}
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    return simulation, list(simulation)


def steps(decisions, *outcomes):
    """When a workload's controller did what, and to which pods."""
    return [
        (one.time, one.outcome, [name.rpartition("/")[2] for name in (*one.created, *one.deleted)])
        for one in decisions
        if isinstance(one, WorkloadStep) and (not outcomes or one.outcome in outcomes)
    ]


def there(simulation):
    return {row.name: row.node for row in simulation.state().pods()}


@pytest.mark.parametrize("kind", ["ReplicaSet", "ReplicationController"])
@pytest.mark.parametrize("comes", ["before", "in the run"])
def test_a_set_that_nothing_controls_changes_no_pod_until_one_is_deleted(kind, comes):
    owner = with_identity(workload(kind, replicas=2))
    pods = [pod(f"w-{letter}", "1", "n", labels={"app": "w"}) for letter in "ab"]
    for one in pods:
        one["metadata"]["ownerReferences"] = [owned_by(owner)]
    start = [owner, *pods] if comes == "before" else []
    edits = [] if start else [add(workload(kind, replicas=2))]
    change = on(kind, "set-workload", 10, cpu="2")
    simulation, decisions = play([node("n", cpu="9"), *start], *edits, change, until=20)
    assert steps(decisions, "created") == []
    first = sorted(there(simulation))[0]
    simulation, _ = play(
        [node("n", cpu="9"), *start], *edits, change, on("Pod", "delete", 15, name=first), until=100
    )
    requests = {row.name: row.requests["cpu"] for row in simulation.state().pods() if not row.evicted}
    assert sorted(requests.values()) == [1000, 2000]
    assert first not in requests


def test_a_stateful_sets_next_pod_comes_when_the_one_before_is_ready():
    simulation, decisions = play([node("n", cpu="2")], add(workload("StatefulSet", replicas=4)), until=100)
    made = steps(decisions)
    assert made == [(0, "created", ["w-0"]), (2010, "created", ["w-1"]), (4020, "created", ["w-2"])]
    assert there(simulation) == {"w-0": "n", "w-1": "n", "w-2": ""}


def test_a_stateful_set_shrinks_one_by_one_each_when_the_one_before_is_gone():
    _, decisions = play(
        [node("n", cpu="9")],
        add(workload("StatefulSet", replicas=3, podManagementPolicy="Parallel")),
        add(workload("StatefulSet", "ordered", replicas=3)),
        on("StatefulSet", "scale", 50, replicas=1),
        on("StatefulSet", "scale", 50, name="ordered", replicas=1),
    )
    assert steps(decisions, "deleted") == [
        (50_000, "deleted", ["ordered-2"]),
        (50_000, "deleted", ["w-2", "w-1"]),
        (80_000, "deleted", ["ordered-1"]),
    ]


def test_pods_that_a_quota_refuses_are_told_once_and_come_when_it_has_room():
    larger = {"spec": {"hard": {"pods": "3"}}}
    simulation, decisions = play(
        [node("n", cpu="9"), with_identity(quota(2))],
        add(workload("ReplicaSet", replicas=3)),
        {**on("ResourceQuota", "patch", 20, name="few"), "patch": larger},
        until=100,
    )
    [refused] = [one for one in decisions if isinstance(one, WorkloadStep) and one.outcome == "refused"]
    assert refused.message == (
        'pods "w-3" is forbidden: exceeded quota: few, requested: pods=1, used: pods=2, limited: pods=2'
    )
    assert [(one.reason, one.message) for one in refused.told] == [
        ("FailedCreate", f"Error creating: {refused.message}")
    ]
    # 5 ms, 10 ms, 20 ms, …: twelve waits are 20.475 s, beside those at which its pods change
    [(at, _, made)] = steps(decisions, "created")
    assert made == ["w-3"]
    assert 20_000 < at < 45_000
    assert set(there(simulation)) == {"w-1", "w-2", "w-3"}


def test_a_pod_of_its_own_that_goes_lets_the_controller_try_at_once():
    _, decisions = play(
        [node("n", cpu="9"), with_identity(quota(2))],
        add(workload("ReplicaSet", replicas=2)),
        {"op": "evict", "pod": "default/w-1", "at": 30},
        until=100,
    )
    assert [at for at, _, _ in steps(decisions, "refused")] == [30_000]
    assert [at for at, _, _ in steps(decisions, "created")] == [60_000]


def test_a_jobs_next_pod_comes_a_second_after_one_has_succeeded_and_later_after_a_failure():
    ends = {"sandtable/duration": "5"}
    _, decisions = play([node("n", cpu="9")], add(job(ends, completions=2, parallelism=1)))
    assert steps(decisions) == [
        (0, "created", ["w-1"]),
        (6010, "created", ["w-2"]),
        (12_020, "completed", []),
    ]
    fails = {**ends, "sandtable/fails-in-runs": "all"}
    _, decisions = play([node("n", cpu="9")], add(job(fails, completions=1, backoffLimit=2)))
    assert steps(decisions) == [
        (0, "created", ["w-1"]),
        (15_000, "created", ["w-2"]),
        (40_000, "created", ["w-3"]),
        (46_010, "failed", []),
    ]


def test_an_evicted_pod_of_a_job_counts_as_failed_and_is_not_copied():
    simulation, decisions = play(
        [node("n", cpu="9")],
        add(job(completions=1, backoffLimit=1)),
        {"op": "evict", "pod": "default/w-1", "at": 20},
        {"op": "evict", "pod": "default/w-2", "at": 60},
        until=200,
    )
    assert steps(decisions, "created") == [(0, "created", ["w-1"]), (30_000, "created", ["w-2"])]
    [(at, _, _)] = steps(decisions, "failed")
    assert at == 61_000
    assert there(simulation) == {}


def test_a_suspended_jobs_pods_go_without_counting_as_failed():
    _, decisions = play(
        [node("n", cpu="9")],
        add(job(completions=2, parallelism=2, backoffLimit=0)),
        {**on("Job", "patch", 20), "patch": {"spec": {"suspend": True}}},
        {**on("Job", "patch", 100), "patch": {"spec": {"suspend": False}}},
        until=200,
    )
    assert [one[:2] for one in steps(decisions)] == [
        (0, "created"),
        (20_000, "deleted"),
        (100_000, "created"),
    ]


def test_a_rollout_waits_for_ready_pods_and_never_goes_below_its_least():
    label = {"spec": {"template": {"metadata": {"labels": {"v": "2"}}}}}
    simulation = Simulation(
        RunInput(
            objects=[node("n", cpu="99")],
            driver="timed",
            edits=[
                add(workload("Deployment", replicas=4)),
                {**on("Deployment", "patch", 60), "patch": label},
            ],
            until=400,
            ready_seconds=2.0,
        )
    )
    most = 0
    for decision in simulation:
        rows = [row for row in simulation.state().pods() if not row.terminating]
        if decision.time > 3000:
            assert sum(bool(row.node) for row in rows) >= 3
        most = max(most, len(rows))
    assert most == 5
    assert {row.labels.get("v") for row in simulation.state().pods()} == {"2"}
    assert len(there(simulation)) == 4


def test_a_recreated_deployments_new_pods_come_when_the_old_ones_are_gone():
    label = {"spec": {"template": {"metadata": {"labels": {"v": "2"}}}}}
    _, decisions = play(
        [node("n", cpu="99")],
        add(workload("Deployment", replicas=2, strategy={"type": "Recreate"})),
        {**on("Deployment", "patch", 60), "patch": label},
    )
    pods = [(at, what) for at, what, names in steps(decisions, "created", "deleted") if len(names) == 2]
    assert pods == [(60_000, "deleted"), (90_000, "created")]


def test_without_controllers_nobody_makes_pods():
    simulation, decisions = play(
        [node("n")], add(workload("StatefulSet", replicas=2)), controllers="none", until=60
    )
    assert not steps(decisions)
    assert set(there(simulation)) == {"w-0", "w-1"}
