"""Bundles: what a job can spare goes first, the rest as a whole or not at all."""

from scheduler_core.objects import types
from scheduler_core.objects.types import Pod
from scheduler_core.volcano.actions.bundles import bundles_of, in_order, tasks_of
from scheduler_core.volcano.model.custom_resources import PodGroup
from scheduler_core.volcano.model.jobs import Job
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.model.tasks import make_task
from tests.scheduler_core.volcano.small_sessions import group, pod


def job(name, members, running, cpu="1", **spec):
    source = types.convert(group(name, members, phase="Running", **spec), PodGroup)
    made = Job(f"ml/{name}", "ml", name, "research", 0, 0, source, "Running", [])
    for place in range(running):
        document = pod(f"{name}-{place}", of=name, on="n", requests={"cpu": cpu})
        document["metadata"]["annotations"]["volcano.sh/task-spec"] = "ps" if place == 0 else "worker"
        document["metadata"]["labels"] = {"part": str(place // 2)}
        made.add(make_task(types.convert(document, Pod), place))
    return made


def split(of):
    return [
        (bundle.whole, [task.name for task in bundle.tasks]) for bundle in bundles_of(of, of.tasks.values())
    ]


def test_pods_above_the_minimum_are_safe_and_the_rest_is_whole():
    assert split(job("j", 2, 4)) == [(False, ["j-0", "j-1"]), (True, ["j-2", "j-3"])]


def test_a_role_keeps_its_minimum():
    assert split(job("j", 2, 4, minTaskMember={"ps": 1, "worker": 1})) == [
        (False, ["j-1", "j-2"]), (True, ["j-0", "j-3"]),
    ]  # fmt: skip


def test_as_many_parts_stay_whole_as_a_policy_needs():
    policies = [{"name": "p", "subGroupSize": 2, "minSubGroups": 1, "matchLabelKeys": ["part"]}]
    assert split(job("j", 1, 4, subGroupPolicy=policies)) == [(False, ["j-0", "j-1"]), (True, ["j-2", "j-3"])]


def test_a_job_below_its_minimum_has_nothing_to_lose():
    assert split(job("j", 5, 2)) == [(False, ["j-0", "j-1"])]


def test_safe_bundles_go_first_then_those_that_free_more_for_what_is_lost():
    large, small, spare = job("a", 2, 2, cpu="4"), job("b", 2, 2, cpu="1"), job("c", 0, 1)
    bundles = [bundle for one in (large, small, spare) for bundle in bundles_of(one, one.tasks.values())]
    ordered = in_order(bundles, Resource(cpu=2000.0), lambda left, right: 0)
    assert [task.name for task in tasks_of(ordered)] == ["c-0", "b-0", "b-1", "a-0", "a-1"]


def test_a_whole_bundle_is_broken_by_any_pod_that_has_to_stay():
    safe, whole = bundles_of(of := job("j", 2, 4), of.tasks.values())
    assert whole.without({whole.tasks[0].uid}) is None
    left = safe.without({safe.tasks[0].uid})
    assert left is not None
    assert [task.name for task in left.tasks] == ["j-1"]
