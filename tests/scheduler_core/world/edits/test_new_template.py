"""A changed template: which pods their controller replaces, and which stay as they were."""

from typing import Any

import pytest

from scheduler_core.objects.identity import with_identity
from scheduler_core.world.edits import Applied, apply_edits
from tests.builders import Object, container, node, pod, workload

SMALL = [container(requests={"cpu": "1"})]


def cluster(kind: str, **spec: Any) -> list[Object]:
    """A workload with three pods that request one CPU each, on three nodes."""
    owner = with_identity(
        workload(kind, "web", replicas=3, spec=spec, template={"containers": SMALL}, uid="uid-web")
    )
    of = with_identity(workload("ReplicaSet", "web-1", replicas=3, owner=owner, uid="uid-web-1"))
    sets = [of] if kind == "Deployment" else []
    names = [f"web-{number}" for number in range(3)]
    pods = [
        pod(name, namespace="shop", on=f"node-{name}", owner=sets[0] if sets else owner, containers=SMALL)
        for name in names
    ]
    return [*(node(f"node-{name}", labels={"pool": name}) for name in names), owner, *sets, *pods]


def change(kind: str, **fields: Any) -> Object:
    return {"op": "set-workload", "kind": kind, "namespace": "shop", "name": "web", "cpu": "2", **fields}


def delete(name: str) -> Object:
    return {"op": "delete", "kind": "Pod", "namespace": "shop", "name": name}


def requested(applied: Applied) -> dict[str, str]:
    """What each pod's container requests, by the pod."""
    pods = [one for one in applied.objects if one["kind"] == "Pod"]
    return {
        one["metadata"]["name"]: one["spec"]["containers"][0]["resources"]["requests"]["cpu"] for one in pods
    }


STAY = [
    ("ReplicaSet", {}, "a ReplicaSet changes no pod that is there; only new pods get the changed template"),
    ("ReplicationController", {}, "a ReplicationController changes no pod that is there; only new pods"),
    ("Deployment", {"paused": True}, "the Deployment is paused"),
    ("StatefulSet", {"updateStrategy": {"type": "OnDelete"}}, "its strategy is OnDelete; only new pods"),
    ("DaemonSet", {"updateStrategy": {"type": "OnDelete"}}, "its strategy is OnDelete; only new pods"),
]


@pytest.mark.parametrize("driver", ["instant", "timed"])
@pytest.mark.parametrize(("kind", "spec", "why"), STAY)
def test_pods_stay_where_their_controller_replaces_none(
    kind: str, spec: Object, why: str, driver: str
) -> None:
    applied = apply_edits(cluster(kind, **spec), [change(kind)], driver=driver, controllers="recreate")
    assert requested(applied) == {"web-0": "1", "web-1": "1", "web-2": "1"}
    notes = applied.results[0].changes
    assert any(note.startswith(f"pods that stay are as they were: {why}") for note in notes)
    assert not any("replaced" in note for note in notes)


@pytest.mark.parametrize("kind", ["Deployment", "StatefulSet", "DaemonSet"])
def test_all_are_replaced_at_once_where_no_clock_moves(kind: str) -> None:
    applied = apply_edits(cluster(kind), [change(kind)], driver="instant", controllers="recreate")
    assert list(requested(applied).values()) == ["2", "2", "2"]
    assert "3 pods replaced by new ones from the changed template, all at once" in applied.results[0].changes


def test_a_partition_keeps_the_pods_below_it() -> None:
    strategy = {"type": "RollingUpdate", "rollingUpdate": {"partition": 2}}
    applied = apply_edits(cluster("StatefulSet", updateStrategy=strategy), [change("StatefulSet")])
    assert requested(applied) == {"web-0": "1", "web-1": "1", "web-2": "2"}
    notes = applied.results[0].changes
    assert "1 pod replaced by new ones from the changed template, all at once" in notes
    assert "pods that stay are as they were: its partition is 2" in notes


@pytest.mark.parametrize("kind", ["ReplicaSet", "ReplicationController"])
def test_pods_that_come_by_a_larger_size_are_of_the_changed_template(kind: str) -> None:
    applied = apply_edits(cluster(kind), [change(kind, replicas=4)])
    assert sorted(requested(applied).values()) == ["1", "1", "1", "2"]


@pytest.mark.parametrize("kind", ["ReplicaSet", "StatefulSet", "DaemonSet"])
def test_a_pod_that_is_deleted_afterwards_comes_back_of_the_changed_template(kind: str) -> None:
    spec = {} if kind == "ReplicaSet" else {"updateStrategy": {"type": "OnDelete"}}
    applied = apply_edits(
        cluster(kind, **spec), [change(kind), delete("web-1")], driver="instant", controllers="recreate"
    )
    assert sorted(requested(applied).values()) == ["1", "1", "2"]
    assert kind != "StatefulSet" or requested(applied)["web-1"] == "2"


def test_a_daemon_goes_from_nodes_that_the_template_no_longer_matches_whatever_its_strategy() -> None:
    applied = apply_edits(
        cluster("DaemonSet", updateStrategy={"type": "OnDelete"}),
        [change("DaemonSet", nodeSelector={"pool": "web-0"})],
    )
    assert requested(applied) == {"web-0": "1"}
