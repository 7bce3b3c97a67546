"""What must hold of the scheduling queue whatever happens to it."""

import gzip
import json
from copy import deepcopy
from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st

from recorded.kube.queue_cases import QueuePlayer
from recorded.kube.release_queue_cases import QueueOperator
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.kube.releases.queue import POLICIES, ReleaseQueue
from scheduler_core.objects.types import Pod
from scheduler_core.state.journal import Journal
from tests.mixtures.__main__ import VECTORS, recorded
from tests.mixtures.queue_operations import OPERATIONS_A_CASE, queue_cases
from tests.portions import tries

PARTS = ("active", "backoff", "unschedulable", "gated", "in_flight")
examples = settings(max_examples=tries(30))
seeds = st.integers(0, 10_000)


@cache
def families():
    """Some recorded cases whose objects say much."""
    held = {"podaffinity", "spread", "taints", "gates", "config", "ports_volumes_images"}
    return [case for case in recorded(VECTORS / "kube") if case["family"] in held]


@cache
def recorded_release_queues(release):
    """The recorded operations on the queue of a release."""
    with gzip.open(VECTORS / f"kube-{release}" / "queue.jsonl.gz") as lines:
        return [json.loads(line) for line in lines]


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
def test_what_is_undone_leaves_what_was_before(seed, cut):
    case = made_up(seed)
    player = QueuePlayer(case)
    for op in case["ops"][:cut]:
        player.step(op)
    before, state, mark = player.queue.dump(), player.state(), player.journal.mark()
    for op in case["ops"][cut:]:
        player.step(op)
    player.journal.undo_to(mark)
    assert (player.queue.dump(), player.state()) == (before, state)


@examples
@given(st.sampled_from(sorted(POLICIES)), st.randoms(use_true_random=False), st.integers(0, 30))
def test_what_the_queue_of_a_release_did_can_be_undone(release, chance, cut):
    case = chance.choice(recorded_release_queues(release))
    journal = Journal()
    operator = QueueOperator(ReleaseQueue(POLICIES[release], journal), case["cluster"]["items"])
    for op in case["ops"][:cut]:
        operator.step(op)
    before, mark = operator.state(), journal.mark()
    for op in case["ops"][cut:]:
        operator.step(op)
    journal.undo_to(mark)
    assert operator.state() == before
