"""What each vendor implements is as the specification's table says."""

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from scheduler_core.hami.devices.vendor import Vendor
from scheduler_core.hami.extender.placing import place
from scheduler_core.hami.rules.scheduling_policies import Weights
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod


class Row(NamedTuple):
    """A line of the table: annotations of the node and of the pod, the lock, and what the vendor overrides.

    `both`: the pod's cards stand in two annotations, as allocated and as to allocate.
    """

    register: str
    handshake: str
    given: str
    both: bool
    lock: str
    own: str = ""


COMMON, NONE = "hami.io/mutex.lock", ""
HANDSHAKE = "hami.io/node-handshake"
SPECIFIED = {
    "NVIDIA": Row("hami.io/node-nvidia-register", HANDSHAKE, "vgpu-devices", True, COMMON, "mutate charge"),
    "Ascend910A": Row(
        "hami.io/node-register-Ascend910A",
        f"{HANDSHAKE}-Ascend910A",
        "Ascend910A-devices",
        True,
        COMMON,
        "mutate score",
    ),
    "MLU": Row("", "", "cambricon-mlu-devices", True, "cambricon.com/dsmlu.lock"),
    "DCU": Row("hami.io/node-dcu-register", f"{HANDSHAKE}-dcu", "dcu-devices", True, COMMON),
    "MR-V100": Row(
        "hami.io/node-MR-V100-register", f"{HANDSHAKE}-MR-V100", "MR-V100-devices", True, COMMON, "mutate"
    ),
    "Metax-GPU": Row("", "", "metax-gpu-devices", True, NONE, "score"),
    "Metax-SGPU": Row(
        "metax-tech.com/node-gpu-devices", "", "metax-sgpu-devices", True, COMMON, "mutate score charge"
    ),
    "Mthreads": Row("", "", "mthreads-vgpu-devices", False, NONE, "mutate"),
    "kunlun": Row("", "", "kunlun", False, NONE, "score charge"),
    "XPU": Row("hami.io/node-register-xpu", f"{HANDSHAKE}-xpu", "xpu-devices", True, COMMON, "mutate"),
    "GCU": Row("", "", "enflame-gcu-devices", True, NONE),
    "Enflame": Row("", "", "enflame-vgpu-devices", False, NONE, "mutate charge"),
    "AMD": Row("hami.io/node-amd-register", "", "amd-devices", True, COMMON, "mutate"),
    "AWSNeuron": Row("", "", "aws-neuron-devices", False, NONE, "mutate"),
    "Vastai": Row("hami.io/node-va-register", f"{HANDSHAKE}-va", "Vastai-devices", True, COMMON, "score"),
    "Biren": Row("hami.io/node-biren-register", f"{HANDSHAKE}-biren", "Biren-devices", True, COMMON),
}
NPUS = {
    "Ascend910A",
    "Ascend910B2",
    "Ascend910B3",
    "Ascend910B4-1",
    "Ascend910B4",
    "Ascend310P",
    "Ascend910C",
}
ILUVATARS = {"MR-V100", "MR-V50", "BI-V150", "BI-V100"}
VENDORS = Cluster().hami.vendors

NODES = {
    "NVIDIA": (cards.nvidia(), {"nvidia.com/gpu": 1}),
    "Ascend910B3": (cards.ascend(), {"huawei.com/Ascend910B3": 1}),
    "MLU": (cards.mlu(), {"cambricon.com/vmlu": 1}),
    "DCU": (cards.dcu(), {"hygon.com/dcunum": 1}),
    "MR-V100": (cards.iluvatar(), {"iluvatar.ai/MR-V100-vgpu": 1}),
    "Metax-GPU": (cards.metax_gpu(), {"metax-tech.com/gpu": 1}),
    "Metax-SGPU": (cards.metax_sgpu(), {"metax-tech.com/sgpu": 1}),
    "Mthreads": (cards.mthreads(), {"mthreads.com/vgpu": 1}),
    "kunlun": (cards.kunlun(), {"kunlunxin.com/xpu": 1}),
    "XPU": (cards.xpu(), {"kunlunxin.com/vxpu": 1}),
    "GCU": (cards.gcu(), {"enflame.com/gcu": 1}),
    "Enflame": (cards.enflame(), {"enflame.com/drs-gcu": 1}),
    "AMD": (cards.amd(), {"amd.com/gpu": 1}),
    "AWSNeuron": (cards.neuron(), {"aws.amazon.com/neuron": 1}),
    "Vastai": (cards.vastai(), {"vastaitech.com/va": 1}),
    "Biren": (cards.biren(), {"birentech.com/gpu": 1}),
}


