"""The filter as a whole: its answers on the wire, its events, quotas, scores and what it keeps."""

import numpy as np
import pytest

from scheduler_core.equivalence.cache import KeptDiffers
from scheduler_core.hami.extender import placement_cache
from scheduler_core.hami.extender.placing import place
from scheduler_core.hami.rules import usage
from scheduler_core.hami.rules.charging import count_usage
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod, quota

GPU = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1000}
EMPTY = {
    "Nodes": None,
    "NodeNames": None,
    "FailedNodes": None,
    "FailedAndUnresolvableNodes": None,
    "Error": "",
}


def test_success_names_one_node_and_no_failed_ones():
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"), cards.node("c"))
    answer = cluster.place(pod(limits=GPU))
    assert answer.wire() == {**EMPTY, "NodeNames": ["a"]}
    assert (answer.best, answer.reasons) == (["a", "b"], {"c": "node unregistered"})
    assert answer.labels == {"hami.io/vgpu-node": "a"}
    assert str(answer.success()) == (
        "Normal FilteringSucceed find fit node(a), 1 nodes not fit, 2 nodes fit(a:0.00,b:0.00)"
    )


def test_failure_names_the_reason_of_every_node_and_counts_them_by_word():
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b", memory=10), cards.node("c"), cards.biren("d"))
    answer = cluster.place(pod(limits={"nvidia.com/gpu": 1, "nvidia.com/gpumem": 20_000}))
    failed = {
        "a": "2/2 CardInsufficientMemory",
        "b": "2/2 CardInsufficientMemory",
        "c": "node unregistered",
        "d": "NodeInsufficientDevice",
    }
    assert answer.wire() == {**EMPTY, "FailedNodes": failed}
    assert [str(told) for told in answer.events] == [
        "Warning FilteringFailed 2 nodes CardInsufficientMemory(a,b)",
        "Warning FilteringFailed no available node, 4 nodes do not meet",
    ]


def test_a_pod_without_cards_gets_its_nodes_back():
    cluster = Cluster(cards.nvidia("a"))
    assert cluster.hami.filter(pod(limits={"cpu": 1}), ["a", "x"]).wire() == {
        **EMPTY,
        "NodeNames": ["a", "x"],
    }


@pytest.mark.parametrize(("weights", "why"), [
    ("slot=1", "expected slot, core, and memory weights"),
    ("slot,core=1,memory=1", "expected key=value entries"),
    ("slot=1,slot=1,memory=1", 'duplicate "slot" weight'),
    ("slot=a,core=1,memory=1", '"slot" weight must be an integer'),
    ("slot=-1,core=1,memory=1", '"slot" weight must not be negative'),
    ("foo=1,core=1,memory=1", 'unknown weight "foo"'),
    ("slot=0,core=0,memory=0", "at least one weight must be positive"),
])  # fmt: skip
def test_weights_that_cannot_be_read_are_an_error_of_the_filter(weights, why):
    cluster = Cluster(cards.nvidia())
    answer = cluster.place(pod("p", GPU, {"hami.io/device-scoring-weights": weights}))
    inner = f'invalid hami.io/device-scoring-weights annotation "{weights}": {why}'
    assert answer.wire() == {**EMPTY, "Error": f"calcScore failed {inner} for pod p"}
    assert answer.fault == inner


def test_a_pod_that_is_filtered_again_lets_its_cards_go_first():
    cluster = Cluster(cards.nvidia(count=1, slots=1))
    made = pod(limits=GPU)
    assert cluster.place(made).chosen
    assert cluster.hami.filter(cluster.stored("p"), cluster.names).chosen
    assert cluster.used() == {"n-gpu-0": (1, 1000, 0)}


@pytest.mark.parametrize(("policy", "chosen"), [("binpack", "b"), ("spread", "a"), ("whatever", "b")])
def test_the_node_policy_wants_the_fullest_or_the_emptiest_before_the_pod(policy, chosen):
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"))
    cluster.place(pod("first", GPU), nodes=["b"])
    answer = cluster.place(pod("p", GPU, {"hami.io/node-scheduler-policy": policy}))
    assert answer.chosen == chosen
    assert answer.scores == {"a": 0.0, "b": pytest.approx(1.0)}


