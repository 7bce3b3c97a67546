"""The queue of releases without queueing hints, 1.28 to 1.31, worked out by hand from their sources."""

import pytest
from msgspec.structs import replace

from scheduler_core.kube.queueing.backoff import SECOND
from scheduler_core.kube.queueing.scheduling_queue import Failure
from scheduler_core.objects.storage import PersistentVolumeClaim, StorageClass
from scheduler_core.objects.types import Node, PodStatus, convert
from tests.scheduler_core.kube.queueing.test_release_hints import (
    WEB,
    asks_for,
    handlers_of,
    pod,
)

BARE = {
    "kind": "KubeSchedulerConfiguration",
    "profiles": [
        {
            "plugins": {
                "multiPoint": {
                    "disabled": [{"name": "*"}],
                    "enabled": [{"name": "PrioritySort"}, {"name": "DefaultBinder"}],
                }
            }
        }
    ],
}
"""Plugins that listen to nothing."""
HINTLESS = ("1.31", "1.30", "1.29", "1.28")
NEAR = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}}


def rejected(minor, waiting, plugin, **how):
    """The handlers of a queue in which the pod waits, rejected by the plugin at the instant 0."""
    handlers = handlers_of(minor, **how)
    handlers.added(waiting, 0)
    handlers.queue.pop()
    handlers.queue.put_back(waiting.metadata.uid, waiting, Failure(frozenset({plugin})), 0)
    return handlers


def part_of(handlers, name="waiting"):
    return handlers.queue.tables.pods[name].part


def sized(name, **allocatable):
    status = {"allocatable": allocatable | {"pods": "9"}}
    return convert({"metadata": {"name": name}, "status": status}, Node)


@pytest.mark.parametrize(
    ("minor", "part"), [("1.32", "unschedulable"), *((one, "backoff") for one in HINTLESS)]
)
def test_until_1_31_an_event_moves_whom_no_hint_would_move(minor, part):
    handlers = rejected(minor, pod("waiting", nodeSelector={"disk": "fast"}), "NodeAffinity")
    old, new = (labelled_sized("n", {"disk": "fast", "tier": tier}) for tier in ("1", "2"))
    handlers.updated(old, new, 0)
    assert part_of(handlers) == part


def labelled_sized(name, labels):
    document = {"metadata": {"name": name, "labels": labels}, "status": {"allocatable": {"pods": "9"}}}
    return convert(document, Node)


@pytest.mark.parametrize("minor", HINTLESS)
class TestNodes:
    def test_a_node_is_news_for_whom_it_could_take(self, minor):
        handlers = rejected(minor, pod("waiting", containers=asks_for("2")), "NodeResourcesFit")
        handlers.added(sized("small", cpu="1"), 0)
        assert part_of(handlers) == "unschedulable"
        handlers.added(sized("large", cpu="2"), 0)
        assert part_of(handlers) == "backoff"

    def test_a_taint_that_is_not_tolerated_counts_only_if_it_forbids_scheduling(self, minor):
        def tainted(effect):
            node = sized("n", cpu="2")
            return replace(
                node, spec=convert({"spec": {"taints": [{"key": "k", "effect": effect}]}}, Node).spec
            )

        handlers = rejected(minor, pod("waiting"), "NodeName")
        handlers.added(tainted("NoSchedule"), 0)
        assert part_of(handlers) == "unschedulable"
        handlers.added(tainted("NoExecute"), 0)
        assert part_of(handlers) == "backoff"

    def test_a_node_that_goes_is_no_news(self, minor):
        handlers = rejected(minor, pod("waiting"), "PodTopologySpread")
        assert handlers.deleted(sized("n"), 0).events == []


@pytest.mark.parametrize(("minor", "events"), [("1.30", 3), ("1.29", 1)])
def test_until_1_29_the_change_of_a_node_is_one_event(minor, events):
    old = sized("n", cpu="1")
    metadata = replace(old.metadata, labels={"zone": "a"}, annotations={"of": "mine"})
    new = replace(sized("n", cpu="2"), metadata=metadata)
    assert len(handlers_of(minor).updated(old, new, 0).events) == events