def overrides(vendor, method):
    return getattr(type(vendor), method) is not getattr(Vendor, method)


def test_the_vendors_are_those_of_the_table():
    assert set(VENDORS) == set(SPECIFIED) | NPUS | ILUVATARS


@pytest.mark.parametrize("key", sorted(SPECIFIED))
def test_a_vendor_has_what_the_table_says(key):
    vendor, row = VENDORS[key], SPECIFIED[key]
    assert (vendor.register, vendor.handshake) == (row.register, row.handshake)
    assert vendor.allocated == f"hami.io/{row.given}-allocated"
    assert vendor.to_allocate == (f"hami.io/{row.given}-to-allocate" if row.both else "")
    assert (vendor.own_lock or (COMMON if vendor.locks else NONE)) == row.lock
    methods = {"mutate": "mutate", "score": "node_score", "charge": "charge"}
    assert {word for word, method in methods.items() if overrides(vendor, method)} == {*row.own.split()}


def test_ascend_and_iluvatar_have_to_be_switched_on():
    without = Cluster(config={"enableAscend": False, "enableIluvatar": False}).hami.vendors
    assert not without.keys() & (NPUS | ILUVATARS)


@pytest.mark.parametrize("key", sorted(NODES))
def test_a_pod_that_asks_for_one_card_gets_it_and_gives_it_back(key):
    node, limits = NODES[key]
    cluster = Cluster(node)
    answer = cluster.place(pod(limits=limits))
    assert answer.chosen == "n"
    assert [len(piece) for piece in answer.devices[key]] == [1]
    assert len(cluster.used()) == 1
    cluster.hami.pod_deleted(cluster.stored("p"))
    assert cluster.used() == {}


@pytest.mark.parametrize("key", sorted(NODES))
def test_what_a_scheduler_forgot_it_reads_from_the_pods_annotations(key):
    node, limits = NODES[key]
    cluster = Cluster(node)
    cluster.place(pod(limits=limits))
    again = Cluster(node)
    again.hami.pod_added(cluster.stored("p"))
    assert again.used() == cluster.used()


class Reading(dict):
    """Annotations that note what is asked of them."""

    def __init__(self, known):
        super().__init__(known)
        self.read = set()

    def get(self, key, default=None):
        self.read.add(key)
        return super().get(key, default)


@pytest.mark.parametrize("key", sorted(NODES))
def test_a_fit_reads_no_annotation_that_its_vendor_does_not_name(key):
    """What it doesn't name would not be seen by the answers that are kept."""
    node, limits = NODES[key]
    cluster = Cluster(node)
    made = cluster.hami.webhook(pod(limits=limits)).pod
    ask, vendor = cluster.hami.ask(made), cluster.hami.vendors[key]
    annotations = Reading(ask.annotations)
    info = cluster.hami.inventory.node("n")
    of_node = Reading(info.annotations)
    place(
        replace(ask, annotations=annotations),
        replace(info, annotations=of_node),
        cluster.hami.inventory.usage("n"),
        cluster.hami.vendors,
        Weights(),
    )
    assert annotations.read <= {*vendor.reads}
    known = {name for each in cluster.hami.vendors.values() for name in (*each.node_reads, *each.node_ids)}
    assert of_node.read <= known | {""}
