"""What surprises about each vendor but NVIDIA, by hand-written cases."""

import json

import pytest

from scheduler_core.hami.configuration.shipped import device_configuration
from scheduler_core.hami.in_run.explaining import node_cards
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod


def ids(answer, vendor):
    return [[taken.id for taken in piece] for piece in answer.devices[vendor]]


def indexes(answer, vendor):
    return [[taken.index for taken in piece] for piece in answer.devices[vendor]]


def configured(part, **settings):
    device = device_configuration()
    device[part] = device[part] | settings
    return {"deviceConfig": device}


# -- Ascend ------------------------------------------------------------------------------------------

NPU, NPU_MEMORY, NPU_CORE = (f"huawei.com/Ascend910B3{part}" for part in ("", "-memory", "-core"))
SOFT = {"huawei.com/vnpu-mode": "hami-core"}


def networked(count, networks):
    return cards.ascend(count=count, custominfo=lambda index: {"NetworkID": networks[index]})


@pytest.mark.parametrize(("asked", "given", "template"), [
    (1, 16_384, "vir05_1c_16g"), (16_385, 32_768, "vir10_3c_32g"), (40_000, 65_536, ""),
])  # fmt: skip
def test_memory_of_an_npu_is_rounded_up_to_a_template(asked, given, template):
    answer = Cluster(cards.ascend()).place(pod(limits={NPU: 1, NPU_MEMORY: asked}))
    (told,) = json.loads(answer.annotations["huawei.com/Ascend910B3"])
    assert (told["memory"], told.get("temp", "")) == (given, template)


@pytest.mark.parametrize(("limits", "message"), [
    ({NPU: 1, NPU_MEMORY: 70_000}, "huawei.com/Ascend910B3-memory 70000 is invalid"),
    ({NPU: 2, NPU_MEMORY: 1000}, "vNPU not supported for multiple devices"),
    ({NPU: 1, NPU_CORE: 5}, "huawei.com/Ascend910B3-core is only supported in hami-core (soft split) mode"),
])  # fmt: skip
def test_what_an_npu_cannot_give_the_webhook_refuses(limits, message):
    answer = Cluster().hami.webhook(pod(limits=limits))
    assert (answer.allowed, answer.code, answer.message) == (False, 500, message)


def test_soft_shares_need_a_node_that_allows_them_and_are_charged_as_asked():
    limits = {NPU: 1, NPU_MEMORY: 1000, NPU_CORE: 30}
    assert Cluster(cards.ascend()).place(pod(limits=limits, annotations=SOFT)).reasons == {
        "n": "1/2 ModeNotFit"
    }
    cluster = Cluster(cards.ascend(annotations={"hami-vnpu-core": "true"}))
    assert cluster.place(pod(limits=limits, annotations=SOFT)).chosen
    assert cluster.used() == {"n-npu-1": (1, 1000, 30)}


def test_soft_shares_are_percent_of_an_npu_whatever_number_of_cores_it_registers():
    """So more is used of it than it has; a pod that asks for no cores finds none left then."""
    word = "Ascend310P"
    node = cards.ascend(word=word, count=1, memory=21_527, cores=8, annotations={"hami-vnpu-core": "true"})
    npu, memory, core = (f"huawei.com/{word}{part}" for part in ("", "-memory", "-core"))
    cluster = Cluster(node)
    cluster.place(pod("first", {npu: 1, memory: 1000, core: 10}, SOFT))
    cluster.place(pod("second", {npu: 1, memory: 1000, core: 90}, SOFT))
    assert cluster.used() == {"n-npu-0": (2, 2000, 100)}
    third = cluster.place(pod("third", {npu: 1, memory: 1000, core: 1}, SOFT))
    cut = cluster.place(pod("cut", {npu: 1, memory: 1000}))
    assert third.reasons == cut.reasons == {"n": "1/1 CardInsufficientCore"}


