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


def labelled_node(name, labels):
    return convert({"metadata": {"name": name, "labels": labels}}, Node)


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


@pytest.mark.parametrize(("minor", "moves"), [("1.37", True), ("1.36", False)])
class TestSince137:
    def test_a_pod_that_matched_one_of_two_terms_of_anti_affinity_goes(self, minor, moves):
        other = pod("other", {"app": "web"}, node="n")
        terms = [WEB, WEB | {"labelSelector": {"matchLabels": {"tier": "front"}}}]
        apart = {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": terms}}
        waiting = pod("waiting", affinity=apart)
        assert moved(minor, waiting, "InterPodAffinity", lambda told: told.deleted(other, 0)) is moves

    def test_taints_change_that_the_plugin_does_not_look_at(self, minor, moves):
        waiting, old = pod("waiting", containers=asks_for("1")), node("n", cpu="2", pods="9")
        taint = {"key": "key", "effect": "PreferNoSchedule"}
        new = convert({"metadata": {"name": "n"}, "spec": {"taints": [taint]}, "status": {}}, Node)
        found = moved(minor, waiting, "NodeResourcesFit", lambda told: told.updated(old, new, 0))
        assert found is not moves

    def test_a_gated_pod_names_a_node(self, minor, moves):
        handlers = handlers_of(minor)
        handlers.added(pod("p", nominated="n", schedulingGates=[{"name": "wait"}]), 0)
        assert handlers.queue.nominator.of_nodes() == ({"n": ["default/p"]} if moves else {})


@pytest.mark.parametrize(
    ("minor", "event"),
    [("1.37", "TargetPodUpdatePodToleration"), ("1.36", "UnschedulablePodUpdatePodToleration")],
)
def test_a_waiting_pod_s_own_changes_have_a_name_of_their_own_since_1_37(minor, event):
    handlers, old = handlers_of(minor), pod("p")
    handlers.added(old, 0)
    handlers.queue.pop()
    handlers.queue.put_back("p", old, Failure(frozenset({"TaintToleration"})), 0)
    report = handlers.updated(old, pod("p", tolerations=[{"operator": "Exists"}]), 0)
    assert [heard.event for heard in report.events] == [event]
    assert [move.target for move in report.moves] == ["backoff"]


@pytest.mark.parametrize(
    ("minor", "heard"), [("1.37", "TargetPodUpdatePodScaleUp"), ("1.36", "UnschedulablePodUpdate")]
)
def test_a_pod_that_asks_for_more_is_news_since_1_37(minor, heard):
    handlers, old = handlers_of(minor), pod("p", containers=asks_for("1"))
    handlers.added(old, 0)
    handlers.queue.pop()
    report = handlers.updated(old, pod("p", containers=asks_for("2")), 0)
    assert [event.event for event in report.events] == [heard]


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


@pytest.mark.parametrize(("minor", "moves"), [("1.33", False), ("1.32", True)])
class TestUntil132:
    def test_a_node_with_the_key_of_an_affinity_changes_otherwise(self, minor, moves):
        old, new = (labelled_node("n", {"zone": "a", "disk": disk}) for disk in ("slow", "fast"))
        wants = {"podAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [WEB]}}
        waiting = pod("waiting", affinity=wants)
        assert moved(minor, waiting, "InterPodAffinity", lambda told: told.updated(old, new, 0)) is moves

    def test_a_nomination_ends(self, minor, moves):
        other, waiting = pod("other", nominated="n"), pod("waiting", containers=asks_for("1"))
        found = moved(minor, waiting, "NodeResourcesFit", lambda told: told.deleted(other, 0))
        assert found is not moves

    def test_a_pod_asks_for_less(self, minor, moves):
        old, new = (pod("other", node="n", containers=asks_for(amount)) for amount in ("2", "1"))
        waiting = pod("waiting", containers=asks_for("1"))
        found = moved(minor, waiting, "NodeResourcesFit", lambda told: told.updated(old, new, 0))
        assert found is not moves

    def test_the_port_of_a_sidecar_is_free(self, minor, moves):
        port = {"ports": [{"containerPort": 80, "hostPort": 80}]}
        sidecar = [{"name": "s", "restartPolicy": "Always"} | port]
        other = pod("other", node="n", initContainers=sidecar)
        waiting = pod("waiting", containers=[{"name": "c"} | port])
        found = moved(minor, waiting, "NodePorts", lambda told: told.deleted(other, 0))
        assert found is not moves

    def test_a_back_off_is_over_at_its_end(self, minor, moves):
        queue, waiting = handlers_of(minor).queue, pod("waiting")
        queue.add(waiting, 0)
        queue.pop()
        queue.put_back("waiting", waiting, Failure(), 0)
        queue.flush_backoff(SECOND)
        assert (queue.tables.pods["waiting"].part == "active") is moves


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


@pytest.mark.parametrize(("minor", "part"), [("1.37", "backoff"), ("1.36", "unschedulable")])
def test_since_1_37_pods_in_flight_take_each_others_changes_for_their_own(minor, part):
    handlers = handlers_of(minor)
    large, small = (pod("other", containers=asks_for(amount)) for amount in ("2", "1"))
    for one in (pod("waiting"), large):
        handlers.added(one, 0)
        handlers.queue.pop()
    handlers.updated(large, small, 0)
    handlers.queue.put_back("waiting", pod("waiting"), Failure(frozenset({"NodeResourcesFit"})), 0)
    assert handlers.queue.tables.pods["waiting"].part == part
