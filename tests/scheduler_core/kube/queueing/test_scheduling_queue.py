"""The scheduling queue's rules that no recorded operation shows."""

import pytest

from recorded.decide import decide
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.queueing.backoff import SECOND, Backoff, backoff_of
from scheduler_core.kube.queueing.behaviour import Queueing
from scheduler_core.kube.queueing.cluster_event import NODE, Action, ClusterEvent
from scheduler_core.kube.queueing.event_handlers import EventHandlers
from scheduler_core.kube.queueing.pod_facts import uid_of
from scheduler_core.kube.queueing.scheduling_queue import Failure, SchedulingQueue
from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.types import Node, Pod, convert
from scheduler_core.state.build import build_state

VIEW = build_state([]).state
NODE_ADDED = ClusterEvent(NODE, Action.ADD)


def queue_of(config=None, *, early=True):
    return SchedulingQueue(build_profiles(config), VIEW, backoff_of(config, pops_early=early))


def pod(name, *, node=None, status=None, deleted=None, **spec):
    metadata = {"name": name, "namespace": "default", "uid": name, "deletionTimestamp": deleted}
    return convert({"metadata": metadata, "spec": {"nodeName": node, **spec}, "status": status or {}}, Pod)


def node(name, **spec):
    return convert({"metadata": {"name": name}, "spec": spec}, Node)


def rejected(queue, name, *plugins, now=0, **spec):
    """A pod that plugins have rejected once, put back at `now`."""
    waiting = pod(name, **spec)
    queue.add(waiting, now)
    assert queue.pop()[0].uid == name
    queue.put_back(name, waiting, Failure(frozenset(plugins)), now)
    return waiting


def parts(queue):
    return {queued.uid: queued.part for queued in queue.tables.pods.values()}


def config_of(plugins, name="default-scheduler", **more):
    return {"kind": "KubeSchedulerConfiguration", **more} | {
        "profiles": [{"schedulerName": name, "plugins": plugins}]
    }


@pytest.mark.parametrize(
    ("failures", "seconds"), [(1, 1), (2, 2), (3, 4), (4, 8), (5, 10), (6, 10), (2000, 10)]
)
def test_the_back_off_doubles_up_to_ten_seconds(failures, seconds):
    assert Backoff().expiry(0, failures, 0) == seconds * SECOND
    assert Backoff().expiry(0, 7, failures) == seconds * SECOND


def test_who_never_failed_does_not_back_off():
    assert Backoff().expiry(5 * SECOND, 0, 0) is None
    assert Backoff().is_over(None, 0)


def test_the_back_off_is_as_configured():
    configured = backoff_of({"podInitialBackoffSeconds": 3, "podMaxBackoffSeconds": 7})
    assert [configured.expiry(0, failures, 0) for failures in (1, 2, 3)] == [
        3 * SECOND,
        6 * SECOND,
        7 * SECOND,
    ]
    assert backoff_of({"podMaxBackoffSeconds": 0}).expiry(0, 1, 0) is None


def test_the_longest_wait_holds_only_for_what_would_be_longer():
    """backoff_queue.go calculateBackoffDuration: `duration > max >> shift`."""
    exact = Backoff(initial=5, longest=11, pops_early=False)
    assert [exact.expiry(0, failures, 0) for failures in (1, 2, 3)] == [5, 10, 11]


def test_where_every_attempt_counts_errors_and_rejections_do_not():
    counting = Backoff(counts_attempts=True)
    assert counting.expiry(0, 4, 4, attempts=2) == 2 * SECOND
    assert counting.expiry(0, 4, 4) is None
    assert Backoff().expiry(0, 2, 0, attempts=4) == 2 * SECOND


def test_what_is_not_configured_is_the_default():
    assert backoff_of(None) == backoff_of({}) == Backoff()
    behaviour = Queueing(counts_attempts=True)
    assert backoff_of({}, behaviour, pops_early=False) == Backoff(pops_early=False, counts_attempts=True)


