"""The lock of a node: who takes it, who waits, and what is left after a bind that fails."""

import pytest

from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import SECOND, Cluster, pod

LOCK, MLU_LOCK = "hami.io/mutex.lock", "cambricon.com/dsmlu.lock"
STAMP = "2026-08-21T06:20:40Z"
GPU, MLU = {"nvidia.com/gpu": 1, "nvidia.com/gpumem": 10}, {"cambricon.com/vmlu": 1}


def locks(cluster):
    annotations = cluster.objects.node("n")["metadata"]["annotations"]
    return {key: value for key, value in annotations.items() if key in (LOCK, MLU_LOCK)}


def both():
    """A node with cards of NVIDIA and Cambricon."""
    made = cards.nvidia()
    made["status"]["capacity"] |= cards.mlu()["status"]["capacity"]
    return made


def bound(cluster, name, limits=GPU):
    made = pod(name, limits)
    assert cluster.place(made).chosen
    return cluster.bind(made, "n")


def test_a_bind_locks_the_node_and_notes_on_the_pod_that_it_is_under_way():
    cluster = Cluster(cards.nvidia())
    answer = bound(cluster, "p")
    assert answer.wire() == {"Error": ""}
    assert locks(cluster) == {LOCK: f"{STAMP},default,p"}
    annotations = cluster.stored("p")["metadata"]["annotations"]
    assert (annotations["hami.io/bind-phase"], annotations["hami.io/bind-time"]) == (
        "allocating",
        "1787293240",
    )


def test_a_pod_holds_its_own_lock_again_and_others_wait_with_their_cards_counted():
    cluster = Cluster(cards.nvidia())
    bound(cluster, "p")
    assert cluster.bind(pod("p"), "n").error == ""
    refused = bound(cluster, "q")
    assert refused.error == "node n has been locked within 5m0s: node lock contention"
    assert [str(told) for told in refused.events] == [f"Warning BindingFailed {refused.error}"]
    assert refused.annotations is None
    assert sum(used for used, *_ in cluster.used().values()) == 2
    assert locks(cluster) == {LOCK: f"{STAMP},default,p"}


@pytest.mark.parametrize("wait", [300, 301])
def test_a_lock_is_broken_after_its_timeout(wait):
    cluster = Cluster(cards.nvidia())
    bound(cluster, "p")
    cluster.clock += wait * SECOND
    assert (bound(cluster, "q").error == "") is (wait > 300)


def test_the_timeout_is_a_setting():
    cluster = Cluster(cards.nvidia(), config={"nodeLockTimeout": "90s"})
    bound(cluster, "p")
    assert bound(cluster, "q").error == "node n has been locked within 1m30s: node lock contention"


@pytest.mark.parametrize(("text", "error"), [
    ("2099-01-01T00:00:00Z,default,ghost", ""),
    ("2020-01-01T00:00:00Z", ""),
    ("2099-01-01T00:00:00Z", "node n has been locked within 5m0s: node lock contention"),
    ("garbage,x", "malformed lock annotation: expected 3 parts, got 2 from garbage,x"),
    ("garbage", 'parsing time "garbage" as "2006-01-02T15:04:05Z07:00": cannot parse "garbage" as "2006"'),
    ("2020-01-01T00:60:00Z", 'parsing time "2020-01-01T00:60:00Z": minute out of range'),
    (
        "2020-01-01T00:00:00z",
        'parsing time "2020-01-01T00:00:00z" as "2006-01-02T15:04:05Z07:00": cannot parse "z" as "Z07:00"',
    ),
])  # fmt: skip
def test_locks_of_others(text, error):
    cluster = Cluster(cards.nvidia(annotations={LOCK: text}))
    assert bound(cluster, "p").error == error


def test_a_lock_without_an_owner_is_let_go_by_whoever_fails():
    cluster = Cluster(cards.nvidia(annotations={LOCK: "2099-01-01T00:00:00Z"}))
    bound(cluster, "p")
    assert locks(cluster) == {}


def test_mlus_have_a_lock_of_their_own_for_two_minutes_that_any_failed_bind_lets_go():
    cluster = Cluster(both())
    bound(cluster, "m", MLU)
    assert locks(cluster) == {MLU_LOCK: STAMP}
    assert bound(cluster, "o", MLU).error == "node n has been locked within 2 minutes"
    assert locks(cluster) == {}


def test_what_was_locked_before_another_vendor_refuses_is_let_go_again():
    cluster = Cluster(both())
    cluster.objects.patch_node("n", {LOCK: "garbage,x"})
    assert bound(cluster, "b", GPU | MLU).error.startswith("malformed")
    assert locks(cluster) == {LOCK: "garbage,x"}


def test_init_containers_do_not_lock():
    cluster = Cluster(cards.nvidia())
    made = pod("p", containers=[{"cpu": 1}], init=[GPU])
    cluster.place(made)
    assert cluster.bind(made, "n").error == ""
    assert locks(cluster) == {}


def test_a_binding_that_the_api_server_does_not_take_gives_the_lock_back():
    cluster = Cluster(cards.nvidia())
    bound(cluster, "p")
    told = cluster.hami.bind_failed("default/p", "n", "no")
    assert (told.error, locks(cluster)) == ("no", {})


def test_a_bind_of_what_is_gone_lets_the_cards_go():
    cluster = Cluster(cards.nvidia())
    for name, missing in (("p", "node"), ("q", "pod")):
        made = pod(name, GPU)
        cluster.place(made)
        if missing == "pod":
            cluster.objects.delete_pod("default/q")
        answer = cluster.bind(made, "n" if missing == "pod" else "gone")
        assert answer.error == ('pod "q" not found' if missing == "pod" else 'node "gone" not found')
    assert cluster.used() == {}