def test_scores_are_32_bit_floats():
    cluster = Cluster(cards.nvidia(count=3, slots=7, memory=9_999))
    cluster.place(pod("first", GPU))
    answer = cluster.place(pod("p", GPU))
    slots, memory = np.float32(1) / np.float32(21), np.float32(1000) / np.float32(29_997)
    assert answer.scores == {"n": float(np.float32(10) * (slots + np.float32(0) + memory))}
    assert answer.scores != {"n": 10 * (1 / 21 + 1000 / 29_997)}


def test_quotas_are_checked_card_by_card_with_what_the_pod_has_already():
    cluster = Cluster(cards.nvidia())
    cluster.hami.quota_added(quota({"nvidia.com/gpumem": 15_000}))
    limits = {"nvidia.com/gpu": 2, "nvidia.com/gpumem-percentage": 80}
    answer = cluster.place(pod("p", limits))
    assert answer.reasons == {"n": "1/2 AllocatedCardsInsufficientRequest, 1/2 ResourceQuotaNotFit"}
    cluster.hami.quota_updated(quota({"nvidia.com/gpumem": 15_000}), quota({"nvidia.com/gpumem": 16_000}))
    assert cluster.hami.filter(cluster.stored("p"), cluster.names).chosen
    assert cluster.hami.quotas.values["default", "nvidia.com/gpumem"] == (16_000, 16_000)
    cluster.hami.pod_deleted(cluster.stored("p"))
    assert cluster.hami.quotas.values["default", "nvidia.com/gpumem"] == (0, 16_000)
    cluster.hami.quota_deleted(quota({"nvidia.com/gpumem": 1}))
    assert cluster.hami.quotas.values["default", "nvidia.com/gpumem"] == (0, None)


def test_a_dry_run_sees_cards_as_idle_and_changes_nothing():
    cluster = Cluster(cards.nvidia(count=1, slots=1))
    cluster.place(pod("p", GPU))
    before = cluster.hami.dump(), cluster.objects.dump()
    other, none = cards.nvidia("other", count=1, kind="Other"), cards.node("none")
    answer = cluster.hami.dry_run(pod("q", GPU), [none, cluster.objects.node("n"), other])
    assert answer.wire()["Nodes"]["items"] == [cluster.objects.node("n")]
    assert answer.failed == {"none": "node unregistered", "other": "NodeInsufficientDevice"}
    assert (cluster.hami.dump(), cluster.objects.dump()) == before


def test_a_preview_is_what_the_filter_would_do_there():
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"))
    before = cluster.hami.dump()
    placement = cluster.hami.preview(pod("p", GPU), "b")
    assert [[taken.id for taken in piece] for piece in placement.devices["NVIDIA"]] == [["b-gpu-1"]]
    assert cluster.hami.dump() == before


def test_a_completed_pod_gives_its_cards_back_and_a_terminating_one_does_not():
    cluster = Cluster(cards.nvidia())
    cluster.place(pod("p", GPU))
    stored = cluster.stored("p")
    ending = {**stored, "metadata": {**stored["metadata"], "deletionTimestamp": "2026-08-21T06:20:40Z"}}
    cluster.change(ending)
    assert cluster.used() == {"n-gpu-1": (1, 1000, 0)}
    cluster.change({**stored, "status": {"phase": "Failed"}})
    assert cluster.used() == {}


def test_annotations_that_cannot_be_read_are_not_counted():
    cluster = Cluster(cards.nvidia())
    for text in ("n-gpu-0,NVIDIA,1:;", "n-gpu-0,NVIDIA,x,1:;"):
        given = {"hami.io/vgpu-node": "n", "hami.io/vgpu-devices-allocated": text}
        cluster.hami.pod_added(pod("p", GPU, given))
    assert cluster.used() == {}


def test_pods_keep_what_they_hold_of_a_node_that_goes_and_comes():
    cluster = Cluster(cards.nvidia())
    cluster.place(pod("p", GPU))
    cluster.objects.delete_node("n")
    cluster.hami.node_deleted("n")
    assert cluster.hami.inventory.cards.rows == {}
    cluster.objects.put_node(cards.nvidia())
    cluster.hami.register()
    assert cluster.used() == {"n-gpu-1": (1, 1000, 0)}