@pytest.mark.parametrize(("mode", "cores"), [(SOFT, 100), ({}, 8)])
def test_an_explanation_says_how_many_cores_an_npu_has_for_the_pod(mode, cores):
    cluster = Cluster(cards.ascend(cores=8, annotations={"hami-vnpu-core": "true"}))
    asking = cluster.create(pod(limits={NPU: 1, NPU_MEMORY: 1000}, annotations=mode))
    found = node_cards(cluster.hami, cluster.journal, asking, "n", "hami")
    tried = found.containers[0].cards
    assert [(card.cores, card.cores_for_pod) for card in tried] == [(8, cores)] * 2


def test_templates_do_not_charge_cores():
    cluster = Cluster(cards.ascend())
    cluster.place(pod(limits={NPU: 1, NPU_MEMORY: 1}))
    assert cluster.used() == {"n-npu-1": (1, 16_384, 0)}


def test_several_npus_come_from_the_network_that_has_most_of_them():
    cluster = Cluster(networked(5, [1, 2, 1, 2, 1]))
    answer = cluster.place(pod(limits={NPU: 3}))
    assert ids(answer, "Ascend910B3") == [["n-npu-4", "n-npu-2", "n-npu-0"]]
    assert answer.scores == {"n": 10.0}


def test_modules_of_the_910c_are_handed_out_whole():
    word = "Ascend910C"
    cluster = Cluster(cards.ascend(word=word, count=4, slots=1))
    answer = cluster.place(pod("one", {f"huawei.com/{word}": 1}))
    assert sorted(indexes(answer, word)[0]) == [2, 3]
    refused = cluster.hami.webhook(pod("odd", {f"huawei.com/{word}": 3}))
    assert refused.message == "Ascend910C device request must be 1 or 2*n, got 3"
    assert cluster.place(pod("four", {f"huawei.com/{word}": 4})).reasons == {
        "n": "2/4 AllocatedCardsInsufficientRequest, 2/4 CardTimeSlicingExhausted"
    }


def test_a_model_whose_name_contains_the_key_is_tried_too():
    cluster = Cluster(cards.ascend(word="Ascend910B4-1", count=1))
    answer = cluster.place(pod(limits={"huawei.com/Ascend910B4": 1}))
    assert ids(answer, "Ascend910B4") == [["n-npu-0"]]


def test_a_node_with_npus_gives_its_annotations_to_pods_that_ask_for_none():
    both = cards.nvidia()
    both["metadata"]["annotations"] |= cards.ascend()["metadata"]["annotations"]
    answer = Cluster(both).place(pod(limits={"nvidia.com/gpu": 1, "nvidia.com/gpumem": 10}))
    assert answer.annotations["hami.io/Ascend910B3-devices-allocated"] == ";"
    assert answer.annotations["huawei.com/Ascend910B3"] == "null"


# -- by units ----------------------------------------------------------------------------------------


def test_mlus_count_memory_in_units_and_have_all_cores_by_default():
    cluster = Cluster(cards.mlu(units=40))
    answer = cluster.place(pod(limits={"cambricon.com/vmlu": 1, "cambricon.com/mlu.smlu.vmemory": 4}))
    assert cluster.used() == {"n-cambricon-mlu-1": (1, 1024, 100)}
    assert answer.annotations["CAMBRICON_DSMLU_PROFILE"] == "1_100_4"
    assert answer.annotations["CAMBRICON_DSMLU_ASSIGNED"] == "false"


def test_a_dcu_without_cores_is_wanted_whole_and_its_model_can_be_named():
    cluster = Cluster(cards.dcu())
    cluster.place(pod("one", {"hygon.com/dcunum": 1, "hygon.com/dcumem": 100}))
    assert cluster.used() == {"n-dcu-1": (1, 100, 100)}
    wish = {"hygon.com/nouse-dcutype": "z100"}
    assert cluster.place(pod("other", {"hygon.com/dcunum": 1}, wish)).reasons == {"n": "2/2 CardTypeMismatch"}


