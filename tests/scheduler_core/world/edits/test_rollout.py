"""A Deployment that is scaled while a rollout is under way: which ReplicaSets grow, and by how much."""

from collections import Counter
from typing import Any

import pytest

from scheduler_core.objects.identity import with_identity
from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits import Applied, apply_edits
from scheduler_core.world.edits.rollout import max_surge
from tests.builders import Object, pod, workload

READY = {"type": "Ready", "status": "True"}


def apply(objects: list[Object], *edits: Object) -> Applied:
    return apply_edits(objects, list(edits))


def scale(wanted: int) -> Object:
    return {"op": "scale", "kind": "Deployment", "namespace": "shop", "name": "cart", "replicas": wanted}


def names(applied: Applied) -> list[str]:
    return [item["metadata"]["name"] for item in of_kind(applied, "Pod")]


def of_kind(applied: Applied, kind: str) -> list[Object]:
    return [item for item in applied.objects if item["kind"] == kind]


def owned(owner: Object, item: Object) -> Object:
    reference = {"kind": owner["kind"], "name": owner["metadata"]["name"], "uid": owner["metadata"]["uid"]}
    metadata = {**item["metadata"], "ownerReferences": [{**reference, "controller": True}]}
    return {**item, "metadata": metadata}


def running(name: str) -> Object:
    status = {"phase": "Running", "conditions": [READY]}
    return pod(name, namespace="shop", on="one", status=status, labels={"app": "cart"})


def rolled_out(*sizes: int, replicas: int = 4, **strategy: Any) -> list[Object]:
    """Deployment shop/cart in the middle of a rollout: pods of its ninth revision, then of its tenth, …"""
    spec = {"strategy": strategy} if strategy else {}
    deployment = with_identity(workload("Deployment", "cart", replicas=replicas, spec=spec))
    objects = [deployment]
    for revision, size in enumerate(sizes or (2, 2), 9):
        made = owned(deployment, with_identity(workload("ReplicaSet", f"cart-{revision}", replicas=size)))
        made["metadata"]["annotations"] = {"deployment.kubernetes.io/revision": str(revision)}
        made["metadata"]["creationTimestamp"] = f"2026-05-01T00:00:{revision:02}Z"
        objects += [made, *(owned(made, running(f"cart-{revision}-{number}")) for number in range(size))]
    return objects


def shares(objects: list[Object], *edits: Object) -> dict[str, int]:
    """How many pods each ReplicaSet has, which must be as many as it wants."""
    applied = apply(objects, *edits)
    made = {item["metadata"]["name"]: item["spec"]["replicas"] for item in of_kind(applied, "ReplicaSet")}
    owners = Counter(item["metadata"]["ownerReferences"][0]["name"] for item in of_kind(applied, "Pod"))
    assert {name: owners[name] for name in made} == made
    return made


@pytest.mark.parametrize(
    ("before", "replicas", "wanted", "surge", "after"),
    [
        # The example of kubernetes.io/docs/concepts/workloads/controllers/deployment, "Proportional scaling".
        ((8, 5), 10, 15, 3, (11, 7)),
        ((2, 2), 4, 4, 0, (2, 2)),
        ((2, 2), 4, 3, 0, (1, 2)),
        ((2, 2), 4, 5, 0, (2, 3)),
        ((3, 1), 4, 2, 0, (1, 1)),
        ((8, 5), 10, 5, None, (4, 3)),
        ((2, 2), 4, 0, 1, (0, 0)),
        ((4, 0), 4, 6, 1, (6, 0)),
        ((0, 0), 0, 2, 1, (0, 2)),
        ((1, 2, 3), 6, 3, 0, (1, 1, 1)),
    ],
)
def test_during_a_rollout_a_scaled_deployment_scales_its_replica_sets_in_proportion(
    before: tuple[int, ...], replicas: int, wanted: int, surge: int | None, after: tuple[int, ...]
) -> None:
    strategy = {} if surge is None else {"rollingUpdate": {"maxSurge": surge}}
    objects = rolled_out(*before, replicas=replicas, **strategy)
    assert tuple(shares(objects, scale(wanted)).values()) == after


