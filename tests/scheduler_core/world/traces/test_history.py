"""A snapshot's own history, played by the clock."""

import pytest

from scheduler_core.events.decisions import Attempt
from scheduler_core.objects.problems import BadInput
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.traces.history import history


def node(name):
    room = {"cpu": "2", "memory": "4Gi", "pods": "10"}
    return {"apiVersion": "v1", "kind": "Node", "metadata": {"name": name}, "status": {"allocatable": room}}


def created(name, at, **metadata):
    made = {"name": name, "namespace": "default", "uid": name, "creationTimestamp": at, **metadata}
    asks = {"requests": {"cpu": "1"}}
    spec = {"nodeName": "a", "containers": [{"name": "c", "image": "i", "resources": asks}]}
    status = {"phase": "Running"}
    return {"apiVersion": "v1", "kind": "Pod", "metadata": made, "spec": spec, "status": status}


def test_each_pod_comes_when_it_was_created_and_finds_its_node_anew():
    objects = [
        node("a"),
        node("b"),
        created("second", "2026-05-01T00:01:30Z"),
        created("first", "2026-05-01T00:00:00Z"),
        created("beside", "2026-05-01T00:01:30Z"),
    ]
    played = history(objects)
    assert [edit["at"] for edit in played.edits] == [0, 90]
    run = Simulation(RunInput(objects=played.objects, edits=played.edits, driver="timed"))
    attempts = [decision for decision in run if isinstance(decision, Attempt)]
    assert [(one.pod.name, one.outcome) for one in attempts] == [
        ("first", "scheduled"),
        ("second", "scheduled"),
        ("beside", "scheduled"),
    ]
    assert [one.time // 1000 for one in attempts] == [0, 90, 90]


def test_what_schedulers_wrote_at_a_pod_is_not_there_when_it_comes():
    given = {
        "hami.io/vgpu-node": "a",
        "hami.io/vgpu-devices-allocated": "x,N,1,1:;",
        "nvidia.com/use-gputype": "A",
    }
    (edit,) = history([created("p", "2026-05-01T00:00:00Z", annotations=given)]).edits
    assert edit["manifest"]["metadata"]["annotations"] == {"nvidia.com/use-gputype": "A"}
    assert "nodeName" not in edit["manifest"]["spec"]
    assert "status" not in edit["manifest"]


def test_who_cannot_come_is_told():
    ended = created("ended", "2026-05-01T00:00:00Z") | {"status": {"phase": "Succeeded"}}
    going = created("going", "2026-05-01T00:00:00Z", deletionTimestamp="2026-05-01T00:02:00Z")
    played = history([ended, going, created("p", "2026-05-01T00:00:00Z"), created("q", None)])
    assert played.told == [
        "Pods that were gone before the snapshot was taken are not in it.",
        "Left out: 1 pod in deletion.",
        "Left out: 1 pod that had ended.",
        "Left out: 1 pod without a creation time.",
    ]
    with pytest.raises(BadInput, match="no pod of it can be played again"):
        history([ended])
