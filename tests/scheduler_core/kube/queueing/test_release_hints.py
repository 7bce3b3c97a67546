"""What moves a rejected pod in older releases, by their source: no recorded operation is of one of them."""

import pytest
from msgspec.structs import replace

from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.table import FRAMEWORK_RELEASES
from scheduler_core.kube.queueing.backoff import SECOND, backoff_of
from scheduler_core.kube.queueing.scheduling_queue import Failure
from scheduler_core.objects.dynamic_resources import DeviceClass
from scheduler_core.objects.types import Node, Pod, PodStatus, convert
from scheduler_core.state.build import build_state

VIEW = build_state([]).state
WEB = {"labelSelector": {"matchLabels": {"app": "web"}}, "topologyKey": "zone"}
APART = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}}
SPREAD = {"maxSkew": 1, "topologyKey": "zone", "whenUnsatisfiable": "DoNotSchedule"}


def handlers_of(minor, assumed=(), config=None):
    release, assumed = FRAMEWORK_RELEASES[minor], {one.metadata.uid: one for one in assumed}
    profiles = build_profiles(config, release=release, gates=release.gates)
    backoff = backoff_of(None, release.queueing)
    return release.handlers(
        release.queue(profiles, VIEW, backoff, queueing=release.queueing),
        lambda one: assumed.get(one.metadata.uid),
    )


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


def moved(minor, waiting, plugin, tell, assumed=()):
    """Whether the pod, once rejected by the plugin, leaves the unschedulable ones by what `tell` does."""
    handlers = handlers_of(minor, assumed)
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


@pytest.mark.parametrize(("minor", "moves"), [("1.35", False), ("1.34", True)])
class TestUntil134:
    def test_a_nominated_pod_is_bound(self, minor, moves):
        old = pod("other", nominated="n", priority=1)
        new = pod("other", node="n", nominated="n", priority=1)
        waiting = pod("waiting", containers=asks_for("1"))
        assert moved(minor, waiting, "NodeResourcesFit", lambda told: told.updated(old, new, 0)) is moves

    def test_a_pod_goes_before_its_binding_has_ended(self, minor, moves):
        other, assumed = pod("other"), pod("other", node="n")
        waiting = pod("waiting", containers=asks_for("1"))
        gone = moved(minor, waiting, "NodeResourcesFit", lambda told: told.deleted(other, 0), [assumed])
        assert gone is not moves

        def fails(told):
            told.bound_too_late(assumed, 0)

        assert moved(minor, waiting, "NodeResourcesFit", fails, [assumed]) is moves


@pytest.mark.parametrize(("minor", "seconds"), [("1.34", 2), ("1.33", 4)])
def test_until_1_33_an_error_counts_with_the_rejections(minor, seconds):
    queue, waiting = handlers_of(minor).queue, pod("waiting")
    queue.add(waiting, 0)
    for plugins in ({"NodeName"}, set(), {"NodeName"}):
        queue.activate([waiting], 0)
        queue.pop()
        queue.put_back("waiting", waiting, Failure(frozenset(plugins)), 0)
    assert queue.tables.pods["waiting"].expires == seconds * SECOND


@pytest.mark.parametrize(
    ("minor", "event"),
    [("1.34", "AssignedPodUpdatePodGeneratedResourceClaim"), ("1.33", "AssignedPodUpdate")],
)
def test_claims_that_are_made_for_a_pod_are_news_since_1_34(minor, event):
    old = pod("p", node="n")
    status = PodStatus(resource_claim_statuses=[{"name": "gpu", "resourceClaimName": "p-gpu"}])
    report = handlers_of(minor).updated(old, replace(old, status=status), 0)
    assert [heard.event for heard in report.events] == [event]


@pytest.mark.parametrize(("minor", "heard"), [("1.34", ["resource.k8s.io/DeviceClassAdd"]), ("1.33", [])])
def test_device_classes_are_news_since_1_34_even_to_extenders(minor, heard):
    extender = {"urlPrefix": "http://extender", "filterVerb": "filter"}
    config = {"kind": "KubeSchedulerConfiguration", "extenders": [extender]}
    devices = convert({"metadata": {"name": "gpus"}, "spec": {}}, DeviceClass)
    report = handlers_of(minor, config=config).added(devices, 0)
    assert [event.event for event in report.events] == heard
