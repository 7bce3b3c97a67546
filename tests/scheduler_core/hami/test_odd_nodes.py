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
