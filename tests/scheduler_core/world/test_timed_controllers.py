"""Controllers in virtual time: whom they delete when they shrink, and when their copies come."""

from scheduler_core.objects.identity import with_identity
from scheduler_core.world import RunInput, Simulation
from tests.builders import workload
from tests.scheduler_core.clusters import node, pod


def play(objects, *edits, **settings):
    """Return the simulation after its end, and its decisions."""
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=list(edits), **settings))
    return simulation, list(simulation)


def controller(kind, name, pods, replicas=None):
    """A controller of the namespace default, and pods that are its own."""
    made = with_identity(workload(kind, name, namespace="default", replicas=replicas or len(pods)))
    reference = {"apiVersion": "apps/v1", "kind": kind, "name": name, "uid": made["metadata"]["uid"]}
    for item in pods:
        item["metadata"]["ownerReferences"] = [{**reference, "controller": True}]
        item["metadata"]["creationTimestamp"] = "2026-05-01T00:00:00Z"
    return [made, *pods]


def running(name, **fields):
    item = pod(name, on="n", **fields)
    item["status"] = {"phase": "Running", "conditions": [{"type": "Ready", "status": "True"}]}
    return item


def scale(kind, name, replicas, at):
    return {"op": "scale", "kind": kind, "name": name, "namespace": "default", "replicas": replicas, "at": at}


def told(decisions, *outcomes):
    """What was decided, when, about which pod."""
    return [(one.time, one.outcome, one.pod.name) for one in decisions if one.pod and one.outcome in outcomes]


def there(simulation):
    return {row.name: row.node for row in simulation.state().pods()}


def test_scaled_down_at_an_instant_the_pods_without_a_node_go_first():
    """Who has no node is known only then: at the start none has one."""
    waiting = [pod("a"), pod("b", cpu="100"), pod("c")]
    objects = [node("n"), *controller("ReplicaSet", "web", waiting)]
    simulation, decisions = play(objects, scale("ReplicaSet", "web", 2, at=10))
    assert there(simulation) == {"a": "n", "c": "n"}
    [shrunk] = [one for one in decisions if type(one).__name__ == "ClusterChange" and one.edit == 0][:1]
    assert (shrunk.time, shrunk.object) == (10_000, "ReplicaSet default/web")


def test_of_pods_on_nodes_those_in_company_go_first():
    pods = [pod("a"), pod("b"), pod("c")]
    objects = [node("n", cpu="2"), node("m", cpu="1"), *controller("ReplicaSet", "web", pods)]
    simulation, decisions = play(objects, scale("ReplicaSet", "web", 2, at=10))
    assert sorted(there(simulation).values()) == ["m", "n"]
    assert [time for time, _, _ in told(decisions, "gone")] == [40_000]


def test_a_stateful_set_loses_its_highest_ordinal_then():
    pods = [running(f"db-{number}", cpu="100m") for number in (0, 1, 10)]
    objects = [node("n"), *controller("StatefulSet", "db", pods)]
    simulation, _ = play(objects, scale("StatefulSet", "db", 1, at=10))
    assert there(simulation) == {"db-0": "n"}


def test_a_copy_that_came_in_the_run_counts_too():
    pods = [running("a"), running("b")]
    objects = [node("n"), *controller("ReplicaSet", "web", pods)]
    evict = {"op": "evict", "pod": "default/a", "at": 1}
    simulation, _ = play(objects, evict, scale("ReplicaSet", "web", 1, at=100))
    assert len(there(simulation)) == 1
    simulation, _ = play(objects, evict, scale("ReplicaSet", "web", 0, at=100))
    assert there(simulation) == {}


def test_a_deleted_workload_takes_the_copies_of_its_pods_along():
    objects = [node("n"), *controller("ReplicaSet", "web", [running("a"), running("b")])]
    evict = {"op": "evict", "pod": "default/a", "at": 1}
    delete = {"op": "delete", "kind": "ReplicaSet", "name": "web", "namespace": "default", "at": 50}
    simulation, _ = play(objects, evict, delete)
    assert there(simulation) == {}


def test_a_stateful_sets_deleted_pod_comes_back_only_when_it_is_gone():
    objects = [node("n"), *controller("StatefulSet", "db", [running("db-0")])]
    delete = {"op": "delete", "kind": "Pod", "name": "db-0", "namespace": "default", "at": 5}
    simulation, decisions = play(objects, delete)
    assert told(decisions, "deleted", "gone", "scheduled") == [
        (5000, "deleted", "db-0"),
        (35_000, "gone", "db-0"),
        (35_000, "scheduled", "db-0"),
    ]
    assert there(simulation) == {"db-0": "n"}
    [back] = simulation.state().pods()
    assert back.replaces == "pod-db-0"


def test_a_replica_sets_deleted_pod_is_replaced_at_once_and_a_bare_one_never():
    objects = [node("n"), *controller("ReplicaSet", "web", [running("a")]), running("bare")]
    edits = [
        {"op": "delete", "kind": "Pod", "name": name, "namespace": "default", "at": 5}
        for name in ("a", "bare")
    ]
    simulation, decisions = play(objects, *edits)
    assert (5000, "scheduled", "a-r1") in told(decisions, "scheduled")
    assert there(simulation) == {"a-r1": "n"}
    simulation, _ = play(objects, *edits, controllers="none")
    assert there(simulation) == {}


def test_a_copy_runs_as_long_as_its_original_and_so_does_the_copys_copy():
    one = workload("ReplicaSet", "sum", namespace="default", spec={"replicas": 1})
    add = {"op": "add", "manifest": one, "duration": 100, "at": 0}
    _, decisions = play([node("n")], add)
    [(_, _, name)] = told(decisions, "gone")
    evict = {"op": "evict", "pod": f"default/{name}", "at": 50}
    again = {"op": "evict", "pod": f"default/{name}-r1", "at": 90}
    simulation, decisions = play([node("n")], add, evict, again)
    assert told(decisions, "gone")[-1] == (190_010, "gone", f"{name}-r2")
    assert there(simulation) == {}


def test_a_pod_waits_for_its_gates_by_name():
    gated = pod("p", schedulingGates=[{"name": "shop/quota"}, {"name": "shop/review"}])
    simulation = Simulation(RunInput(objects=[node("n"), gated], driver="timed"))
    row = simulation.base.tables["waiting/kube-scheduler"]["pod-p"]
    assert (row["gate"], row["gates"]) == ("SchedulingGates", ["shop/quota", "shop/review"])