@pytest.mark.parametrize(("minor", "part"), [("1.31", "backoff"), ("1.30", "unschedulable")])
def test_until_1_30_a_pod_on_a_node_is_no_news_for_those_that_are_spread(minor, part):
    handlers = rejected(minor, pod("waiting"), "PodTopologySpread")
    handlers.added(pod("other", node="n"), 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize("minor", HINTLESS)
class TestPodsOnNodes:
    def test_a_pod_is_news_for_whose_affinity_wants_it(self, minor):
        handlers = rejected(minor, pod("waiting", affinity=NEAR), "InterPodAffinity")
        handlers.added(pod("other", {"app": "db"}, node="n"), 0)
        assert part_of(handlers) == "unschedulable"
        handlers.added(pod("wanted", {"app": "web"}, node="n"), 0)
        assert part_of(handlers) == "backoff"

    def test_a_pod_that_goes_is_news_for_every_listener(self, minor):
        handlers = rejected(minor, pod("waiting", containers=asks_for("1")), "NodeResourcesFit")
        handlers.deleted(pod("other", node="n"), 0)
        assert part_of(handlers) == "backoff"


@pytest.mark.parametrize(("minor", "part"), [("1.31", "unschedulable"), ("1.30", "backoff")])
def test_until_1_30_any_change_of_a_wanted_pod_is_news(minor, part):
    handlers = rejected(minor, pod("waiting", affinity=NEAR), "InterPodAffinity")
    old = pod("wanted", {"app": "web"}, node="n")
    handlers.updated(old, replace(old, status=PodStatus(phase="Running")), 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize("minor", HINTLESS)
class TestAttempts:
    def test_an_event_during_an_attempt_has_it_repeated_whatever_it_is_about(self, minor):
        handlers, waiting = handlers_of(minor), pod("waiting", containers=asks_for("1"))
        handlers.added(waiting, 0)
        handlers.queue.pop()
        handlers.deleted(pod("other", node="n"), 0)
        handlers.queue.put_back("waiting", waiting, Failure(frozenset({"NodeName"})), 0)
        assert part_of(handlers) == "backoff"

    def test_an_event_before_an_attempt_does_not_count(self, minor):
        handlers, waiting = handlers_of(minor), pod("waiting")
        handlers.deleted(pod("other", node="n"), 0)
        handlers.added(waiting, 0)
        handlers.queue.pop()
        handlers.queue.put_back("waiting", waiting, Failure(frozenset({"NodeName"})), 0)
        assert part_of(handlers) == "unschedulable"

    def test_a_pod_that_changes_during_its_attempt_comes_anew(self, minor):
        handlers, waiting = handlers_of(minor), pod("waiting")
        handlers.added(waiting, 0)
        handlers.queue.pop()
        changed = pod("waiting", {"app": "web"})
        handlers.updated(waiting, changed, SECOND)
        handlers.queue.put_back("waiting", changed, Failure(frozenset({"NodeName"})), 2 * SECOND)
        queued = handlers.queue.tables.pods["waiting"]
        assert (queued.part, queued.attempts, queued.since) == ("active", 0, SECOND)

    def test_a_waiting_pod_that_changes_is_tried_after_its_back_off(self, minor):
        waiting = pod("waiting")
        handlers = rejected(minor, waiting, "NodeName")
        handlers.updated(waiting, replace(waiting, status=PodStatus(phase="Pending")), 0)
        assert part_of(handlers) == "unschedulable"
        handlers.updated(waiting, pod("waiting", {"app": "web"}), 0)
        assert part_of(handlers) == "backoff"


@pytest.mark.parametrize(("minor", "part"), [("1.30", "unschedulable"), ("1.29", "backoff")])
def test_until_1_29_an_event_without_listeners_counts_during_an_attempt(minor, part):
    handlers, waiting = handlers_of(minor, config=BARE), pod("waiting")
    handlers.added(waiting, 0)
    handlers.queue.pop()
    old = sized("n")
    handlers.updated(old, replace(old, status=ready(old)), 0)
    handlers.queue.put_back("waiting", waiting, Failure(frozenset({"NodePorts"})), 0)
    assert part_of(handlers) == part


def ready(node):
    condition = {"type": "Ready", "status": "True"}
    return replace(
        node.status, conditions=convert({"status": {"conditions": [condition]}}, Node).status.conditions
    )


@pytest.mark.parametrize(("minor", "part"), [("1.29", "backoff"), ("1.28", "unschedulable")])
def test_in_1_28_an_error_waits_for_news(minor, part):
    handlers, waiting = handlers_of(minor), pod("waiting")
    handlers.added(waiting, 0)
    handlers.queue.pop()
    handlers.queue.put_back("waiting", waiting, Failure(), 0)
    assert part_of(handlers) == part
    handlers.deleted(pod("other", node="n"), 0)
    assert part_of(handlers) == "backoff"


@pytest.mark.parametrize("minor", HINTLESS)
def test_storage_classes_that_bind_at_once_are_no_news(minor):
    handlers = rejected(minor, pod("waiting"), "VolumeBinding")
    for mode, part in (("Immediate", "unschedulable"), ("WaitForFirstConsumer", "backoff")):
        handlers.added(convert({"metadata": {"name": mode}, "volumeBindingMode": mode}, StorageClass), 0)
        assert part_of(handlers) == part


@pytest.mark.parametrize(("minor", "part"), [("1.30", "backoff"), ("1.29", "unschedulable")])
def test_until_1_29_a_claim_moves_nobody_whose_node_is_full_of_volumes(minor, part):
    handlers = rejected(minor, pod("waiting"), "NodeVolumeLimits")
    handlers.added(convert({"metadata": {"name": "c", "namespace": "default"}}, PersistentVolumeClaim), 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize(
    ("minor", "plugin", "part"),
    [
        ("1.31", "VolumeZone", "backoff"),
        ("1.30", "VolumeZone", "unschedulable"),
        ("1.31", "VolumeRestrictions", "unschedulable"),
        ("1.30", "VolumeRestrictions", "backoff"),
    ],
)
def test_changes_of_claims_go_to_another_plugin_since_1_31(minor, plugin, part):
    handlers = rejected(minor, pod("waiting"), plugin)
    claim = convert({"metadata": {"name": "c", "namespace": "default"}}, PersistentVolumeClaim)
    handlers.updated(claim, claim, 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize(("minor", "part"), [("1.30", "backoff"), ("1.29", "unschedulable")])
def test_until_1_29_taints_move_nobody_whose_plugin_does_not_ask_for_them(minor, part):
    handlers = rejected(minor, pod("waiting"), "InterPodAffinity")
    old = sized("n")
    new = replace(
        old, spec=convert({"spec": {"taints": [{"key": "k", "effect": "PreferNoSchedule"}]}}, Node).spec
    )
    handlers.updated(old, new, 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize(("minor", "part"), [("1.29", "unschedulable"), ("1.28", "backoff")])
def test_in_1_28_storage_that_goes_is_news_during_an_attempt(minor, part):
    handlers, waiting = handlers_of(minor), pod("waiting")
    handlers.added(waiting, 0)
    handlers.queue.pop()
    claim = convert({"metadata": {"name": "c", "namespace": "default"}}, PersistentVolumeClaim)
    handlers.deleted(claim, 0)
    handlers.queue.put_back("waiting", waiting, Failure(frozenset({"NodeName"})), 0)
    assert part_of(handlers) == part


@pytest.mark.parametrize(("minor", "nominated"), [("1.31", {"m": ["default/waiting"]}), ("1.30", {})])
def test_until_1_30_an_activated_pod_is_nominated_as_its_status_says(minor, nominated):
    handlers, waiting = handlers_of(minor), pod("waiting")
    handlers.added(waiting, 0)
    handlers.queue.pop()
    handlers.queue.put_back("waiting", waiting, Failure(frozenset({"NodeName"}), nominate="m"), 0)
    handlers.queue.activate([waiting], 0)
    assert part_of(handlers) == "active"
    assert handlers.queue.nominator.of_nodes() == nominated


@pytest.mark.parametrize("plugin", ["PodTopologySpread", "InterPodAffinity"])
@pytest.mark.parametrize(("minor", "part"), [("1.31", "backoff"), ("1.30", "unschedulable")])
def test_in_1_31_a_pod_that_asks_for_less_is_news_for_all_who_listen_to_labels(minor, plugin, part):
    handlers = rejected(minor, pod("waiting"), plugin)
    old, new = (pod("other", node="n", containers=asks_for(amount)) for amount in ("2", "1"))
    handlers.updated(old, old, 0)
    assert part_of(handlers) == "unschedulable"
    handlers.updated(old, new, 0)
    assert part_of(handlers) == part
