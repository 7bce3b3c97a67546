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
