"""Sub jobs: which part of a job a pod belongs to, and what parts a job needs."""

from scheduler_core.volcano.model.sub_jobs import part_id
from tests.scheduler_core.volcano.small_sessions import (
    action,
    configuration,
    group,
    node,
    pod,
    queue,
    session,
)

KEY = "volcano.sh/partition-id"
PLAIN = configuration(actions="allocate")


def labelled(name, cpu="1", **labels):
    made = pod(name, of="j", requests={"cpu": cpu})
    made["metadata"]["labels"] = labels
    return made


def policy(name="p", keys=(KEY,), **spec):
    return {"name": name, "matchLabelKeys": list(keys), **spec}


def played(members, policies, pods, nodes=("n",)):
    objects = [*map(node, nodes), queue("research"), group("j", members, subGroupPolicy=policies), *pods]
    return session(objects, PLAIN)


def bound(answer):
    return sorted(name.removeprefix("ml/") for name in action(answer, "allocate").get("binds", {}))


def test_a_part_that_is_not_whole_is_left_out_and_the_others_are_bound():
    pods = [labelled(f"j-{part}-{place}", "1500m", **{KEY: part}) for part in "01" for place in range(2)]
    answer = played(2, [policy(subGroupSize=2, minSubGroups=1)], pods)
    assert bound(answer) == ["j-0-0", "j-0-1"]


def test_as_many_parts_as_a_policy_needs_start_or_none():
    pods = [labelled(f"j-{part}-{place}", "1500m", **{KEY: part}) for part in "01" for place in range(2)]
    assert bound(played(2, [policy(subGroupSize=2, minSubGroups=2)], pods)) == []


def test_a_policy_without_labels_to_match_makes_no_part_and_can_not_be_met():
    answer = played(1, [policy(keys=(), minSubGroups=1)], [labelled("j-0")])
    assert (
        answer["jobs_invalid"]["ml/j"]["message"]
        == "Not enough valid subGroups of each task for gang-scheduling"
    )


def test_the_first_policy_whose_selector_and_labels_match_takes_a_pod():
    policies = [
        policy("a", labelSelector={"matchLabels": {"role": "ps"}}, subGroupSize=2, minSubGroups=1),
        policy("b", subGroupSize=1, minSubGroups=1),
    ]
    pods = [
        labelled("j-0", role="ps", **{KEY: "0"}),
        labelled("j-1", role="ps", **{KEY: "0"}),
        labelled("j-2", **{KEY: "0"}),
    ]
    assert bound(played(3, policies, pods)) == ["j-0", "j-1", "j-2"]
    assert bound(played(2, policies[:1], [*pods[:1], *pods[2:]])) == []


def test_long_values_are_told_apart_by_a_hash():
    assert part_id(["a", "b"]) == "a-b"
    long = part_id(["x" * 100, "y" * 100])
    assert len(long) <= 10
    assert long != part_id(["x" * 100, "z" * 100])