def test_several_iluvatars_are_wanted_with_all_cores_and_a_variable_is_spelt_as_it_is():
    answer = Cluster().hami.webhook(pod(limits={"iluvatar.ai/MR-V100-vgpu": 3}))
    (container,) = answer.pod["spec"]["containers"]
    assert container["resources"]["limits"]["iluvatar.ai/MR-V100.vCore"] == "300"
    assert container["env"] == [{"name": "SOL_CONTINER_NAME", "value": "c0"}]


MTHREADS = {"count": "mthreads.com/vgpu", "memory": "mthreads.com/sgpu-memory"}


def test_moore_threads_share_what_is_asked_among_the_cards():
    cluster = Cluster(cards.mthreads())
    answer = cluster.place(pod(limits={MTHREADS["count"]: 2}))
    assert cluster.used() == {f"n-mthreads-{index}": (1, 96 * 512, 16) for index in (0, 1)}
    assert answer.annotations["mthreads.com/gpu-index"] == "1,0"
    assert answer.annotations["mthreads.com/predicate-node"] == "n"
    assert cluster.stored("p")["metadata"]["annotations"]["mthreads.com/request-gpu-num"] == "2"


@pytest.mark.parametrize(("limits", "message"), [
    ({MTHREADS["count"]: 0}, "mthreads.com/vgpu must be greater than 0"),
    ({MTHREADS["count"]: 1, MTHREADS["memory"]: 3},
     "sGPU memory request value is invalid, valid values are [2, 4, 8, 16, 32, 64, 96]"),
])  # fmt: skip
def test_moore_threads_refuse_other_sizes(limits, message):
    assert Cluster().hami.webhook(pod(limits=limits)).message == message


@pytest.mark.parametrize(("made", "limits", "expected"), [
    (cards.mthreads(), {MTHREADS["count"]: 1, MTHREADS["memory"]: 2}, ""),
    (cards.metax_gpu(), {"metax-tech.com/gpu": 1},
     "1/4 CardTimeSlicingExhausted, 3/4 CardNotFoundCustomFilterRule"),
])  # fmt: skip
def test_all_containers_must_have_the_same_card(made, limits, expected):
    answer = Cluster(made).place(pod(containers=[limits, limits]))
    if not expected:
        first, second = ids(answer, "Mthreads")
        assert first == second
    else:
        assert answer.reasons == {"n": expected}


# -- MetaX -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("policy", "score"), [("binpack", 1993.0), ("spread", 1970.0), ("other", 0.0)])
def test_whole_metax_cards_are_worth_what_the_nodes_annotations_say(policy, score):
    annotations = {
        "metax-tech.com/gpu.topology.losses": '{"1":3,"2":7}',
        "metax-tech.com/gpu.topology.scores": '{"2":30}',
    }
    cluster = Cluster(cards.metax_gpu(annotations=annotations))
    wish = {"hami.io/node-scheduler-policy": policy}
    assert cluster.place(pod(limits={"metax-tech.com/gpu": 2}, annotations=wish)).scores == {"n": score}


SGPU, SGPU_MEMORY, SGPU_CORE = (f"metax-tech.com/{part}" for part in ("sgpu", "vmemory", "vcore"))
CLASS, QOS = "metax-tech.com/sgpu-app-class", "metax-tech.com/sgpu-qos-policy"


@pytest.mark.parametrize(("text", "mebibytes"), [("3", 3072), ("2Gi", 2048), ("2000", 0)])
def test_shared_metax_memory_is_gib_unless_its_canonical_text_has_a_unit(text, mebibytes):
    request = Cluster().hami.ask(pod(limits={SGPU: 1, SGPU_MEMORY: text})).requests[0]["Metax-SGPU"]
    assert request.memory == mebibytes


def shared(name, cores=10, **annotations):
    return pod(name, {SGPU: 1, SGPU_MEMORY: 1, SGPU_CORE: cores}, annotations)


