"""Volcano's sessions by the clock: when they open, and which of them nobody needs to hold."""

from collections import Counter

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput
from scheduler_core.volcano import timed_scheduler
from scheduler_core.volcano.configuration.scheduler_conf import read_configuration
from scheduler_core.volcano.timed_scheduler import TimedVolcano
from scheduler_core.world import RunInput, Simulation
from tests.portions import tries
from tests.scheduler_core.volcano.gangs import CONFIGURATIONS, group, node, pod, queue
from tests.scheduler_core.volcano.timed_gangs import timed_clusters

RECLAIMING = {
    "actions": "enqueue, allocate, reclaim",
    "tiers": [
        {"plugins": [{"name": "priority"}, {"name": "gang"}, {"name": "conformance"}]},
        {"plugins": [{"name": "predicates"}, {"name": "proportion"}, {"name": "nodeorder"}]},
    ],
}

examples = settings(max_examples=tries(20), suppress_health_check=list(HealthCheck))


def job(pods, minimum=None, cpu=1, of_queue="research", priority="low"):
    return (pods, minimum or pods, cpu, 0, of_queue, priority, False, False)


def gang(name, what, on=()):
    """A pod group and its pods, the first of them on nodes."""
    places = [*on, *[None] * (what[0] - len(on))]
    return [group(name, what), *(pod(name, index, what, place) for index, place in enumerate(places))]


def timed(objects, *edits, **more):
    usual = {"profile": "volcano-1.16", "driver": "timed", "controllers": "none"}
    return RunInput(objects=objects, edits=list(edits), **usual | more)


def play(*given, **settings):
    simulation = Simulation(timed(*given, **settings))
    return simulation, list(simulation)


def kinds(decisions):
    """Time, kind, and the sessions that it is about."""
    return [
        (one.time, one.__struct_config__.tag, *(getattr(one, name, None) for name in ("session", "last")))
        for one in decisions
    ]


def test_a_session_opens_each_second_as_long_as_one_has_an_effect():
    _, decisions = play([node(0, (4, 0)), queue("research", 1), *gang("train", job(2))])
    opened = [one for one in kinds(decisions) if one[1] in ("session", "close", "idle")]
    assert opened == [
        (0, "session", 1, None),
        (0, "close", 1, None),
        (1000, "session", 2, None),
        (1000, "close", 2, None),
        (2000, "idle", 3, 3),
    ]


def test_the_period_is_that_of_the_configuration():
    config = {**RECLAIMING, "schedule-period": "2m30s"}
    objects = [node(0, (4, 0)), queue("research", 1), *gang("train", job(2))]
    _, decisions = play(objects, config=config)
    assert [one.time for one in decisions if one.__struct_config__.tag == "session"] == [0, 150_000]


@pytest.mark.parametrize("period", ["", "1", 1, "0s", "-1s", "500us", "1.0005s", "61m", ["1s"]])
def test_a_period_that_is_none_is_refused_beside_its_field(period):
    with pytest.raises(BadInput) as refused:
        read_configuration({**RECLAIMING, "schedule-period": period})
    [problem] = refused.value.problems
    assert problem.field == "schedule-period"
    assert "must be a duration in whole milliseconds from 1ms to 1h0m0s" in problem.message


def test_a_day_without_news_costs_no_sessions(monkeypatch):
    held = Counter()
    foresee = timed_scheduler.idle_session

    def counted(*given):
        held["silent"] += 1
        return foresee(*given)

    monkeypatch.setattr(timed_scheduler, "idle_session", counted)
    objects = [node(0, (2, 0)), queue("research", 1), *gang("train", job(2, cpu=2))]
    more = {"op": "add", "at": 86_400, "manifest": node(1, (2, 0))}
    _, decisions = play(objects, more)
    [idle] = [one for one in decisions if one.__struct_config__.tag == "idle"][:1]
    assert (idle.time, idle.session, idle.last) == (86_400_000, 3, 86_400)
    assert [one.session for one in decisions if one.__struct_config__.tag == "session"] == [
        1,
        2,
        86_401,
        86_402,
    ]
    assert held["silent"] < 5