def test_a_back_off_ends_after_the_second_of_its_expiry_or_else_right_after_it():
    half = SECOND // 2
    cut, exact = Backoff(), Backoff(pops_early=False)
    assert cut.expiry(half, 1, 0) == SECOND
    assert not cut.is_over(SECOND, SECOND + half)
    assert cut.is_over(SECOND, 2 * SECOND)
    assert exact.expiry(half, 1, 0) == SECOND + half
    assert not exact.is_over(SECOND, SECOND)
    assert exact.is_over(SECOND, SECOND + 1)


@pytest.mark.parametrize(("waited", "part"), [(300 * SECOND, "unschedulable"), (300 * SECOND + 1, "active")])
def test_a_pod_that_has_waited_for_exactly_five_minutes_waits_on(waited, part):
    """scheduling_queue.go flushUnschedulableEntitiesLeftover: `currentTime.Sub(lastScheduleTime) > max`."""
    queue = queue_of()
    rejected(queue, "a", "NodeResourcesFit")
    queue.flush_unschedulable(waited)
    assert parts(queue) == {"a": part}


def test_a_plugin_that_a_profile_does_not_have_listens_to_nothing():
    heard = queue_of()
    rejected(heard, "p", "NodeName")
    assert heard.move_all(NODE_ADDED, None, node("n"), 0).moves[0].target == "backoff"
    deaf = queue_of(config_of({"multiPoint": {"disabled": [{"name": "NodeName"}]}}))
    rejected(deaf, "p", "NodeName")
    assert deaf.move_all(NODE_ADDED, None, node("n"), 0).moves == []
    assert parts(deaf) == {"p": "unschedulable"}


def test_a_plugin_that_is_disabled_at_its_points_alone_listens_all_the_same():
    """As kube-scheduler 1.36 does, which makes all plugins of MultiPoint (framework.go pluginsNeeded)."""
    queue = queue_of(config_of({"filter": {"disabled": [{"name": "NodeName"}]}}))
    rejected(queue, "p", "NodeName")
    assert queue.move_all(NODE_ADDED, None, node("n"), 0).moves[0].target == "backoff"


def test_what_no_plugin_of_any_profile_listens_to_is_ignored():
    queue = queue_of(config_of({"multiPoint": {"disabled": [{"name": "*"}], "enabled": QUEUE_AND_BIND}}))
    assert queue.move_all(NODE_ADDED, None, node("n"), 0).events[0].ignored
    assert not queue_of().move_all(NODE_ADDED, None, node("n"), 0).events[0].ignored


QUEUE_AND_BIND = [{"name": "PrioritySort"}, {"name": "DefaultBinder"}]


def test_each_profile_has_its_own_listeners():
    without = {"multiPoint": {"disabled": [{"name": "NodeName"}]}}
    config = config_of({})
    config["profiles"].append({"schedulerName": "deaf", "plugins": without})
    queue = queue_of(config)
    rejected(queue, "hears", "NodeName")
    rejected(queue, "does-not", "NodeName", schedulerName="deaf")
    queue.move_all(NODE_ADDED, None, node("n"), 0)
    assert parts(queue) == {"hears": "backoff", "does-not": "unschedulable"}


def test_a_pod_of_no_profile_never_enters():
    queue = queue_of()
    handlers = EventHandlers(queue)
    stranger = pod("p", schedulerName="somebody-else")
    handlers.added(stranger, 0)
    handlers.updated(stranger, pod("p", schedulerName="somebody-else", priority=1), 0)
    handlers.deleted(stranger, 0)
    assert queue.tables.pods == {}


def test_an_assumed_pod_is_left_alone_until_it_begins_to_go():
    queue = queue_of()
    waiting = pod("assumed", priority=10)
    assumed = {"assumed": pod("assumed", node="n")}
    handlers = EventHandlers(queue, lambda one: assumed.get(uid_of(one)))
    rejected(queue, "waits", "NodeResourcesFit")
    queue.add(waiting, 0)
    queue.pop()
    queue.done("assumed")
    relabelled = pod("assumed", priority=10, status={"phase": "Pending"})
    assert handlers.updated(waiting, relabelled, 0).events == []
    assert parts(queue) == {"waits": "unschedulable"}
    going = pod("assumed", priority=10, deleted="2026-06-01T00:00:00Z")
    report = handlers.updated(relabelled, going, 0)
    assert [event.event for event in report.events] == ["AssignedPodDelete"]
    assert parts(queue) == {"waits": "backoff"}