def test_app_classes_keep_to_themselves():
    cluster = Cluster(cards.metax_sgpu(count=1))
    cluster.place(shared("online", **{CLASS: "online"}))
    assert cluster.used() == {"n-mx-0": (1, 1024, 0)}
    for annotations in ({}, {CLASS: "offline"}):
        assert cluster.place(shared(f"p{len(annotations)}", **annotations)).reasons == {
            "n": "1/1 CardAppClassMismatch"
        }
    second = cluster.place(shared("second", **{CLASS: "online"}))
    assert second.scores == {"n": pytest.approx(-200_000, abs=10)}


def test_a_quality_of_service_is_expected_until_the_node_reports_it():
    cluster = Cluster(cards.metax_sgpu(count=1))
    cluster.place(shared("first", **{QOS: "fixed-share"}))
    other = cluster.place(shared("other", **{QOS: "burst-share"}))
    assert other.reasons == {"n": "1/1 CardQosPolicyMismatch"}
    assert dict(cluster.hami.memory.values) == {"Metax-SGPU/qos/n-mx-0": "fixed-share"}
    cluster.objects.put_node(cards.metax_sgpu(count=1, qos="fixed-share"))
    cluster.hami.register()
    assert cluster.hami.memory.values == {}
    assert cluster.place(shared("same", **{QOS: "fixed-share"})).chosen


def test_whole_shared_cards_come_from_the_smallest_zone_that_has_enough():
    cluster = Cluster(cards.metax_sgpu(count=6, zones=(1, 1, 1, 2, 2, 0)))
    answer = cluster.place(pod(limits={SGPU: 2}))
    assert ids(answer, "Metax-SGPU") == [["n-mx-4", "n-mx-3"]]
    aware = pod("aware", {SGPU: 2}, {"metax-tech.com/sgpu-topology-aware": "true"})
    assert Cluster(cards.metax_sgpu(count=3, zones=(1, 1, 1))).place(aware).scores == {"n": 800_000.0}


# -- Kunlun ------------------------------------------------------------------------------------------


def held(cluster, vendor, *found):
    """Let a pod hold XPUs, as its annotations say."""
    text = "".join(f"{card},{vendor},{memory},0:" for card, memory in found)
    key = {"kunlun": "hami.io/kunlun-allocated", "XPU": "hami.io/xpu-devices-allocated"}[vendor]
    cluster.hami.pod_added(pod("held", {}, {"hami.io/vgpu-node": "n", key: f"{text};"}))


@pytest.mark.parametrize(("used", "wanted", "expected"), [
    ((), 8, [0, 1, 2, 3, 4, 5, 6, 7]),
    ((), 1, [0]),
    ((0, 1, 2), 1, [3]),
    ((4, 5, 6), 2, [0, 1]),
    ((0, 1, 2, 5, 6, 7), 2, []),
    ((0, 1, 2, 4, 5, 6), 2, [3, 7]),
    ((2, 3, 6, 7), 4, [0, 1, 4, 5]),
    ((), 3, []),
])  # fmt: skip
def test_xpus_are_chosen_by_wings(used, wanted, expected):
    cluster = Cluster(cards.kunlun())
    held(cluster, "kunlun", *((f"n-kunlun-{index}", 98_304) for index in used))
    policy = {"hami.io/gpu-scheduler-policy": "numa"}
    answer = cluster.place(pod(limits={"kunlunxin.com/xpu": wanted}, annotations=policy))
    if expected:
        assert sorted(indexes(answer, "kunlun")[0]) == expected
    else:
        assert answer.reasons == {"n": "1/8 NumaNotFit"}


def test_whole_xpus_are_charged_a_slot_while_placing_and_everything_once_recorded():
    cluster = Cluster(cards.kunlun())
    answer = cluster.place(pod(limits={"kunlunxin.com/xpu": 4}))
    assert answer.scores == {"n": 2000.0}
    assert set(cluster.used().values()) == {(1, 98_304, 100)}
    assert answer.annotations["BAIDU_COM_DEVICE_IDX"].count(",") == 3