def test_the_sessions_to_the_end_are_told_at_the_end():
    objects = [node(0, (1, 0)), queue("research", 1), *gang("train", job(2, cpu=1))]
    more = {"op": "add", "at": 900, "manifest": node(1, (1, 0))}
    simulation, decisions = play(objects, more, until=60)
    assert kinds(decisions)[-1] == (60_000, "idle", 3, 61)
    assert simulation.ended_by == "until"
    assert simulation.state().time == 60_000


def endless_search(at):
    """Two searches see all nodes: each ends when 101 of 202 nodes have been found, and nobody may go."""
    names = [f"node-{number}" for number in range(202)]
    objects = [
        *(node(number, (1, 0)) for number in range(202)),
        queue("research", 1),
        *(pod(f"other-{place}", 0, job(1), name, "default-scheduler") for place, name in enumerate(names)),
        *gang("urgent", job(1, priority="high")),
    ]
    for item in objects:
        item["metadata"].get("annotations", {}).clear()
    objects[-1]["metadata"]["annotations"]["scheduling.k8s.io/group-name"] = "urgent"
    free = [{"op": "add", "at": at, "manifest": node(number, (9, 0))} for number in (202, 203)]
    # What is due after the end keeps the clock going until then.
    late = {"op": "add", "at": at + 600, "manifest": node(204, (9, 0))}
    return timed(objects, *free, late, config=RECLAIMING, until=at + 6)


@pytest.mark.parametrize("at", [20, 21])
def test_the_search_for_nodes_stands_where_sessions_that_were_skipped_would_have_left_it(at, monkeypatch):
    run = endless_search(at)
    skipping = Simulation(run)
    [volcano], places = skipping._world.schedulers, []
    for decision in skipping:
        if decision.__struct_config__.tag == "session":
            places.append((decision.session, volcano.session.memory.next_node))
    assert len(places) < 10
    monkeypatch.setattr(TimedVolcano, "skips", False)
    playing = Simulation(run)
    [whole], all_places = playing._world.schedulers, []
    for decision in playing:
        if decision.__struct_config__.tag == "session":
            all_places.append((decision.session, whole.session.memory.next_node))
    assert {place for _, place in all_places[:at]} == {0, 101}
    assert set(places) <= set(all_places)
    assert volcano.number == whole.number == len(all_places) == at + 7
    assert volcano.cluster.memory.values == whole.cluster.memory.values


def told_of(decisions):
    """What is told apart from numbers of decisions, session by session; those without effect are left out.

    A session is without effect that leaves every table as it was.
    """
    told, session = [], []
    for one in decisions:
        kind = one.__struct_config__.tag
        plain = msgspec.json.encode(msgspec.structs.replace(one, seq=0, cause=None))
        if kind == "idle":
            continue
        if kind == "session" or session:
            session.append((one, plain))
        else:
            told.append(plain)
        if kind == "close":
            if one.outcome == "active" or _changed(step for step, _ in session):
                told += [plain for _, plain in session]
            session = []
    return told


def _changed(steps):
    """Whether tables differ after some steps from before."""
    first, last = {}, {}
    for step in steps:
        for change in step.changes:
            if change.__struct_config__.tag != "set":
                # Rows of open statements come and go within a session.
                assert change.table.startswith("tasks/")
                continue
            for field, old in change.old.items():
                first.setdefault((change.table, change.id, field), old)
                last[change.table, change.id, field] = change.new[field]
    return first != last


@examples
@given(timed_clusters(), CONFIGURATIONS, st.sampled_from(["recreate", "none"]))
def test_nothing_is_missed_by_not_playing_every_session(given_cluster, config, controllers):
    objects, edits = given_cluster
    run = timed(objects, *edits, config=config, controllers=controllers, until=45)
    skipped = list(Simulation(run))
    TimedVolcano.skips = False
    try:
        whole = list(Simulation(run))
    finally:
        TimedVolcano.skips = True
    assert told_of(skipped) == told_of(whole)
    counted = [one for one in skipped if one.__struct_config__.tag == "idle"]
    opened = {one.session for one in skipped if one.__struct_config__.tag == "session"}
    idle = {number for one in counted for number in range(one.session, one.last + 1)}
    assert not opened & idle
    assert opened | idle == set(range(1, max(opened | idle) + 1))
