"""NVIDIA's rules, and those of every vendor that shares cards alike."""

import json

import pytest

from tests.scheduler_core.hami.cards import Cluster, nvidia, pod

COUNT, MEMORY, SHARE, CORES = (
    "nvidia.com/gpu",
    "nvidia.com/gpumem",
    "nvidia.com/gpumem-percentage",
    "nvidia.com/gpucores",
)
MIG_PROFILES = [
    {
        "name": "1g.5gb",
        "memoryMB": 4864,
        "core": 14,
        "sliceCount": 1,
        "placements": [{"start": start, "size": 1} for start in range(7)],
    },
    {
        "name": "2g.10gb",
        "memoryMB": 9856,
        "core": 28,
        "sliceCount": 2,
        "placements": [{"start": start, "size": 2} for start in (0, 2, 4)],
    },
]


def asks(count=1, **amounts):
    names = {"memory": MEMORY, "share": SHARE, "cores": CORES}
    return {COUNT: count, **{names[key]: value for key, value in amounts.items()}}


def mig(name="n", count=1):
    return nvidia(name, count, mode="mig", slots=7, memory=40_960, migProfiles=MIG_PROFILES)


def reason(cluster, limits, annotations=None):
    return cluster.place(pod("asked", limits, annotations)).reasons["n"]


def ids(answer, vendor="NVIDIA"):
    return [[taken.id for taken in piece] for piece in answer.devices[vendor]]


# -- requests ----------------------------------------------------------------------------------------


def request(limits, config=None):
    cluster = Cluster(config=config)
    return cluster.hami.ask(pod(limits=limits)).requests[0].get("NVIDIA")


@pytest.mark.parametrize("memory", ["1500m", "3Gi", "-1"])
def test_memory_that_is_no_plain_number_lets_the_whole_request_vanish(memory):
    assert request({COUNT: 1, MEMORY: memory}) is None
    cluster = Cluster(nvidia())
    answer = cluster.hami.filter(pod(limits={COUNT: 1, MEMORY: memory}), cluster.names)
    assert answer.wire()["NodeNames"] == ["n"]
    assert answer.annotations is None


def test_a_request_without_memory_is_for_all_of_it_or_for_the_default():
    assert request(asks()).percentage == 100
    config = {"deviceConfig": {"nvidia": {"resourceCountName": COUNT, "defaultMemory": 700}}}
    assert request(asks(), config)[2:4] == (700, 101)


@pytest.mark.parametrize(("share", "percentage"), [(0, 100), (30, 30), (250, 100)])
def test_a_share_is_cut_to_a_hundred_and_none_is_as_good_as_unsaid(share, percentage):
    assert request(asks(share=share)).percentage == percentage


# -- reasons -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "limits", "annotations", "expected"),
    [
        (nvidia(health=False), asks(), None, "2/2 CardNotHealth"),
        (nvidia(annotations={"hami.io/device-cordon": " n-gpu-0 ,n-gpu-1"}), asks(), None,
         "2/2 CardCordoned"),
        (nvidia(), asks(), {"nvidia.com/use-gputype": "h100"}, "2/2 CardTypeMismatch"),
        (nvidia(), asks(), {"nvidia.com/nouse-gputype": "T4, a100"}, "2/2 CardTypeMismatch"),
        (nvidia(), asks(), {"nvidia.com/vgpu-mode": "mig"}, "2/2 CardTypeMismatch"),
        (nvidia(), asks(), {"nvidia.com/use-gpuuuid": "n-gpu"}, "2/2 CardUuidMismatch"),
        (nvidia(), asks(2), {"nvidia.com/nouse-gpuuuid": "n-gpu-1"},
         "1/2 AllocatedCardsInsufficientRequest, 1/2 CardUuidMismatch"),
        (nvidia(slots=0), asks(), None, "2/2 CardTimeSlicingExhausted"),
        (nvidia(), asks(memory=10_001), None, "2/2 CardInsufficientMemory"),
        (nvidia(cores=40), asks(cores=41), None, "2/2 CardInsufficientCore"),
        (nvidia(), asks(3), None, "NodeInsufficientDevice"),
        (mig(), asks(memory=20_000), None, "1/1 CardMigTopologyInfeasible"),
    ],
)  # fmt: skip
def test_why_a_card_cannot_be_had(made, limits, annotations, expected):
    assert reason(Cluster(made), limits, annotations) == expected


def test_an_empty_list_is_no_constraint_and_lists_tell_words_by_their_letters():
    assert Cluster(nvidia()).place(pod(limits=asks(), annotations={"nvidia.com/use-gpuuuid": " "})).chosen
    assert Cluster(nvidia()).place(pod(limits=asks(), annotations={"nvidia.com/use-gputype": "a100"})).chosen


