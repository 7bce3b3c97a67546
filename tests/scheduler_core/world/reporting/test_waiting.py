"""Why a pod waits: what would wake it, which events did not and why, and when it is tried at the latest."""

import gzip
import json
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest

from recorded.kube.queue_cases import QueuePlayer
from recorded.kube.timed_cases import _Player as TimedPlayer
from scheduler_core.kube.configuration.profiles import build_profiles
from scheduler_core.kube.framework_releases.v1_36 import V1_36
from scheduler_core.kube.queueing import cluster_event
from scheduler_core.kube.queueing.cluster_event import Action, ClusterEvent
from scheduler_core.kube.queueing.event_words import sentence_of, words_of
from scheduler_core.world import RunInput, Simulation
from scheduler_core.world.reporting.waiting import Listening, place_of
from tests.scheduler_core.clusters import node, pod
from tests.scheduler_core.world.test_timed import manifest

VECTORS = Path(__file__).parents[3] / "vectors" / "kube"


def cases(family):
    with gzip.open(VECTORS / f"{family}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def new_node(name, **fields):
    """A node as somebody writes it."""
    written = node(name, **fields)
    del written["metadata"]["uid"]
    return written


def waiting_run():
    """`huge` fits nowhere, whatever comes: a pod, a node with room for that one, one more node."""
    edits = [
        {"op": "add", "at": 5, "manifest": manifest("small", cpu="100m")},
        {"op": "add", "at": 6, "manifest": new_node("m", cpu="4")},
        {"op": "add", "at": 7, "manifest": new_node("k", cpu="2")},
        {"op": "add", "at": 8, "manifest": manifest("held", schedulingGates=[{"name": "example.com/hold"}])},
    ]
    objects = [node("n", cpu="1"), pod("there", on="n", cpu="1"), pod("huge", cpu="64")]
    return Simulation(RunInput(objects=objects, driver="timed", edits=edits, until=400))


def uid_of(simulation, name):
    return next(row.uid for row in simulation.state().pods() if row.name == name)


def row_of(one):
    return one.event, one.plugin, one.answer, one.count


def answers_of(heard):
    return [row_of(one) for one in heard.answers]


def test_events_that_do_not_wake_a_pod_are_counted_with_what_the_hint_said():
    simulation = waiting_run()
    simulation.step()
    uid = uid_of(simulation, "huge")
    with simulation.listening_for(uid) as listening:
        while simulation.step().time < 10_000 and simulation.seq < 9:
            pass
    heard = listening.heard()
    assert (heard.events, heard.woke, heard.skipped, heard.unheard) == (3, 0, 2, 1)
    assert answers_of(heard) == [
        ("NodeAdd", "NodeResourcesFit", "QueueSkip", 2),
        ("AssignedPodAdd", "", "", 1),
    ]
    skipped, unheard = heard.answers
    assert (skipped.happened, skipped.last) == ("a node comes", 7000)
    assert skipped.reason.startswith("the node is too small even if it were empty")
    assert (unheard.happened, unheard.reason) == ("a pod is placed", "NodeResourcesFit does not listen to it")


def test_nothing_is_counted_before_and_after():
    simulation = waiting_run()
    list(simulation)
    uid = uid_of(simulation, "huge")
    with simulation.listening_for(uid) as listening:
        assert simulation.step() is None
    assert listening.heard().events == 0
    assert all(one.queue.on_heard is None for one in simulation._world.schedulers)


def test_an_event_in_an_attempts_own_time_is_counted_when_the_attempt_ends():
    edits = [{"op": "add", "at": 0.005, "manifest": new_node("m", cpu="2")}]
    objects = [node("n", cpu="1"), pod("huge", cpu="64")]
    simulation = Simulation(RunInput(objects=objects, driver="timed", edits=edits, until=10))
    simulation.step()
    with simulation.listening_for(uid_of(simulation, "huge")) as listening:
        simulation.step()
        assert listening.heard().events == 0
        simulation.step()
    assert answers_of(listening.heard()) == [("NodeAdd", "NodeResourcesFit", "QueueSkip", 1)]


def test_what_would_wake_a_pod_is_what_its_rejecters_listen_to():
    simulation = waiting_run()
    list(simulation)
    huge = simulation.place_in_queue(uid_of(simulation, "huge"))
    assert (huge.part, huge.actor) == ("unschedulable", "kube-scheduler")
    [wakes] = huge.would_wake
    assert wakes.plugin == "NodeResourcesFit"
    assert wakes.events[:4] == [
        "a pod goes",
        "a pod asks for less",
        "a node comes",
        "a node changes its size",
    ]
    held = simulation.place_in_queue(uid_of(simulation, "held"))
    assert [(one.plugin, one.events) for one in held.would_wake] == [
        ("SchedulingGates", ["a pod loses its last gate"])
    ]
    assert held.waiting["gates"] == ["example.com/hold"]
    assert held.waiting["latest"] is None
    assert simulation.place_in_queue(uid_of(simulation, "there")) is None


def test_without_a_clock_nobody_waits():
    simulation = Simulation(RunInput(objects=[node("n"), pod("p")]))
    with pytest.raises(LookupError):
        simulation.place_in_queue("uid")


# -- held to recordings -----------------------------------------------------------------------------------


def test_every_answer_that_was_recorded_is_counted():
    counted = Counter()
    for case in cases("queue_hints"):
        player = QueuePlayer(case)
        for op, step in zip(case["ops"], case["expect"]["steps"], strict=True):
            asked = sorted({key for event in step.get("events", ()) for key in event.get("hints", {})})
            if not asked:
                player.step(op)
                continue
            listening = listen(player, asked[0])
            player.step(op)
            recorded = Counter(
                (event["event"], plugin, answer)
                for event in step["events"]
                for plugin, answer in event.get("hints", {}).get(asked[0], {}).items()
            )
            heard = listening.heard().answers
            assert {one[:3]: one[3] for one in map(row_of, heard) if one[1]} == recorded, case["id"]
            counted.update(answer for _, _, answer in recorded)
            listening.stop()
    assert min(counted["Queue"], counted["QueueSkip"]) > 50


def listen(player, key):
    uid = next(one.uid for one in player.queue.tables.pods.values() if one.key == key)
    scheduler, cluster = SimpleNamespace(queue=player.queue), SimpleNamespace(now=player.now)
    return Listening(SimpleNamespace(attempting=[scheduler], cluster=cluster), uid)


def test_who_is_tried_after_too_long_is_tried_at_the_latest_that_was_said():
    flushed = 0
    for case in cases("timed"):
        late = [move for move in case["expect"]["moves"] if move["event"] == "UnschedulableTimeout"]
        if not late:
            continue
        player, said = TimedPlayer(case, V1_36), {}
        world, scheduler = player._world, player._scheduler
        while (happening := world.step()) is not None:
            for move in happening.report.moves if happening.report else ():
                if move.event == "UnschedulableTimeout":
                    assert world.cluster.now // 10**6 == said[move.uid]
                    flushed += 1
            places = {uid: place_of([scheduler], uid) for uid in scheduler.queue.tables.pods}
            said = {uid: place.waiting["latest"] for uid, place in places.items()}
    assert flushed


# -- words -------------------------------------------------------------------------------------------------


RESOURCES = ("AssignedPod", "UnschedulablePod", "TargetPod", "Node", "PersistentVolume")


def all_events():
    texts = {value for name, value in vars(cluster_event).items() if name.isupper() and type(value) is str}
    for resource in sorted(one for one in texts if one.startswith(RESOURCES) or ".k8s.io/" in one):
        about = {"Node": "UPDATE_NODE"}.get(resource, "UPDATE_POD" if "Pod" in resource else "-")
        parts = [action for action in Action.UPDATE if action.name.startswith(about)]
        yield from (ClusterEvent(resource, one) for one in (Action.ADD, Action.DELETE, Action.UPDATE, *parts))


def test_what_a_plugin_listens_to_is_told_with_all_labels_that_it_hears_and_no_other():
    listeners = V1_36.listeners(build_profiles(None))
    told = 0
    for interests in listeners.interests("default-scheduler").values():
        for item in interests:
            heard = {event.label for event in all_events() if item.event.covers(event)}
            assert {label for one in words_of(item) for label in one.labels} == heard
            assert item.yes
            assert bool(item.no) == (item.hint is not None)
            told += len(heard)
    assert told > 50


def test_every_event_has_words_of_its_own():
    said = {event.label: sentence_of(event) for event in all_events()}
    assert said["AssignedPodAdd"] == "a pod is placed"
    assert said["NodeUpdateNodeTaint"] == "a node changes its taints"
    assert not [label for label, words in said.items() if "k8s.io" in words]
