"""drf at the edges of its comparisons: shares that are equal."""

from types import SimpleNamespace

import pytest

from scheduler_core.volcano.configuration.scheduler_conf import PluginOption
from scheduler_core.volcano.model.resource import Resource
from scheduler_core.volcano.plugins.drf import Drf


def drf(**held):
    """The plugin over a cluster of 8 CPU (in thousandths) and 8 bytes, with what each job holds."""
    jobs = {uid: SimpleNamespace(uid=uid, allocated=allocated) for uid, allocated in held.items()}
    session = SimpleNamespace(total=Resource(8000.0, 8.0), jobs=jobs, has_hierarchy=lambda name: False)
    return Drf(session, PluginOption("drf", {}, None))


def task(job, cpu):
    return SimpleNamespace(job=job, request=Resource(cpu, 0.0))


@pytest.mark.parametrize(("cpu", "given"), [(999.0, 1), (1000.0, 1), (1001.0, 0)])
def test_a_task_goes_where_its_job_then_has_as_large_a_share_as_the_preemptors(cpu, given):
    """drf.go AddPreemptableFn: `ls < rs || math.Abs(ls-rs) <= shareDelta`."""
    plugin = drf(mine=Resource(), other=Resource(2000.0, 0.0))
    victim = task("other", 1000.0)
    assert plugin.preemptable(task("mine", cpu), [victim]) == [victim] * given


def test_of_equal_parts_the_first_resource_is_the_dominant_one():
    """drf.go calculateShare: `share > res`."""
    assert drf(mine=Resource(2000.0, 2.0)).shares["mine"].resource == "cpu"


def test_jobs_of_equal_shares_are_left_to_the_next_order():
    """drf.go jobOrderFn: equal shares say nothing, whatever they are made of."""
    plugin = drf(one=Resource(2000.0, 0.0), two=Resource(0.0, 2.0), three=Resource(1000.0, 0.0))
    one, two, three = (SimpleNamespace(uid=uid) for uid in ("one", "two", "three"))
    assert plugin.job_order(one, two) == 0
    assert (plugin.job_order(one, three), plugin.job_order(three, one)) == (1, -1)


def test_a_task_of_a_job_that_is_not_in_the_session_stays_and_ends_nothing():
    """drf.go AddPreemptableFn goes on with the next candidate."""
    plugin = drf(mine=Resource(), other=Resource(2000.0, 0.0))
    victim = task("other", 1000.0)
    assert plugin.preemptable(task("mine", 500.0), [task("gone", 1.0), victim]) == [victim]


def test_what_a_job_gives_up_sums_up_over_its_tasks():
    plugin = drf(mine=Resource(), other=Resource(3000.0, 0.0))
    tasks = [task("other", 1000.0) for _ in range(3)]
    assert plugin.preemptable(task("mine", 1000.0), tasks) == tasks[:2]
    assert plugin.shares["other"].allocated.get("cpu") == 3000.0


class Tree:
    """A tree of two queues in which the one that holds less CPU comes first."""

    def __init__(self, used, held):
        self.used, self.held = used.clone(), dict(held)

    def copy(self):
        return Tree(self.used, self.held)

    def put(self, job, queue, allocated):
        self.held[queue] = allocated.get("cpu")

    def compare(self, left, right):
        assert self.used.get("cpu") == sum(self.held.values())
        return self.held[left] - self.held[right]


def reclaimed(asked, *amounts):
    """Of which amounts a queue without anything may reclaim, for so much, from one that holds 4,000."""
    plugin = drf(mine=Resource(), other=Resource(4000.0, 0.0))
    for uid, job in plugin.session.jobs.items():
        job.queue = f"queue of {uid}"
    plugin.session.queues = {job.queue: job.queue for job in plugin.session.jobs.values()}
    plugin.tree = Tree(Resource(4000.0, 0.0), {"queue of mine": 0.0, "queue of other": 4000.0})
    before = dict(plugin.tree.held)
    tasks = [task("gone", 1.0), *(task("other", amount) for amount in amounts)]
    victims = plugin.reclaimable(task("mine", asked), tasks)
    assert (plugin.tree.held, plugin.tree.used.get("cpu")) == (before, 4000.0)
    assert plugin.shares["other"].allocated.get("cpu") == 4000.0
    assert plugin.shares["mine"].allocated.get("cpu") == 0.0
    return [one.request.get("cpu") for one in victims]


@pytest.mark.parametrize(
    ("asked", "amounts", "taken"),
    [
        (2000.0, [1000.0, 1000.0, 1000.0], [1000.0, 1000.0, 1000.0]),
        (3000.0, [1000.0, 500.0, 1000.0], [500.0]),
        (3500.0, [1000.0, 500.0], []),
    ],
)
def test_a_queue_reclaims_what_leaves_the_other_behind_it_each_task_by_itself(asked, amounts, taken):
    """drf.go AddReclaimableFn of the hierarchy: `compareQueues < 0`, and the task is put back then."""
    assert reclaimed(asked, *amounts) == taken