def test_shared_xpus_come_in_three_sizes_and_a_card_takes_one_size_only():
    cluster = Cluster(cards.xpu(count=8))
    for index in range(8):
        held(cluster, "XPU", *((f"n-xpu-{index}", 24_576) for index in range(8)))
    same = cluster.place(pod("same", {"kunlunxin.com/vxpu": 1, "kunlunxin.com/vxpu-memory": 100}))
    assert same.chosen
    larger = pod("larger", {"kunlunxin.com/vxpu": 1, "kunlunxin.com/vxpu-memory": 30_000})
    assert cluster.place(larger).reasons == {"n": "1/8 NumaNotFit"}
    assert cluster.stored("larger")["spec"]["containers"][0]["resources"]["requests"] == {
        "kunlunxin.com/vxpu-memory": "49152"
    }


# -- Enflame -----------------------------------------------------------------------------------------

DRS = {"slices": "enflame.com/drs-gcu", "memory": "enflame.com/gcu-memory", "core": "enflame.com/gcu-core"}


@pytest.mark.parametrize(("limits", "profile"), [
    ({DRS["slices"]: 2}, "2g.12gb"), ({DRS["slices"]: 3}, None), ({DRS["memory"]: 7}, "2g.12gb"),
    ({DRS["memory"]: 6144}, "1g.6gb"), ({DRS["core"]: 30}, "2g.12gb"), ({DRS["memory"]: 30}, None),
])  # fmt: skip
def test_a_slice_is_asked_for_by_number_or_by_size(limits, profile):
    answer = Cluster(cards.enflame()).place(pod(limits=limits))
    if profile is None:
        assert answer.reasons == {"n": "1/1 ModeNotFit"}
    else:
        told = json.loads(answer.annotations["assigned-containers"])
        assert told["c0"]["profileName"] == profile


def test_slices_are_slots_while_placing_but_one_slot_once_recorded():
    cluster = Cluster(cards.enflame())
    two = {DRS["slices"]: 2}
    assert cluster.place(pod("three", containers=[two, two, two])).reasons == {
        "n": "1/1 CardTimeSlicingExhausted"
    }
    assert cluster.place(pod("one", two)).chosen
    assert cluster.used() == {"n-enflame-drs-0": (1, 12 * 1024, 50)}


def test_whole_gcus_are_for_one_alone():
    cluster = Cluster(cards.gcu(count=1))
    cluster.place(pod("one", {"enflame.com/gcu": 1}))
    assert cluster.used() == {"n-GCU-0": (1, 100, 100)}
    assert cluster.place(pod("two", {"enflame.com/gcu": 1})).reasons == {
        "n": "1/1 ExclusiveDeviceAllocateConflict"
    }


# -- AMD, Neuron, Vastai, Biren ----------------------------------------------------------------------


def test_amds_cores_are_a_share_of_the_cards_units_and_the_text_has_the_model():
    cluster = Cluster(cards.amd())
    answer = cluster.place(pod(limits={"amd.com/gpu": 1, "amd.com/gpumem": 100, "amd.com/gpucores": 33}))
    assert answer.annotations["hami.io/amd-devices-allocated"] == "n-amd-1,AMD Instinct MI300X,100,100:;"
    cluster.place(pod("all", {"amd.com/gpu": 1}))
    assert cluster.used()["n-amd-0"] == (1, 196_608, 304)


def test_amds_node_without_capacity_has_no_cards():
    made = cards.amd()
    made["status"]["capacity"] = {}
    assert Cluster(made).hami.inventory.node("n") is None