def test_an_assumed_pod_that_is_deleted_frees_its_node():
    queue = queue_of()
    handlers = EventHandlers(queue, lambda one: pod("assumed", node="n"))
    rejected(queue, "waits", "NodeResourcesFit")
    report = handlers.deleted(pod("assumed", priority=-5), 0)
    assert [(move.key, move.event) for move in report.moves] == [("default/waits", "AssignedPodDelete")]


def test_equals_of_one_instant_are_popped_as_they_came():
    queue = queue_of()
    for name in ("c", "a", "b"):
        queue.add(pod(name), 0)
    assert [queue.pop()[0].uid for _ in range(3)] == ["c", "a", "b"]
    assert queue.pop()[0] is None


def test_only_a_pod_in_flight_can_end_its_attempt():
    queue = queue_of()
    waiting = pod("p")
    queue.add(waiting, 0)
    for end in (lambda: queue.done("p"), lambda: queue.put_back("p", waiting, Failure(), 0)):
        with pytest.raises(KeyError):
            end()


def test_a_request_beyond_64_bits_in_thousandths_can_go_down():
    def asking(memory):
        container = {"name": "c", "resources": {"requests": {"memory": memory}}}
        return pod("p", node="n", containers=[container])

    report = EventHandlers(queue_of()).updated(asking("6Ei"), asking("5Ei"), 0)
    assert [event.event for event in report.events] == ["AssignedPodUpdatePodScaleDown"]


def test_a_uid_enters_once():
    queue = queue_of()
    queue.add(pod("p"), 0)
    with pytest.raises(ValueError, match="default/p is in the queue already"):
        queue.add(pod("p"), 1)


def test_a_pod_that_was_bound_or_replaced_meanwhile_is_forgotten():
    for newest in (None, pod("p", node="n"), pod("other")):
        queue = queue_of()
        queue.add(pod("p", status={"nominatedNodeName": "n"}), 0)
        queue.pop()
        assert queue.put_back("p", newest, Failure(frozenset(["NodeName"])), 0).moves == []
        assert (queue.tables.pods, queue.tables.nominations) == ({}, {})


@pytest.mark.parametrize(
    ("op", "words"),
    [
        ({"op": "dance"}, "unknown operation 'dance'"),
        ({"op": "fail", "pod": "default/p"}, "default/p is not in flight"),
        ({"op": "delete", "delete": "Node n"}, "no Node n"),
        ({"op": "add", "object": {"kind": "Node", "metadata": {"name": "n", "labels": 1}}}, "Node n.*labels"),
    ],
)
def test_an_operation_that_cannot_be_done_is_named(op, words):
    case = {"engine": "kube-scheduler v1.36.1", "family": "queue", "cluster": {"items": []}, "ops": [op]}
    with pytest.raises(BadInput, match=words):
        decide(case)


def test_a_gate_that_is_not_the_queue_s_is_refused():
    case = {"engine": "kube-scheduler v1.36.1", "family": "queue", "cluster": {"items": []}, "ops": []}
    with pytest.raises(BadInput, match="only SchedulerPopFromBackoffQ can be set here"):
        decide(case | {"gates": {"GangScheduling": True}})


@pytest.mark.parametrize(
    ("expires", "ends_at_expiry", "over_at"),
    [(2, False, 3), (2, True, 2), (2.5, False, 3), (2.5, True, 3), (0, True, 0), (0, False, 1)],
)
def test_a_wait_is_over_at_a_whole_second(expires, ends_at_expiry, over_at):
    wait = Backoff(ends_at_expiry=ends_at_expiry)
    assert wait.over_at(int(expires * SECOND)) == over_at * SECOND
    at_the_end = Backoff(pops_early=False, ends_at_expiry=ends_at_expiry)
    assert at_the_end.is_over(2 * SECOND, 2 * SECOND) is ends_at_expiry
    assert at_the_end.is_over(2 * SECOND, 3 * SECOND)
    assert not at_the_end.is_over(2 * SECOND, 2 * SECOND - 1)