def test_only_so_many_questions_are_kept(monkeypatch):
    monkeypatch.setattr(placement_cache, "MOST_QUESTIONS", 2)
    monkeypatch.setattr(usage, "MOST_CHANGES", 3)
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"))
    for number in range(8):
        limits = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 1 + number % 4}
        assert cluster.place(pod(f"p{number}", limits)).chosen == "a"
    assert sum(slots for slots, *_ in cluster.used("a").values()) == 8


def test_every_second_kept_answer_is_held_against_the_nodes_own(monkeypatch):
    monkeypatch.setattr(placement_cache.Kept, "check_every", 2)
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"))
    for number in range(4):
        assert cluster.place(pod(f"p{number}", GPU)).chosen == "a"


def test_a_change_that_nobody_notes_is_found_by_comparing(monkeypatch):
    monkeypatch.setattr(placement_cache.Kept, "check_every", 1)
    cluster = Cluster(cards.nvidia("a", count=1), cards.nvidia("b", count=1))
    whole = {"nvidia.com/gpu": 1, "nvidia.com/gpucores": 100}
    cluster.place(pod("p", whole))
    cluster.hami.inventory.changes.note = lambda node: None
    cluster.place(pod("q", whole))
    with pytest.raises(KeptDiffers, match="an answer kept for node"):
        cluster.place(pod("r", whole))


@pytest.mark.parametrize(
    "annotations", [{"nvidia.com/use-gpuuuid": "b-gpu-0"}, {"nvidia.com/nouse-gpuuuid": "a-gpu-0"}]
)
def test_nodes_that_are_alike_differ_to_a_pod_that_names_cards(annotations):
    cluster = Cluster(cards.nvidia("a", count=1), cards.nvidia("b", count=1))
    answer = cluster.place(pod("p", GPU, annotations))
    assert answer.reasons == {"a": "1/1 CardUuidMismatch"}
    assert answer.chosen == "b"


def test_nodes_that_are_alike_differ_where_a_card_is_cordoned():
    cordoned = cards.nvidia("a", count=1, annotations={"hami.io/device-cordon": "a-gpu-0"})
    cluster = Cluster(cordoned, cards.nvidia("b", count=1))
    assert cluster.place(pod("p", GPU)).reasons == {"a": "1/1 CardCordoned"}


def test_the_cards_are_the_chosen_nodes_own_where_another_like_it_was_looked_at():
    cluster = Cluster(cards.nvidia("a"), cards.nvidia("b"))
    answer = cluster.place(pod("p", GPU), ["b", "a"])
    assert answer.chosen == "a"
    assert [[taken.id for taken in piece] for piece in answer.devices["NVIDIA"]] == [["a-gpu-1"]]
    assert cluster.used("a") == {"a-gpu-1": (1, 1000, 0)}


def test_only_nodes_of_the_question_are_in_the_answer_named_once_or_twice():
    cluster = Cluster(*(cards.nvidia(name) for name in "abc"), cards.node("d"))
    assert cluster.place(pod("p", GPU)).scores.keys() == {"a", "b", "c"}
    answer = cluster.place(pod("q", GPU), ["c", "c", "d", "d"])
    assert (answer.scores.keys(), answer.reasons.keys(), answer.chosen) == ({"c"}, {"d"}, "c")


def test_a_pod_is_placed_on_one_of_many_nodes_that_are_alike(monkeypatch):
    looked = []
    monkeypatch.setattr(
        placement_cache, "place", lambda ask, node, *more: looked.append(node.name) or place(ask, node, *more)
    )
    cluster = Cluster(*(cards.nvidia(f"n{number}") for number in range(5)))
    cluster.place(pod("p", GPU))
    cluster.place(pod("q", GPU))
    assert looked == ["n0", "n0"], "once idle, and once as the first pod has changed it"


def test_what_is_taken_back_and_made_again_is_not_counted_anew(monkeypatch):
    counts = []
    monkeypatch.setattr(usage, "count_usage", lambda *what: counts.append(what) or count_usage(*what))
    cluster = Cluster(cards.nvidia())
    cluster.journal.forget()
    cluster.place(pod("p", GPU))
    counts.clear()
    for change in cluster.journal.take_back():
        cluster.journal.do(change)
    cluster.hami.inventory.tell()
    assert cluster.used() == {"n-gpu-1": (1, 1000, 0)}
    assert counts == []
