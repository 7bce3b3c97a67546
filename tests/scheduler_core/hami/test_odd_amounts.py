"""What comes of amounts that nobody writes on purpose.

Sources: HAMi v2.10.0, k8s.io/apimachinery v0.36; each test names the function.
"""

import pytest

from scheduler_core.objects.amounts.go_quantity import as_int64, canonical
from tests.scheduler_core.hami.cards import Cluster, pod


@pytest.mark.parametrize(("text", "handed_on"), [
    ("2e0", "2e0"), ("5E3", "5E3"), ("+5", "+5"), (" 07 ", "07"), ("1.500", "1.500"), ("7.Ki", "7.Ki"),
    ("1000", "1k"), ("20e1", "200"), ("0.500", "500m"), ("2048Ki", "2Mi"), ("1.5Ki", "1536"), ("0e0", "0"),
    ("1000000000000000000", "1E"), (3, "3"),
])  # fmt: skip
def test_amounts_keep_a_text_that_looks_canonical(text, handed_on):
    """apimachinery pkg/api/resource/quantity.go ParseQuantity, String."""
    assert canonical(text) == handed_on


@pytest.mark.parametrize(("text", "number"), [
    ("0m", 0), ("0.00", 0), ("3000m", 3), ("4.0", 4), ("1500m", None), ("1.500", None), ("2.500k", 2500),
    ("5.00000000000000000000", 5),
])  # fmt: skip
def test_amounts_are_whole_numbers_by_the_text_that_is_handed_on(text, number):
    """apimachinery pkg/api/resource/quantity.go AsInt64, MarshalJSON."""
    assert as_int64(text) == number


def test_shared_metax_memory_has_a_unit_where_its_text_has_an_exponent():
    """pkg/device/metax/sdevice.go GenerateResourceRequests."""
    limits = {"metax-tech.com/sgpu": 1, "metax-tech.com/vmemory": "2097152e0"}
    request = Cluster().hami.ask(pod(limits=limits)).requests[0]["Metax-SGPU"]
    assert request.memory == 2


@pytest.mark.parametrize(("name", "count", "limits"), [
    ("mthreads.com/vgpu", 2**63 - 1, {"mthreads.com/sgpu-core": "-16", "mthreads.com/sgpu-memory": "-96"}),
    ("iluvatar.ai/MR-V100-vgpu", 2**62 + 1, {"iluvatar.ai/MR-V100.vCore": "100"}),
])  # fmt: skip
def test_cores_of_too_many_cards_wrap_around(name, count, limits):
    """pkg/device/mthreads/device.go, pkg/device/iluvatar/device.go MutateAdmission."""
    answer = Cluster().hami.webhook(pod(limits={name: count}))
    found = answer.pod["spec"]["containers"][0]["resources"]["limits"]
    assert {key: found[key] for key in limits} == limits