def test_all_cores_are_for_one_alone_and_a_card_without_free_cores_takes_nobody():
    cluster = Cluster(nvidia(count=1))
    cluster.place(pod("half", asks(memory=10, cores=50)))
    assert reason(cluster, asks(memory=10, cores=100)) == "1/1 CardInsufficientCore"
    scaled = Cluster(nvidia(count=1, cores=200))
    scaled.place(pod("half", asks(memory=10, cores=50)))
    assert scaled.place(pod("all", asks(memory=10, cores=100))).chosen
    cluster.place(pod("other", asks(memory=10, cores=50)))
    assert reason(cluster, asks(memory=10, cores=0)) == "1/1 CardComputeUnitsExhausted"


def test_a_pod_past_the_webhook_needs_all_memory_but_no_cores():
    cluster = Cluster(nvidia(count=1))
    cluster.hami.filter(pod("past", asks()), cluster.names)
    assert cluster.used() == {"n-gpu-0": (1, 10_000, 0)}
    through = Cluster(nvidia(count=1))
    through.place(pod("through", asks()))
    assert through.used() == {"n-gpu-0": (1, 10_000, 100)}


# -- order -------------------------------------------------------------------------------------------


def test_of_equal_idle_cards_the_last_is_taken_first():
    assert ids(Cluster(nvidia(count=4)).place(pod(limits=asks(2, memory=10)))) == [["n-gpu-3", "n-gpu-2"]]


@pytest.mark.parametrize(
    ("policy", "expected"), [("binpack", "n-gpu-2"), ("spread", "n-gpu-1"), ("mutex", "n-gpu-1")]
)
def test_the_policy_decides_which_card_is_tried_first(policy, expected):
    cluster = Cluster(nvidia(count=3))
    cluster.place(pod("first", asks(memory=10)))
    later = pod("later", asks(memory=10), {"hami.io/gpu-scheduler-policy": policy})
    assert ids(cluster.place(later)) == [[expected]]


def test_mutex_refuses_cards_in_use():
    cluster = Cluster(nvidia(count=1))
    cluster.place(pod("first", asks(memory=10)))
    policy = {"hami.io/gpu-scheduler-policy": "binpack, mutex"}
    assert reason(cluster, asks(memory=10), policy) == "1/1 ExclusiveDeviceAllocateConflict"


def test_cards_of_a_numa_node_go_together_and_what_was_taken_before_is_counted():
    made = nvidia(count=3, numa=lambda index: min(index, 1))
    cluster = Cluster(made)
    bind = {"nvidia.com/numa-bind": "true"}
    assert ids(cluster.place(pod("two", asks(2, memory=10), bind))) == [["n-gpu-2", "n-gpu-1"]]
    assert reason(cluster, asks(3, memory=10), bind) == (
        "1/3 AllocatedCardsInsufficientRequest, 2/3 NumaNotFit"
    )
    assert cluster.place(pod("loose", asks(3, memory=10), {"nvidia.com/numa-bind": "yes"})).chosen


def test_topology_takes_the_best_connected_cards_and_leaves_them_alone_for_one():
    pairs = {0: {1: 1, 2: 9}, 1: {0: 1, 2: 2}, 2: {0: 9, 1: 2}}
    scores = [
        {"uuid": f"n-gpu-{one}", "score": {f"n-gpu-{other}": value for other, value in found.items()}}
        for one, found in pairs.items()
    ]
    made = nvidia(count=3, annotations={"hami.io/node-nvidia-score": json.dumps(scores)})
    wish = {"hami.io/gpu-scheduler-policy": "topology-aware"}
    assert ids(Cluster(made).place(pod(limits=asks(2, memory=10), annotations=wish))) == [
        ["n-gpu-2", "n-gpu-0"]
    ]
    assert ids(Cluster(made).place(pod(limits=asks(1, memory=10), annotations=wish))) == [["n-gpu-1"]]


# -- MIG ---------------------------------------------------------------------------------------------


def test_a_slice_is_the_smallest_with_enough_memory_and_is_charged_as_a_whole():
    cluster = Cluster(mig())
    answer = cluster.place(pod("one", asks(memory=3000)))
    told = json.loads(answer.annotations["hami.io/vgpu-mig-allocations"])
    assert [(one["profile"], one["placement"]) for one in told] == [("1g.5gb", {"start": 6, "size": 1})]
    assert cluster.used() == {"n-gpu-0": (1, 4864, 14)}
    cluster.place(pod("two", asks(memory=5000)))
    (usage,) = cluster.hami.inventory.usage("n").cards
    assert sorted((one.profile, one.start) for one in usage.slices) == [("1g.5gb", 6), ("2g.10gb", 0)]


def test_one_request_may_take_a_card_in_mig_mode_several_times():
    cluster = Cluster(mig())
    assert ids(cluster.place(pod(limits=asks(3, memory=9000)))) == [["n-gpu-0"] * 3]
    assert reason(cluster, asks(memory=9000)) == "1/1 CardMigTopologyInfeasible"