def test_neuron_cores_are_bits():
    cluster = Cluster(cards.neuron())
    answer = cluster.place(pod("one", {"aws.amazon.com/neuroncore": 1}))
    assert cluster.used() == {"n-AWSNeuron-3": (1, 0, 1)}
    assert answer.annotations["AWS_NEURON_IDS"] == "6"
    policy = {"hami.io/gpu-scheduler-policy": "binpack"}
    only = policy | {"aws.amazon.com/use-neuron-uuid": "n-AWSNeuron-3"}
    second = cluster.place(pod("two", {"aws.amazon.com/neuroncore": 1}, only))
    assert second.annotations["AWS_NEURON_IDS"] == "7"
    assert cluster.used() == {"n-AWSNeuron-3": (2, 0, 3)}


@pytest.mark.parametrize(("kind", "wanted", "fits"), [
    ("trn1.32xlarge", 4, True), ("trn1.32xlarge", 2, False), ("inf2.24xlarge", 3, True),
])  # fmt: skip
def test_neighbouring_neuron_devices_depend_on_the_instance_type(kind, wanted, fits):
    answer = Cluster(cards.neuron(kind=kind)).place(pod(limits={"aws.amazon.com/neuron": wanted}))
    assert bool(answer.chosen) == fits
    assert fits or answer.reasons == {"n": "1/4 NumaNotFit"}


def test_neuron_cores_fill_devices():
    message = "aws.amazon.com/neuroncore must be 1 or a multiple of 2, got 3"
    assert (
        Cluster(cards.neuron()).hami.webhook(pod(limits={"aws.amazon.com/neuroncore": 3})).message == message
    )


def test_dies_come_from_one_vastai_card_and_mutex_excludes_dies_of_a_card_in_use():
    cluster = Cluster(cards.vastai(cards_of=["a", "b", "b", "a"]))
    answer = cluster.place(pod("two", {"vastaitech.com/va": 2}))
    assert ids(answer, "Vastai") == [["n-va-3", "n-va-0"]]
    assert answer.scores == {"n": 1.0}
    used = Cluster(cards.vastai(cards_of=["a", "b", "b", "a"]))
    used.place(pod("one", {"vastaitech.com/va": 1}))
    mutex = {"hami.io/gpu-scheduler-policy": "mutex"}
    three = used.place(pod("three", {"vastaitech.com/va": 3}, mutex))
    assert three.reasons == {
        "n": "1/4 CardTimeSlicingExhausted, 1/4 ExclusiveDeviceAllocateConflict, "
        "2/4 AllocatedCardsInsufficientRequest"
    }


def test_birens_cards_are_counted_only():
    cluster = Cluster(cards.biren())
    cluster.place(pod(limits={"birentech.com/gpu": 2}))
    assert cluster.used() == {"n-br-0": (1, 0, 0), "n-br-1": (1, 0, 0)}


def test_shipped_settings_can_be_overridden_by_part():
    config = configured("nvidia", defaultMemory=500)
    request = Cluster(config=config).hami.ask(pod(limits={"nvidia.com/gpu": 1})).requests[0]["NVIDIA"]
    assert request.memory == 500


@pytest.mark.parametrize("resource", [
    "cambricon.com/mlu.smlu.vcore", "mthreads.com/sgpu-core", "metax-tech.com/gpu", "kunlunxin.com/xpu",
    "enflame.com/gcu", "aws.amazon.com/neuron",
])  # fmt: skip
def test_a_capacity_of_more_cards_than_any_node_has_is_none(resource):
    assert Cluster(cards.node(capacity={resource: "9E"})).hami.inventory.node("n") is None


def test_a_neuron_device_with_more_cores_than_bits_is_still_a_device():
    made = cards.neuron(count=1, cores=10**15)
    assert Cluster(made).hami.inventory.usage("n").cards[0].card.cores == -1


def test_too_many_combinations_of_connected_cards_are_not_gone_through():
    wish = {"hami.io/gpu-scheduler-policy": "topology-aware"}
    limits = {"nvidia.com/gpu": 32, "nvidia.com/gpumem": 1}
    answer = Cluster(cards.nvidia(count=64)).place(pod(limits=limits, annotations=wish))
    assert len(answer.devices["NVIDIA"][0]) == 32