def test_scaling_twice_during_a_rollout_counts_from_the_shares_of_the_first_time() -> None:
    objects = rolled_out(8, 5, replicas=10, rollingUpdate={"maxSurge": 3})
    edits = [scale(15), scale(10)]
    assert shares(objects, *edits) == {"cart-9": 8, "cart-10": 5}


def test_scaling_to_the_number_that_there_is_changes_nothing_during_a_rollout() -> None:
    objects = rolled_out(8, 5, replicas=10, rollingUpdate={"maxSurge": 3})
    edits = [scale(15), scale(15)]
    assert shares(objects, *edits) == shares(objects, scale(15))
    for item in objects:
        if item["kind"] == "ReplicaSet":
            item["metadata"]["annotations"]["deployment.kubernetes.io/desired-replicas"] = "10"
            item["metadata"]["annotations"]["deployment.kubernetes.io/max-replicas"] = "12"
    assert shares(objects, scale(10)) == {"cart-9": 8, "cart-10": 5}


def test_during_a_rollout_the_result_says_why_there_are_more_pods_than_asked_for() -> None:
    applied = apply(rolled_out(2, 2), scale(8))
    shared = "a rollout is under way: its ReplicaSets keep their shares (cart-10 5, cart-9 5)"
    assert f"{shared}, with the 2 more that maxSurge allows meanwhile" in applied.results[0].changes


def test_recreated_pods_of_several_replica_sets_stay_as_they_are() -> None:
    objects = rolled_out(2, 2, type="Recreate")
    assert shares(objects, scale(8)) == {"cart-9": 2, "cart-10": 2}


def test_pods_of_all_replica_sets_of_a_deployment_count_as_company_on_a_node() -> None:
    objects = rolled_out(2, 3, replicas=5, rollingUpdate={"maxSurge": 0})
    for item in objects:
        if item["kind"] == "Pod":
            crowded = item["metadata"]["name"] in ("cart-9-1", "cart-10-0", "cart-10-1")
            item["spec"]["nodeName"] = "crowded" if crowded else "idle"
            item["metadata"]["uid"] = item["metadata"]["name"]
    left = names(apply(objects, scale(3)))
    assert "cart-9-0" in left
    assert "cart-9-1" not in left


def test_pods_of_a_replica_set_that_was_not_imported_go_first() -> None:
    objects = [item for item in rolled_out(2, 2) if item["metadata"]["name"] != "cart-9"]
    left = names(apply(objects, scale(2)))
    assert left == ["cart-10-0", "cart-10-1"]


def test_pods_that_tell_no_uid_of_their_replica_set_are_its_own_by_its_name() -> None:
    objects = rolled_out(2, 2)
    for item in objects:
        if item["kind"] == "Pod":
            del item["metadata"]["ownerReferences"][0]["uid"]
    assert shares(objects, scale(8)) == shares(rolled_out(2, 2), scale(8))


def test_a_replica_set_of_another_project_takes_no_part() -> None:
    deployment, *others = rolled_out(2, 2)
    theirs = owned(deployment, with_identity(workload("ReplicaSet", "theirs", replicas=50)))
    theirs["apiVersion"] = "apps.example/v1"
    applied = apply([deployment, theirs, *others], scale(8))
    assert [item["spec"]["replicas"] for item in of_kind(applied, "ReplicaSet")] == [50, 5, 5]


def test_there_may_be_more_than_twice_as_many_pods_meanwhile() -> None:
    strategy = {"rollingUpdate": {"maxSurge": "130%"}}
    assert max_surge(workload("Deployment", "x", replicas=5, spec={"strategy": strategy})) == 7


@pytest.mark.parametrize("surge", ["many", -1, "1.5%"])
def test_a_surge_that_is_none_is_refused_by_its_field(surge: Any) -> None:
    deployment = workload("Deployment", "x", spec={"strategy": {"rollingUpdate": {"maxSurge": surge}}})
    with pytest.raises(BadInput) as refused:
        apply([], {"op": "add", "manifest": deployment})
    (problem,) = refused.value.problems
    assert problem.field.endswith("spec.strategy.rollingUpdate.maxSurge")
