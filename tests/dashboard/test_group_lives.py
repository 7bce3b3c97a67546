"""The life of a pod group in a run of sessions, and its page."""

from typing import Any

import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.kinds.volcano.answers.refused_sums import nearest
from dashboard.kinds.volcano.queries.group_lives import _events, group_history
from dashboard.kinds.volcano.queries.refused_sums import asked_by, last_session
from dashboard.kinds.volcano.views.gang_picture import Member, picture_of
from dashboard.kinds.volcano.views.life_rows import life_rows
from dashboard.kinds.volcano.views.refused_sums import picture_of as picture_of_sums
from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_files, volcano_scenarios
from scheduler_core.events.decided import PodRef
from scheduler_core.events.sessions import Gang, Placement
from tests.dashboard.rows import listing
from tests.dashboard.volcano import finished
from tests.scheduler_core.clusters import node
from tests.scheduler_core.volcano.test_why import group, queue, worker

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(alice: Any) -> Run:
    """The sample in which queue prod reclaims room for `rank` from `sweep`."""
    snapshot = import_snapshot(alice, "queues", volcano_files("queues"))
    [scenario] = volcano_scenarios("queues")
    started = start_run(alice, create_scenario(alice, {**scenario, "snapshot": snapshot}))
    execute_run(started.pk)
    started.refresh_from_db()
    assert started.status == "finished", started.error
    return started


def told(run: Run, group: str) -> list[tuple[int, str, str]]:
    return [(event["session"], event["what"], event["outcome"]) for event in group_history(run, group)]


def test_a_groups_life_has_its_sessions_tries_and_what_became_of_them(run: Run) -> None:
    assert told(run, "ml/rank")[:25] == [
        (1, "enqueue", "entered"),
        (1, "placement", "refused"),
        *[(1, "placement", "skipped")] * 7,
        (1, "gang", "discarded"),
        *[(1, "placement", "pipelined")] * 6,
        (1, "gang", "committed"),
        (1, "close", "Inqueue"),
        *[(2, "placement", "allocated")] * 6,
        (2, "gang", "committed"),
    ]
    first = next(event for event in group_history(run, "ml/rank") if event["outcome"] == "pipelined")
    assert (first["pod"], first["node"]) == ("ml/rank-worker-0", "gpu-1")
    assert first["message"].startswith("for the room of ml/sweep-worker-")


def test_what_is_taken_back_is_told_with_how_many_tries_it_were() -> None:
    def placed(number: int, outcome: Any, job: str = "ml/g") -> Placement:
        pod = PodRef(f"uid-{number}", "ml", f"g-{number}", 0)
        decided = {"seq": number, "time": 0, "actor": "volcano", "cause": None, "changes": []}
        return Placement(
            pod=pod, job=job, queue="q", role="", outcome=outcome, node="", why="", message="", nodes=1,
            feasible=1, reasons=[], best=[], best_count=0, total=None, victims=[], tiers=[], session=1,
            action="allocate", **decided,
        )  # fmt: skip

    def settled(number: int, outcome: Any) -> Gang:
        return Gang(
            job="ml/g", queue="q", outcome=outcome, bound=[], evicted=[], pipelined=[], ready=0, waiting=0,
            min_available=10, pods=10, session=1, action="allocate", seq=number, time=0, actor="volcano",
            cause=None, changes=[],
        )  # fmt: skip

    tries = [placed(number, "allocated") for number in range(1, 7)]
    others = [placed(7, "refused"), placed(8, "allocated", job="ml/other")]
    decisions = [*tries, *others, settled(9, "discarded"), placed(10, "pipelined"), settled(11, "discarded")]
    told = [event["message"] for event in _events(iter(decisions), "ml/g") if event["what"] == "gang"]
    assert told == [
        "6 tries taken back, 0 ready of 10 needed",
        "1 try taken back, 0 ready of 10 needed",
    ]


def entry(session: int, uid: str | None = None, **other: Any) -> Any:
    told = {"what": "enqueue", "outcome": "rejected", "action": "enqueue", "node": None, "message": None}
    return {"seq": session, "session": session, "pod": uid, "uid": uid, **told, **other}


def test_equal_neighbours_of_a_life_are_one_line() -> None:
    events = [entry(1), entry(2), entry(3), entry(4, message="rejected by capacity"), entry(5)]
    told = [(row.first["seq"], row.last["seq"], row.rounds) for row in life_rows(events)]
    assert told == [(1, 3, 3), (4, 4, 1), (5, 5, 1)]


def test_pods_that_come_to_the_same_in_a_session_are_one_line_with_all_of_them() -> None:
    events = [
        entry(1, "a", what="placement", outcome="refused", message="0/3 nodes"),
        entry(1, "b", what="placement", outcome="refused", message="0/2 nodes"),
        entry(1, "c", what="placement", outcome="pipelined", node="n1"),
        entry(1, "d", what="placement", outcome="pipelined", node="n2"),
        entry(1, what="gang", outcome="discarded", message="2 tries taken back"),
    ]
    rows = life_rows(events)
    assert [(row.word, row.others, row.more_messages) for row in rows] == [
        ("fits nowhere", 1, 1), ("pipelined", 1, 0), ("taken back", 0, 0),
    ]  # fmt: skip
    assert [one for row in rows for one in row.listed] == events, "nothing is lost"


