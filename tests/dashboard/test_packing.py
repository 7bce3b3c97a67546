"""How nodes are packed, in exact integers: over 90 percent, stranded, the largest pod that fits, tenths."""

from dashboard.services.results.packing import packing
from dashboard.services.results.requested import Requested, Room
from scheduler_core.events.changes import Set
from scheduler_core.events.state import NODES, RunState

GIB = 2**30


def room(cpu: int, memory: int = 0, *, pods: int = 0, is_open: bool = True, gpu: int = 0) -> Room:
    """A node of 10 cores, 10 GiB, 4 GPUs and 8 pods, of which so much is requested."""
    has = {"cpu": 10_000, "memory": 10 * GIB, "pods": 8, "nvidia.com/gpu": 4, "hugepages-2Mi": GIB}
    return Room(has, {"cpu": cpu, "memory": memory, "pods": pods, "nvidia.com/gpu": gpu}, is_open)


def test_a_node_is_over_90_percent_only_beyond_it() -> None:
    found = packing([room(9_000), room(9_001), room(0, 9 * GIB + 1)])
    assert found["over"] == {"cpu": 1, "memory": 1}
    assert found["by_cpu"] == [1, 0, 0, 0, 0, 0, 0, 0, 1, 1]


def test_stranded_is_what_is_free_where_another_resource_is_out() -> None:
    found = packing([room(9_500, 2 * GIB, gpu=1), room(1_000, 9 * GIB + 1, gpu=4), room(9_900, 10 * GIB)])
    assert found["stranded"] == {"cpu": 9_100, "memory": 8 * GIB, "nvidia.com/gpu": 7}


def test_the_largest_pod_asks_for_a_gib_beside_on_an_open_node_with_room_for_a_pod() -> None:
    closed, full, narrow = room(0, is_open=False), room(1_000, pods=8), room(2_000, 9 * GIB + 1)
    assert packing([closed, full, narrow])["largest"] is None
    assert packing([closed, full, narrow, room(4_000, 9 * GIB)])["largest"] == 6_000


def test_more_than_all_is_in_the_last_tenth_and_nothing_is_free_of_it() -> None:
    found = packing([room(12_000, 0)])
    assert found["by_cpu"][9] == 1
    assert found["stranded"]["memory"] == 10 * GIB
    assert found["largest"] == 0


def test_a_node_is_closed_while_it_is_cordoned_or_has_a_taint_that_keeps_pods_away() -> None:
    row = {
        "name": "node-1", "labels": {}, "allocatable": {"cpu": 1000}, "pod_limit": 10, "unschedulable": False,
        "taints": [{"key": "soft", "value": "", "effect": "PreferNoSchedule"}],
    }  # fmt: skip
    requested = Requested(RunState.of(0, None, {NODES: {"node-1": row}}, {}))

    def is_open(**new: object) -> bool:
        requested.take([Set(NODES, "node-1", {}, dict(new))])
        [found] = requested.rooms()
        return found.is_open

    assert is_open()
    assert not is_open(unschedulable=True)
    assert is_open(unschedulable=False)
    assert not is_open(taints=[{"key": "hard", "value": "", "effect": "NoExecute"}])
