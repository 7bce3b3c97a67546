"""Statuses of workloads, claims and volumes in the list of a run's objects follow the run."""

import pytest

from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.controllers.job_record import read_indexes, write_indexes
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.storage_objects import claim, pod_with, storage_class, volume
from tests.scheduler_core.world.controllers.test_workloads import add, job, on, play, workload
from tests.scheduler_core.world.edits.test_of_the_start import running


def status(items, kind, name="w"):
    [found] = [item for item in items if item["kind"] == kind and item["metadata"]["name"].startswith(name)]
    return found.get("status") or {}


def named(items, kind, name):
    [found] = [item for item in items if item["kind"] == kind and item["metadata"]["name"] == name]
    return found


def counts(items, kind, *names):
    found = status(items, kind)
    return tuple(found.get(name, 0) for name in names)


REPLICAS = ("replicas", "readyReplicas", "availableReplicas")


@pytest.mark.parametrize("kind", ["Deployment", "ReplicaSet", "StatefulSet"])
def test_a_workloads_counts_are_those_of_its_pods(kind):
    simulation, _ = play([node("n", cpu="3")], add(workload(kind, replicas=4)), until=60)
    there = 4  # of the StatefulSet too: the fourth waits
    assert counts(simulation.objects_at_end(), kind, *REPLICAS) == (there, 3, 3)


def test_a_deployments_replica_set_says_what_its_deployment_says():
    simulation, _ = play([node("n")], add(workload("Deployment", replicas=2)), until=60)
    items = simulation.objects_at_end()
    assert counts(items, "ReplicaSet", *REPLICAS) == counts(items, "Deployment", *REPLICAS) == (2, 2, 2)
    assert counts(items, "Deployment", "updatedReplicas", "unavailableReplicas") == (2, 0)


def test_between_decisions_they_are_those_of_the_decision():
    simulation = Simulation(
        RunInput(objects=[node("n")], driver="timed", edits=[add(workload("ReplicaSet", replicas=1), 5)])
    )
    while simulation.step() is not None:
        found = simulation.objects()
        if any(item["kind"] == "Pod" for item in found):
            assert counts(found, "ReplicaSet", *REPLICAS) == (1, 0, 0)
    assert counts(simulation.objects_at_end(), "ReplicaSet", *REPLICAS) == (1, 1, 1)


def test_what_a_partial_snapshot_does_not_show_stays_counted():
    objects = [node("n", cpu="9"), *running(workload("ReplicaSet", replicas=5), 3, readyReplicas=4)]
    objects[1]["status"]["replicas"] = 5
    simulation, _ = play(
        objects, {"op": "delete", "kind": "Pod", "name": "w-0", "namespace": "default"}, until=9
    )
    assert counts(simulation.objects_at_end(), "ReplicaSet", *REPLICAS[:2]) == (5, 4)
    simulation, _ = play(objects, on("ReplicaSet", "scale", 5, replicas=3), until=60)
    assert counts(simulation.objects_at_end(), "ReplicaSet", *REPLICAS[:2]) == (3, 2)


def test_an_end_is_not_given_before_the_run_has_come_there():
    simulation = Simulation(RunInput(objects=[node("n"), pod("a")], driver="timed"))
    with pytest.raises(LookupError):
        simulation.objects_at_end()


def test_a_job_says_how_many_of_its_pods_have_ended_and_how_it_did():
    ends = {"sandtable/duration": "5"}
    simulation, _ = play([node("n")], add(job(ends, completions=3, parallelism=2)), until=60)
    found = status(simulation.objects_at_end(), "Job")
    assert (found["succeeded"], found.get("failed"), found.get("active")) == (3, None, None)
    [condition] = found["conditions"]
    assert (condition["type"], condition["status"], condition["reason"]) == (
        "Complete",
        "True",
        "CompletionsReached",
    )
    assert found["startTime"] < found["completionTime"] == condition["lastTransitionTime"]
    fails = ends | {"sandtable/fails-in-runs": "all"}
    simulation, _ = play([node("n")], add(job(fails, backoffLimit=0)), until=60)
    found = status(simulation.objects_at_end(), "Job")
    assert (found["failed"], found["conditions"][0]["type"]) == (1, "Failed")
    assert found["conditions"][0]["reason"] == "BackoffLimitExceeded"


def test_a_claim_is_bound_to_the_volume_that_was_matched():
    objects = [
        node("n"),
        storage_class("fast"),
        volume("disk", on=["n"]),
        claim("data"),
        pod_with("a", "data"),
    ]
    simulation, _ = play(objects)
    simulation.restore(None)
    assert "volumeName" not in named(simulation.objects(), "PersistentVolumeClaim", "data")["spec"]
    simulation, _ = play(objects)
    items = simulation.objects_at_end()
    bound = named(items, "PersistentVolumeClaim", "data")
    assert (bound["spec"]["volumeName"], bound["status"]["phase"]) == ("disk", "Bound")
    assert bound["metadata"]["annotations"]["pv.kubernetes.io/bind-completed"] == "yes"
    kept = named(items, "PersistentVolume", "disk")
    assert (kept["spec"]["claimRef"]["name"], kept["status"]["phase"]) == ("data", "Bound")
    again, _ = play(items)
    assert [row.node for row in again.state().pods()] == ["n"]


def test_a_claim_whose_volume_is_yet_to_be_made_names_the_node_for_it():
    objects = [node("n"), storage_class("fast"), claim("data"), pod_with("a", "data")]
    simulation, _ = play(objects)
    waiting = named(simulation.objects_at_end(), "PersistentVolumeClaim", "data")
    assert waiting["metadata"]["annotations"]["volume.kubernetes.io/selected-node"] == "n"
    assert "volumeName" not in waiting["spec"]


@pytest.mark.parametrize("text", ["", "0", "0,1", "0-2", "0,2-4,7", "3,5,6,8-10"])
def test_indexes_are_written_as_they_are_read(text):
    assert write_indexes(read_indexes(text)) == text
