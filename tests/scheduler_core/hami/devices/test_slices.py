"""Slices of an NVIDIA A30 in MIG mode, worked out by hand, and how they are told.

Source: HAMi v2.10.0 pkg/device/nvidia/device.go selectMigCandidate, mig_topology.go.
"""

import pytest

from scheduler_core.hami.imports.card_faults import card_faults
from scheduler_core.hami.in_run.explaining import node_cards
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod


def profile(name, memory, core, slices, starts):
    places = [{"start": start, "size": slices} for start in starts]
    return {"name": name, "memoryMB": memory, "core": core, "sliceCount": slices, "placements": places}


A30 = [
    profile("4g.24gb", 24_192, 100, 4, [0]),
    profile("1g.6gb", 5_952, 25, 1, [0, 1, 2, 3]),
    profile("2g.12gb", 12_032, 50, 2, [0, 2]),
]


def a30(**more):
    return cards.nvidia(count=1, kind="NVIDIA A30", mode="mig", slots=4, memory=24_576, **more)


def wanting(*wishes):
    """A pod whose containers ask for so many cards with so many MiB of each."""
    return pod(
        containers=[{"nvidia.com/gpu": count, "nvidia.com/gpumem": memory} for count, memory in wishes]
    )


@pytest.fixture
def cluster():
    """One A30, of which a pod has the last quarter: a profile 1g is cut from the end."""
    cluster = Cluster(a30(migProfiles=A30))
    first = pod("first", {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 5_000})
    assert cluster.place(first).chosen == "n"
    assert cluster.used() == {"n-gpu-0": (1, 5_952, 25)}
    return cluster


def told(cluster, wanted):
    """What is told of the only card, container by container."""
    found = node_cards(cluster.hami, cluster.journal, cluster.create(wanted), "n", "hami")
    return [(one.reason, one.cards[0]) for one in found.containers]


def test_each_container_gets_the_least_profile_that_is_free(cluster):
    (_, half), (_, quarter) = told(cluster, wanting((1, 12_000), (1, 5_000)))
    assert (half.profiles, half.in_use, half.slices) == (
        ["2g.12gb", "4g.24gb"],
        ["1g.6gb@3+1"],
        ["2g.12gb@0+2"],
    )
    assert (quarter.in_use, quarter.slices) == (["1g.6gb@3+1", "2g.12gb@0+2"], ["1g.6gb@2+1"])


def test_a_whole_half_beside_a_quarter_is_there_once(cluster):
    ((reason, card),) = told(cluster, wanting((2, 12_000)))
    assert reason == "1/1 AllocatedCardsInsufficientRequest, 1/1 CardMigTopologyInfeasible"
    assert (card.verdict, card.slices) == ("refused", [])


def test_what_a_pod_leaves_is_cut_anew(cluster):
    assert cluster.place(wanting((1, 20_000))).reasons == {"n": "1/1 CardInsufficientMemory"}
    cluster.hami.pod_deleted(cluster.stored("first"))
    answer = cluster.place(pod("whole", {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 20_000}))
    assert answer.chosen == "n"
    assert cluster.used() == {"n-gpu-0": (1, 24_192, 100)}


def test_a_card_of_a_plugin_before_2_10_is_told():
    (phrase,) = card_faults([a30(migtemplate=[])], [])
    assert phrase.startswith("1 Node (n) registers cards in MIG mode without migProfiles")
    assert card_faults([a30(migProfiles=A30)], []) == []
    assert Cluster(a30()).place(wanting((1, 100))).reasons == {"n": "1/1 CardMigTopologyInfeasible"}
