"""What comes of nodes that nobody has on purpose.

Source: HAMi v2.10.0; each test names the function.
"""

import json

import pytest

from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod

MAX_INT32 = 2**31 - 1


def nvidia_node(**card):
    """A node with one card, of which some fields are given."""
    node = cards.nvidia(count=1)
    annotations, key = node["metadata"]["annotations"], "hami.io/node-nvidia-register"
    annotations[key] = json.dumps([{**json.loads(annotations[key])[0], **card}])
    return node


@pytest.mark.parametrize("cordon", [None, "", " ", ",", "n-gpu-1,"])
def test_a_card_without_an_id_is_not_cordoned(cordon):
    """pkg/device/nvidia/device.go cordonedDevices."""
    node = nvidia_node(id="")
    if cordon is not None:
        node["metadata"]["annotations"]["hami.io/device-cordon"] = cordon
    assert Cluster(node).place(pod(limits={"nvidia.com/gpu": 1, "nvidia.com/gpumem": 100})).chosen == "n"


def test_what_is_left_of_a_card_of_which_less_than_nothing_is_used_wraps_around():
    """pkg/device/nvidia/device.go Fit: all of so much memory comes to -1."""
    limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem-percentage": 100, "nvidia.com/gpucores": 10}
    answer = Cluster(nvidia_node(devmem=MAX_INT32)).place(pod(containers=[limits, limits]))
    assert answer.reasons == {"n": "1/1 CardInsufficientMemory"}


@pytest.mark.parametrize(("keys", "expected"), [
    ({"ID": "other", "DevMem": 500}, ("other", 500)),
    ({"DEVMEM": None}, ("n-gpu-0", 10_000)),
    ({"devmeM": 700, "devmen": 900}, ("n-gpu-0", 700)),
])  # fmt: skip
def test_keys_of_a_registration_are_read_whatever_their_case(keys, expected):
    """pkg/device/devices.go UnMarshalNodeDevices."""
    cluster = Cluster(nvidia_node(**keys))
    (card,) = cluster.hami.inventory.node("n").cards["NVIDIA"]
    assert (card.id, card.memory) == expected


def test_keys_within_a_card_are_read_whatever_their_case():
    """pkg/device/devices.go UnMarshalNodeDevices; encoding/json matches the keys of inner values alike."""
    profile = {"Name": "1g.5gb", "MEMORYMB": 4864, "Placements": [{"START": 2, "Size": 1}]}
    cluster = Cluster(nvidia_node(MigProfiles=[profile]))
    (card,) = cluster.hami.inventory.node("n").cards["NVIDIA"]
    (found,) = card.mig_profiles
    assert (found.name, found.memory, found.placements[0].start) == ("1g.5gb", 4864, 2)


@pytest.mark.parametrize(("start", "healthy"), [(-1, True), (2**32, True), (1, False)])
def test_slices_at_places_that_no_card_has_are_none(start, healthy):
    """pkg/device/nvidia/mig_allocations.go DecodeMigAllocations: a whole card is ill with a slice."""
    placement = {"containerIndex": 0, "deviceIndex": 0, "gpuUUID": "n-gpu-0", "profile": "1g.5gb"}
    holding = {
        "hami.io/vgpu-node": "n",
        "hami.io/vgpu-devices-allocated": "n-gpu-0,NVIDIA,100,0:;",
        "hami.io/vgpu-mig-allocations": json.dumps([{**placement, "placement": {"start": start, "size": 1}}]),
    }
    cluster = Cluster(nvidia_node())
    cluster.hami.pod_added(pod("held", {}, holding))
    (usage,) = cluster.hami.inventory.usage("n").cards
    assert usage.health == healthy


@pytest.mark.parametrize(("fields", "taken"), [
    ({}, True),
    ({"containerIndex": None}, True),
    ({"deviceIndex": 0}, True),
    ({"deviceIndex": 0.0}, False),
    ({"containerIndex": -1}, False),
    ({"containerIndex": 2**63}, False),
    ({"profile": None}, False),
])  # fmt: skip
def test_a_slice_without_its_indexes_is_the_first_of_the_first_container(fields, taken):
    """pkg/device/nvidia/mig_allocations.go DecodeMigAllocations: what isn't said is 0 to encoding/json."""
    slice_of = {"gpuUUID": "n-gpu-0", "profile": "1g.5gb", "placement": {"start": 6, "size": 1}, **fields}
    holding = {
        "hami.io/vgpu-node": "n",
        "hami.io/vgpu-devices-allocated": "n-gpu-0,NVIDIA,4864,14:;",
        "hami.io/vgpu-mig-allocations": json.dumps([slice_of]),
    }
    cluster = Cluster(nvidia_node(mode="mig"))
    cluster.hami.pod_added(pod("held", {}, holding))
    (usage,) = cluster.hami.inventory.usage("n").cards
    assert usage.health == taken
    assert usage.slices == ([("1g.5gb", 6, 1)] if taken else [])


@pytest.mark.parametrize(("used", "wanted", "expected"), [
    ((0, 1, 2, 3, 5, 6, 7, 8), 1, [4]),
    ((0, 1, 2, 3, 4, 5, 6, 7), 1, []),
    ((0, 1, 2, 3, 5, 6, 7), 2, [4]),
])  # fmt: skip
def test_xpus_beyond_the_eighth_count_for_a_wing_and_are_not_had(used, wanted, expected):
    """pkg/device/kunlun/topo.go graghSelect, devicepick."""
    cluster = Cluster(cards.kunlun(count=9))
    text = "".join(f"n-kunlun-{index},kunlun,98304,0:" for index in used)
    cluster.hami.pod_added(
        pod("held", {}, {"hami.io/vgpu-node": "n", "hami.io/kunlun-allocated": f"{text};"})
    )
    wish = {"hami.io/gpu-scheduler-policy": "numa"}
    answer = cluster.place(pod(limits={"kunlunxin.com/xpu": wanted}, annotations=wish))
    if expected:
        assert [[taken.index for taken in piece] for piece in answer.devices["kunlun"]] == [expected]
    else:
        assert answer.reasons == {"n": "1/9 NumaNotFit"}
