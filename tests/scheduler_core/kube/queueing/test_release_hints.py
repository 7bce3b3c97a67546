"""What moves a rejected pod in older releases, by their source: no recorded operation is of one of them."""

import pytest

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.queueing.backoff import backoff_of
from scheduler_core.kube.queueing.scheduling_queue import Failure, SchedulingQueue
from scheduler_core.objects.dynamic_resources import DeviceClass
from scheduler_core.objects.types import Node, Pod, convert
from scheduler_core.state.build import build_state

VIEW = build_state([]).state
WEB = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "zone"}
APART = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}}
SPREAD = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}


def handlers_of(minor):
    release = FRAMEWORK_RELEASES[minor]
    queueing = release.queueing
    profiles = build_profiles(None, release=release, gates=release.gates)
    backoff = backoff_of(None, pops_early=queueing.pops_early, counts_attempts=queueing.counts_attempts)
    return release.handlers(SchedulingQueue(profiles, VIEW, backoff, unheard=queueing.unheard))


def pod(name, labels=None, *, node=None, nominated=None, **spec):
    return convert(
        {
            "metadata": {"name": name, "namespace": "default", "uid": name, "labels": labels or {}},
            "spec": {"nodeName": node, **spec},
            "status": {"nominatedNodeName": nominated} if nominated else {},
        },
        Pod,
    )


def node(name, *, features=(), **allocatable):
    status = {"allocatable": allocatable, "declaredFeatures": list(features)}
    return convert({"metadata": {"name": name}, "status": status}, Node)


def moved(minor, waiting, plugin, tell):
    """Whether the pod, once rejected by the plugin, leaves the unschedulable ones by what `tell` does."""
    handlers = handlers_of(minor)
    handlers.added(waiting, 0)
    handlers.queue.pop()
    handlers.queue.put_back(waiting.metadata.uid, waiting, Failure(frozenset({plugin})), 0)
    tell(handlers)
    return handlers.queue.tables.pods[waiting.metadata.uid].part != "unschedulable"


def asks_for(amount, resource="cpu"):
    return [{"name": "c", "resources": {"requests": {resource: amount}}}]


@pytest.mark.parametrize(("minor", "moves"), [("1.36", True), ("1.35", False)])
class TestSince136:
    def test_a_pod_that_kept_the_waiting_one_away_goes(self, minor, moves):
        other = pod("other", node="n", affinity=APART)
        waiting = pod("waiting", {"app": "web"})
        assert moved(minor, waiting, "InterPodAffinity", lambda told: told.deleted(other, 0)) is moves

    def test_a_nomination_that_the_anti_affinity_forbade_goes(self, minor, moves):
        other = pod("other", {"app": "web"}, nominated="n", priority=1)
        waiting = pod("waiting", affinity=APART)
        assert moved(minor, waiting, "InterPodAffinity", lambda told: told.deleted(other, 0)) is moves

    def test_the_waiting_pod_is_relabelled(self, minor, moves):
        old, new = pod("waiting", {"app": "web"}), pod("waiting", {"app": "db"})
        assert moved(minor, old, "InterPodAffinity", lambda told: told.updated(old, new, 0)) is moves

    def test_a_nomination_that_the_spreading_counts_goes(self, minor, moves):
        other = pod("other", {"app": "web"}, nominated="n", priority=1)
        constraint = SPREAD | {"labelSelector": WEB["labelSelector"]}
        waiting = pod("waiting", topologySpreadConstraints=[constraint])
        assert moved(minor, waiting, "PodTopologySpread", lambda told: told.deleted(other, 0)) is moves

    def test_a_device_class_comes_that_stands_for_the_resource(self, minor, moves):
        devices = convert(
            {"metadata": {"name": "gpus"}, "spec": {"extendedResourceName": "example.com/gpu"}}, DeviceClass
        )
        waiting = pod("waiting", containers=asks_for("1", "example.com/gpu"))
        assert moved(minor, waiting, "NodeResourcesFit", lambda told: told.added(devices, 0)) is moves


@pytest.mark.parametrize(("minor", "events"), [("1.36", ["NodeUpdateNodeDeclaredFeature"]), ("1.35", [])])
def test_a_node_that_declares_other_features_is_news_since_1_36(minor, events):
    report = handlers_of(minor).updated(node("n"), node("n", features=["a"]), 0)
    assert [event.event for event in report.events] == events


def test_what_both_releases_hear_of_affinity():
    there = pod("other", {"app": "web"}, node="n")
    waiting = pod("waiting", affinity=APART)
    for minor in ("1.36", "1.35"):
        assert moved(minor, waiting, "InterPodAffinity", lambda told: told.deleted(there, 0))
