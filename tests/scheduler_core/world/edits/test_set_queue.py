"""A queue of Volcano's changed field by field: what is said, what comes of it, and what is refused."""

from typing import Any

import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.world.edits import Applied, apply_edits
from tests.builders import Object


def queue(name: str, **spec: Any) -> Object:
    return {
        "apiVersion": "scheduling.volcano.sh/v1beta1",
        "kind": "Queue",
        "metadata": {"name": name, "uid": f"uid-{name}"},
        "spec": spec,
        "status": {"state": "Open"},
    }


def queues() -> list[Object]:
    return [
        queue("root", weight=1),
        queue("prod", weight=1, parent="root", capability={"cpu": "8"}),
        queue("night", weight=2, parent="prod"),
        queue("dev", weight=1, parent="root", reclaimable=True),
    ]


def changed(name: str = "prod", **fields: Any) -> Applied:
    return apply_edits(queues(), [{"op": "set-queue", "name": name, **fields}])


def spec_of(applied: Applied, name: str) -> Any:
    [found] = [one for one in applied.objects if one["metadata"]["name"] == name]
    return found["spec"]


def test_each_given_field_is_said_with_its_old_and_its_new_value_and_no_other_changes() -> None:
    applied = changed(
        weight=3, capability={"memory": "64Gi", "nvidia.com/gpu": 8}, guarantee={"cpu": "2"},
        deserved={"cpu": "4"}, reclaimable=False,
    )  # fmt: skip
    assert applied.results[0].sentence == (
        "queue prod: weight 1 → 3, guarantee none → cpu=2, deserved none → cpu=4, "
        "capability cpu=8 → cpu=8, memory=64Gi, nvidia.com/gpu=8, reclaimable yes → no"
    )
    assert spec_of(applied, "prod") == {
        "weight": 3, "parent": "root", "reclaimable": False, "deserved": {"cpu": "4"},
        "capability": {"cpu": "8", "memory": "64Gi", "nvidia.com/gpu": "8"},
        "guarantee": {"resource": {"cpu": "2"}},
    }  # fmt: skip
    assert [one for one in applied.objects if one["metadata"]["name"] != "prod"] == [
        one for one in queues() if one["metadata"]["name"] != "prod"
    ]


def test_null_takes_a_resource_away() -> None:
    applied = changed(capability={"cpu": None})
    assert applied.results[0].sentence == "queue prod: capability cpu=8 → none"
    assert spec_of(applied, "prod")["capability"] == {}


def test_what_is_so_already_changes_nothing_and_says_so() -> None:
    applied = changed(weight=1)
    assert (applied.results[0].sentence, applied.results[0].changes) == (
        "queue prod: weight 1 → 1",
        ["changes nothing"],
    )


def test_a_queue_moves_below_another() -> None:
    applied = changed("dev", parent="prod")
    assert applied.results[0].sentence == "queue dev: parent root → prod"
    assert spec_of(applied, "dev")["parent"] == "prod"


@pytest.mark.parametrize(
    ("name", "fields", "field", "words"),
    [
        ("prod", {}, "", "changes nothing: give weight"),
        ("prod", {"weight": 0}, "weight", "between 1 and 2,147,483,647"),
        ("prod", {"capability": {"cpu": "lots"}}, "capability.cpu", "lots"),
        ("prod", {"deserved": {"cpu": "9"}}, "deserved", "must be <= capability"),
        ("prod", {"parent": "prod"}, "parent", "prod is itself"),
        ("prod", {"parent": "night"}, "parent", "night is below prod"),
        ("prod", {"parent": "nowhere"}, "parent", "there is no queue nowhere"),
        ("nowhere", {"weight": 2}, "name", "there is no Queue.scheduling.volcano.sh nowhere"),
        ("root", {"capability": {"cpu": "9"}}, "queue.spec", "root queue's resource"),
    ],
)
def test_what_is_wrong_is_said_by_field(name: str, fields: Any, field: str, words: str) -> None:
    with pytest.raises(BadInput) as refused:
        changed(name, **fields)
    [problem, *_] = refused.value.problems
    assert (problem.field, words in problem.message) == (field, True), problem
