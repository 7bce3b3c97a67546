"""What must hold of the scheduling queue whatever happens to it."""

import json
from copy import deepcopy
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.kube.queueing.pods import uid_of
from scheduler_core.objects.types import Pod
from scheduler_core.oracle.hinted_queue_cases import QueuePlayer
from tests.mixtures.__main__ import VECTORS, recorded
from tests.mixtures.queue_operations import OPERATIONS_A_CASE, queue_cases

PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight")
examples = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 10_000)


@cache
def families():
    """Some recorded cases whose objects say much."""
    held = {"podaffinity", "spread", "taints", "gates", "config", "ports_volumes_images"}
    return [case for case in recorded(VECTORS / "kube") if case["family"] in held]


def made_up(seed):
    (case,) = queue_cases(families(), seed, 1)
    return case


def resumed(player, case):
    """Another player that goes on from this one's checkpoint."""
    other = QueuePlayer(case)
    other.__dict__ |= {name: deepcopy(player.__dict__[name]) for name in ("now", "_uids")}
    other.cluster.__dict__ |= deepcopy(player.cluster.__dict__)
    pods = {uid_of(item): item for item in other.cluster.objects.values() if isinstance(item, Pod)}
    other.queue.load(json.loads(json.dumps(player.queue.dump())), pods)
    return other


@examples
@given(seeds, st.integers(0, OPERATIONS_A_CASE))
def test_a_checkpoint_in_the_middle_changes_nothing(seed, cut):
    case = made_up(seed)
    player = QueuePlayer(case)
    for op in case["ops"][:cut]:
        player.step(op)
    other = resumed(player, case)
    assert other.state() == player.state()
    for op in case["ops"][cut:]:
        assert other.step(op) == player.step(op)
    assert other.queue.dump() == player.queue.dump()


@examples
@given(seeds)
def test_every_pod_is_in_exactly_one_part(seed):
    case = made_up(seed)
    player = QueuePlayer(case)
    tables = player.queue.tables
    for op in case["ops"]:
        player.step(op)
        placed = [queued.uid for part in PARTS for queued in tables.members(part)]
        assert sorted(placed) == sorted(tables.pods)
        assert {queued.uid for queued in tables.active()} == {item.uid for item in tables.members("active")}
        assert {queued.uid for queued in tables.backoff()} == {item.uid for item in tables.members("backoff")}
        assert all(queued.gate for queued in tables.members("gated"))
        waiting = tables.members("unschedulable", "gated")
        assert tables.rejected_by({plugin for queued in waiting for plugin in queued.rejecters}) == waiting
        assert tables.flights == {} or tables.count("in_flight")


@examples
@given(seeds, st.integers(0, OPERATIONS_A_CASE))
def test_writes_that_are_taken_back_leave_what_was_before(seed, cut):
    case = made_up(seed)
    player = QueuePlayer(case)
    for op in case["ops"][:cut]:
        player.step(op)
    before, state, writes = player.queue.dump(), player.state(), []
    tables = player.queue.tables
    tables.on_write = lambda *write: writes.append(write)
    for op in case["ops"][cut:]:
        player.step(op)
    tables.on_write = None
    after = player.queue.dump()
    for table, key, old, _ in reversed(writes):
        tables.write(table, key, old)
    assert (player.queue.dump(), player.state()) == (before, state)
    for table, key, _, new in writes:
        tables.write(table, key, new)
    assert player.queue.dump() == after