def test_sessions_that_say_again_what_the_one_before_said_are_one_line() -> None:
    def session(number: int, pod: str) -> list[Any]:
        tried = entry(number, pod, what="placement", outcome="refused", message="0/3 nodes")
        return [tried, entry(number, what="gang", outcome="discarded")]

    events = [*session(1, "a"), *session(2, "a"), *session(3, "b"), *session(4, "a"), entry(5)]
    rows = life_rows(events)
    assert [(row.repeats, row.rounds, row.each, row.same_pods) for row in rows] == [
        (None, 1, 1, True), (None, 1, 1, True), (1, 3, 2, False), (None, 1, 1, True),
    ]  # fmt: skip
    assert life_rows(events[:4])[-1].same_pods


def test_a_jobs_picture_has_its_pods_and_the_pools_that_they_are_in() -> None:
    members = [Member("w-10", ""), Member("w-2", "n1"), Member("w-1", "n1"), Member("w-3", "n3", True)]
    picture = picture_of(members, {"n1": "gpu", "n2": "gpu", "n3": "cpu", "n4": "far"})
    assert picture is not None
    assert [square.says for square in picture.pods.squares] == [
        "w-1: on n1", "w-2: on n1", "w-3: nominated to n3", "w-10: no node",
    ]  # fmt: skip
    assert (picture.placed, picture.all_pods, picture.nodes) == (2, 4, 1)
    told = [(pool.name, [one.number for one in pool.squares], pool.total) for pool in picture.pools]
    assert told == [("gpu", [2], 2), ("cpu", [1], 1)], "the pool with most of them first, none without any"
    assert picture.pools[0].others.count("z") == 1
    assert picture_of([], {"n1": "gpu"}) is None


def test_a_close_is_told_only_where_it_leaves_something_else(run: Run) -> None:
    closes = [event for event in group_history(run, "ml/sweep") if event["what"] == "close"]
    assert [(event["session"], event["outcome"]) for event in closes] == [(1, "Running")]


def test_a_groups_page_says_how_it_ends_and_leads_to_each_decision(
    client: Client, alice: Any, run: Run
) -> None:
    client.force_login(alice)
    page = client.get(f"/runs/{run.pk}/groups/ml/rank/").text
    assert "It ends <b>Running</b>, with 6 of 8 pods on a node" in page
    assert f"/runs/{run.pk}/?at=12&amp;card=group/ml%2Frank" in page
    assert "taken back" in page
    assert "Running at the close" in page
    assert "rank-worker-7" in page
    file = client.get(f"/runs/{run.pk}/groups/ml/rank/?format=csv")
    assert file.text.splitlines()[0] == "seq,session,action,what,outcome,pod,node,message"


def test_a_group_that_is_no_part_of_the_run_has_no_page(client: Client, alice: Any, run: Run) -> None:
    client.force_login(alice)
    assert client.get(f"/runs/{run.pk}/groups/ml/nobody/").status_code == 404


def test_an_outsider_gets_no_page(client: Client, run: Run) -> None:
    assert client.get(f"/runs/{run.pk}/groups/ml/rank/").status_code in (302, 404)


def test_what_kept_a_job_out_is_drawn_session_by_session(alice: Any) -> None:
    """Two ask at once; the second is refused for what the first was promised, and then for what it holds."""
    nodes = [node("a", cpu="10")]
    objects = [
        *nodes,
        queue("small", capability={"cpu": "8"}),
        group("first", 1, "small", minResources={"cpu": "6"}),
        worker("first-0", "first", cpu="6"),
        group("second", 1, "small", minResources={"cpu": "4"}),
        worker("second-0", "second", cpu="4"),
    ]
    files = [("cluster.json", listing(*objects))]
    run = finished(import_snapshot(alice, "two", files), profile="volcano-1.16", controllers="none")
    asked = asked_by(run, ["default/second"])
    assert [(one.session, one.entered, one.plugin) for one in asked][:2] == [
        (1, False, "proportion"),
        (2, False, "overcommit"),
    ]
    first, second = (one.sums[0] for one in asked[:2])
    assert (first.allowed, first.held, first.promised, first.asked) == (8_000, 0, 6_000, 4_000)
    assert (second.allowed, second.held, second.promised, second.asked) == (12_000, 6_000, 6_000, 4_000)
    said = plain(nearest(run.pk, asked))
    assert said.startswith("It was nearest in session 1: 2 too much of cpu for proportion.")
    assert said.endswith("In the last refusal: 4 too much of cpu for overcommit.")
    picture = picture_of_sums(asked, last_session(run))
    assert picture is not None
    assert [[(one.kind, one.height) for one in piece.layers] for piece in picture.pieces] == [
        [("promised", 45.0), ("fits", 15.0), ("too-much", 15.0)],
        [("held", 45.0), ("promised", 45.0), ("too-much", 30.0)],
    ]
    assert (
        picture.pieces[0].says == "from session 1: 0 held, 6 promised, 4 asked, of 8 that proportion allows"
    )
    assert picture_of_sums(asked_by(run, ["default/first"]), last_session(run)) is None
    page = Client()
    page.force_login(alice)
    text = page.get(f"/runs/{run.pk}/groups/default/second/").content.decode()
    assert "What kept it out, session by session" in text
    assert text.count('id="sum-promised"') == 1