def test_a_pod_without_a_slice_on_a_card_in_mig_mode_makes_the_card_unhealthy():
    cluster = Cluster(mig())
    given = {
        "hami.io/vgpu-node": "n",
        "hami.io/vgpu-devices-allocated": "n-gpu-0,NVIDIA,4864,14:;",
    }
    cluster.hami.pod_added(pod("stray", asks(), given))
    assert reason(cluster, asks(memory=3000)) == "1/1 CardNotHealth"


# -- several containers ------------------------------------------------------------------------------


def test_init_containers_run_one_at_a_time_and_give_back_what_only_they_need():
    cluster = Cluster(nvidia(count=1))
    made = pod("p", containers=[asks(memory=2000, cores=10)], init=[asks(memory=7000, cores=30)] * 2)
    cluster.place(made)
    assert cluster.used() == {"n-gpu-0": (1, 7000, 30)}
    ended = {"terminated": {"exitCode": 0}}
    stored = cluster.stored("p")
    cluster.change({**stored, "status": {"initContainerStatuses": [{"state": ended}] * 2}})
    assert cluster.used() == {"n-gpu-0": (1, 2000, 10)}
    cluster.hami.pod_added(stored)
    assert cluster.used() == {"n-gpu-0": (1, 2000, 10)}


def test_containers_without_cards_are_missing_in_the_text_where_the_type_is_a_model():
    """The padding trap: positions shift, so that one app container is taken for an init container."""
    cluster = Cluster(nvidia(count=1))
    two = [asks(memory=2000, cores=10), asks(memory=3000, cores=10)]
    answer = cluster.place(pod("p", containers=two, init=[{"cpu": 1}]))
    text = answer.annotations["hami.io/vgpu-devices-allocated"]
    assert text == "n-gpu-0,NVIDIA,2000,10:;n-gpu-0,NVIDIA,3000,10:;"
    assert cluster.used() == {"n-gpu-0": (1, 3000, 10)}


def test_a_type_that_is_the_vendors_key_has_a_place_for_every_container():
    cluster = Cluster(nvidia(count=1, kind="NVIDIA"))
    containers = [{"cpu": 1}, asks(memory=3000, cores=10), {}]
    answer = cluster.place(pod("p", containers=containers))
    assert answer.annotations["hami.io/vgpu-devices-allocated"] == ";n-gpu-0,NVIDIA,3000,10:;;"


# -- registration ------------------------------------------------------------------------------------


def annotated(made, key, value):
    return {
        **made,
        "metadata": {**made["metadata"], "annotations": {**made["metadata"]["annotations"], key: value}},
    }


HANDSHAKE = "hami.io/node-handshake"


def test_a_pass_asks_for_a_handshake_of_every_vendor_and_takes_nothing_over_until_it_is_answered():
    cluster = Cluster(nvidia())
    annotations = cluster.objects.node("n")["metadata"]["annotations"]
    assert annotations[HANDSHAKE] == "Requesting_2026-08-21 06:20:40"
    assert annotations["hami.io/node-handshake-dcu"] == annotations[HANDSHAKE]
    assert Cluster(annotated(nvidia(), HANDSHAKE, "Requesting_2099-01-01 00:00:00")).hami.inventory.node("n")
    waiting = annotated(nvidia(), HANDSHAKE, "Requesting_2099-01-01 00:00:00")
    waiting["status"]["allocatable"] = {}
    assert Cluster(waiting).hami.inventory.node("n") is None


def test_a_device_plugin_that_answers_no_more_loses_its_cards():
    cluster = Cluster(nvidia())
    silent = annotated(nvidia(), HANDSHAKE, "Requesting_2020-01-01 00:00:00")
    silent["status"] = {"capacity": {}, "allocatable": {}}
    cluster.objects.put_node(silent)
    cluster.hami.register()
    assert cluster.place(pod(limits=asks())).reasons == {"n": "node unregistered"}
    assert HANDSHAKE not in cluster.objects.node("n")["metadata"]["annotations"]


def test_pods_that_may_have_other_numbers_of_cards_make_the_registration_news():
    cluster = Cluster(nvidia())
    more = annotated(nvidia(count=3), HANDSHAKE, "Requesting_2099-01-01 00:00:00")
    cluster.objects.put_node(more)
    cluster.hami.register()
    assert len(cluster.hami.inventory.usage("n").cards) == 3


def test_an_unreadable_registration_leaves_the_cards_that_are_known():
    cluster = Cluster(nvidia())
    cluster.objects.put_node(annotated(nvidia(), "hami.io/node-nvidia-register", '[{"index":-1}]'))
    cluster.hami.register()
    assert len(cluster.hami.inventory.usage("n").cards) == 2
