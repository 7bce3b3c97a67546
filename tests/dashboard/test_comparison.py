"""Two runs compared: the first decision that differs, whose room it was, and who ends differently."""

from typing import Any

import msgspec
import pytest
from django.test import Client

from dashboard.answers.printers.words import plain
from dashboard.engine import starting_objects
from dashboard.errors import NotYet
from dashboard.models import Run
from dashboard.queries.comparison import differences
from dashboard.queries.comparison_choices import choices
from dashboard.queries.comparison_meaning import Seen
from dashboard.queries.comparison_pods import Ledger
from dashboard.queries.comparison_words import _does
from dashboard.queries.replay import base_state, state_at
from dashboard.queries.resuming import stored_lines
from dashboard.queries.state_list import state_list
from dashboard.services.background.execution import execute_run
from dashboard.services.results.comparing import compare_runs
from dashboard.services.results.comparing_several import compare_several
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios
from scheduler_core.events.decisions import PodRef, decision_decoder
from scheduler_core.events.fold import Fold
from tests.dashboard.rows import controlled, listing, new_run, node, pod

pytestmark = pytest.mark.django_db


def run_of(snapshot: Any, **scenario: Any) -> Run:
    """A finished run of a scenario of the snapshot."""
    fields = {"driver": "fifo" if scenario.get("profile") == "kube-1.8" else "instant", **scenario}
    run = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot, **fields}))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


@pytest.fixture
def stolen_room() -> list[Run]:
    """The three runs of the sample: 1.8, 1.11, and 1.8 with copies."""
    snapshot = import_snapshot(None, "Stolen room", stolen_room_files())
    return [run_of(snapshot, **scenario) for scenario in stolen_room_scenarios()]


def cluster(*pods: dict[str, Any]) -> Any:
    """Two nodes and these pods."""
    return import_snapshot(None, "prod", [("cluster.json", listing(node("node-1"), node("node-2"), *pods))])


def figures(compared: Any) -> dict[str, tuple[int, int, int]]:
    return {row["name"]: (row["a"], row["b"], row["difference"]) for row in compared.figures}


def test_the_sentence_says_who_took_the_room_and_where_it_was_held(stolen_room: list[Run]) -> None:
    compared = compare_runs(stolen_room[0], stolen_room[1])
    assert compared.sentence == (
        "Under kube-1.8 the room on node-a that shop/checkout-1 had freed was taken by finance/report-1 "
        "at decision 2; under kube-1.11 it was held for shop/checkout-1."
    )
    assert compared.inputs == "Same cluster, no edits; scheduler kube-1.8 (fifo) against kube-1.11 (fifo)."
    swapped = compare_runs(stolen_room[1], stolen_room[0])
    assert swapped.sentence == compared.sentence


def test_the_first_difference_names_its_parts_and_wording_alone_is_none(stolen_room: list[Run]) -> None:
    found = differences(stolen_room[0], stolen_room[1])
    assert found.first is not None
    assert (found.first.seq, found.first.parts) == (2, ["outcome", "node"])
    assert found.rewording is not None
    assert (found.rewording.count, found.rewording.seq) == (1, 1)
    assert found.rewording.a != found.rewording.b


def test_the_figures_are_those_of_the_outcomes(stolen_room: list[Run]) -> None:
    compared = compare_runs(stolen_room[0], stolen_room[1])
    assert figures(compared)["evicted"] == (2, 1, -1)
    assert figures(compared)["pending"] == (0, 1, 1)
    assert figures(compared)["preemptions"] == (2, 1, -1)
    assert figures(compared)["attempts"] == (4, 3, -1)
    assert {row["resource"]: row["difference"] for row in compared.utilisation}["cpu"] == 0


def test_a_pod_and_its_copies_are_one_row(stolen_room: list[Run]) -> None:
    found = differences(stolen_room[0], stolen_room[2])
    [indexer] = [row for row in found.pods if row.name == "indexer-1"]
    assert indexer.a is not None
    assert indexer.b is not None
    assert (indexer.a.place, indexer.a.evictions, indexer.a.name) == ("evicted", 1, "indexer-1")
    assert (indexer.b.place, indexer.b.evictions) == ("pending", 5)
    assert indexer.b.name.startswith("indexer-1-r")


def test_a_copy_of_a_copy_has_the_manifest_of_the_first_in_its_line(stolen_room: list[Run]) -> None:
    run = stolen_room[2]
    [last] = [
        item
        for item in state_list(run, run.decisions)["items"]
        if item["metadata"]["name"].startswith("indexer-1-r")
    ]
    [indexer] = [item for item in starting_objects(run) if item["metadata"]["name"] == "indexer-1"]
    assert last["spec"]["containers"] == indexer["spec"]["containers"]


def before_and_after(*pods: dict[str, Any], **scenario: Any) -> list[Run]:
    """Two runs over one node that is full of these pods; in the second `urgent` takes all of it."""
    urgent = pod("urgent", cpu="4", priority=1000)
    clusters = [listing(node("node-1"), *pods, *more) for more in ([], [urgent])]
    return [
        run_of(import_snapshot(None, "full", [("cluster.json", content)]), **scenario) for content in clusters
    ]


def test_pods_that_nobody_replaces_are_pods_of_their_own_whatever_their_names() -> None:
    runs = before_and_after(*(pod(name, node="node-1", cpu="2") for name in ("cart", "cart-r2")))
    rows = {row.name: row for row in differences(*runs).pods}
    assert set(rows) == {"cart", "cart-r2", "urgent"}
    for name in ("cart", "cart-r2"):
        end = rows[name].b
        assert end is not None
        assert (end.name, end.place, end.node, end.evictions) == (name, "evicted", "node-1", 1)


def test_a_copy_goes_on_with_the_pod_that_it_replaces_and_not_with_another_of_its_workload() -> None:
    """The copy of a pod that was terminating before is there already: nobody makes another."""
    leaving = controlled("web-a")
    leaving["metadata"]["deletionTimestamp"] = "2026-05-01T12:00:00Z"
    runs = before_and_after(leaving, controlled("web-b"))
    rows = {row.name: row.b for row in differences(*runs).pods}
    assert {name: end and (end.name, end.place) for name, end in rows.items() if name != "urgent"} == {
        "web-a": ("web-a", "evicted"),
        "web-b": ("web-b-r1", "pending"),
    }


def test_a_pod_that_lingers_is_on_its_node_while_its_life_goes_on_as_its_copy() -> None:
    runs = before_and_after(controlled("web-a"), controlled("web-b"), profile="kube-1.11", driver="grace")
    found = differences(*runs)
    log = [decision_decoder.decode(line) for line in stored_lines(runs[1].pk, 0)]
    fold = Fold(base_state(runs[1]))
    base = base_state(runs[1])
    ledger = Ledger(base, base.pods(), set())
    for decision in log:
        fold.apply(decision)
        ledger.take(decision.seq, decision.pod.uid, decision.outcome == "scheduled", decision.changes)
        on_nodes = sorted((kept.uid, where) for _, kept, where in ledger.at_node())
        assert on_nodes == sorted((row.uid, row.node) for row in fold.state().pods() if row.node)
    rows = {row.name: row.b for row in found.pods}
    assert set(rows) == {"web-a", "web-b", "urgent"}
    for name in ("web-a", "web-b"):
        end = rows[name]
        assert end is not None
        assert (end.name, end.evictions) == (f"{name}-r1", 1)


def test_a_node_that_was_drawn_is_among_the_best_though_the_log_names_only_the_first() -> None:
    seen = Seen(
        1, "attempt", PodRef("u", "shop", "cart", 0), "scheduled", [], "node-101", msgspec.Raw(b'["node-1"]')
    )
    assert seen.is_equally_good("node-101")
    assert seen.is_equally_good("node-1")
    assert not seen.is_equally_good("node-2")


def test_a_decision_of_an_outcome_that_is_not_known_is_told_by_its_name() -> None:
    seen = Seen(1, "scale-up", PodRef("u", "shop", "cart", 0), "removed", [])
    assert _does(seen) == "decides removed about shop/cart"


def test_a_member_whose_gang_is_not_placed_is_not_said_to_find_no_node() -> None:
    seen = Seen(1, "attempt", PodRef("u", "lab", "train-0", 0), "unschedulable", [], feasible=2)
    assert _does(seen) == "gives lab/train-0 no node, though 2 nodes fit"
    assert _does(msgspec.structs.replace(seen, feasible=0)) == "finds no node for lab/train-0"


def test_each_run_ends_in_the_rows_as_its_state_does(stolen_room: list[Run]) -> None:
    a, b = stolen_room[:2]
    found = differences(a, b)
    for side, run in (("a", a), ("b", b)):
        at_end = {pod.uid: pod for pod in state_at(run, run.decisions).pods()}
        for row in found.pods:
            end = getattr(row, side)
            where = at_end[row.uid].node if row.uid in at_end else "gone"
            assert where == {"node": end.node, "pending": "", "evicted": "gone"}[end.place]
    assert [row.node for row in found.nodes] == ["node-a", "node-b"]


def test_equal_runs_are_said_to_be_equal() -> None:
    snapshot = cluster(pod("cart-1"), pod("cart-2"))
    compared = compare_runs(run_of(snapshot), run_of(snapshot))
    assert compared.sentence == (
        "Both runs decide alike: all 2 decisions are the same, and every pod ends in the same place."
    )
    assert all(row["difference"] == 0 for row in compared.figures)


def test_a_longer_run_differs_where_the_shorter_has_nothing_left() -> None:
    snapshot = cluster(pod("cart-1"))
    added = {"op": "add", "manifest": pod("late")}
    compared = compare_runs(run_of(snapshot), longer := run_of(snapshot, edits=[added]))
    first = compared.differences.first
    assert first is not None
    assert (first.seq, first.parts, first.a) == (2, ["end"], None)
    assert f"run {longer.pk} places shop/late on" in compared.sentence
    assert compared.inputs.startswith("Same cluster, different edits (0 against 1)")
    [late] = compared.differences.pods
    assert (late.differs, late.a) == (["presence"], None)


def test_pods_that_edits_added_correspond_by_name() -> None:
    snapshot = cluster(pod("cart-1"))
    unnamed = pod("late")
    del unnamed["metadata"]["uid"]
    first, second = (
        run_of(snapshot, edits=[*before, {"op": "add", "manifest": unnamed}])
        for before in ([], [{"op": "cordon", "node": "node-1"}])
    )
    rows = {row.name: row for row in differences(first, second).pods}
    assert all(row.a is not None and row.b is not None for row in rows.values())


def test_other_clusters_are_compared_and_it_is_said() -> None:
    one, other = cluster(pod("cart-1")), cluster(pod("cart-2"))
    compared = compare_runs(run_of(one), run_of(other))
    assert compared.inputs.startswith(
        f"Different clusters, prod (snapshot {one.pk}) against prod ({other.pk})"
    )
    assert {row.name: row.differs for row in compared.differences.pods} == {
        "cart-1": ["presence"], "cart-2": ["presence"],
    }  # fmt: skip


def test_a_cluster_that_was_imported_twice_is_the_same() -> None:
    runs = [run_of(cluster(pod("cart-1"))) for _ in range(2)]
    assert compare_runs(*runs).inputs.startswith("Same cluster")
    assert [kind.heading for kind in choices(runs[0], Run.objects.all())] == ["Of the same cluster"]


def test_runs_that_still_go_are_compared_as_far_as_both_are(fake_engine: None) -> None:
    done, going = (new_run(None, pods=30) for _ in range(2))
    for run in (done, going):
        execute_run(run.pk)
        run.refresh_from_db()
    Run.objects.filter(pk=going.pk).update(status="paused", finished_at=None, outcome=None)
    going.refresh_from_db()
    going.decisions = 10
    compared = compare_runs(done, going)
    assert not compared.is_complete
    assert compared.differences.compared == 10
    assert compared.differences.first is None
    assert compared.sentence.endswith("Alike so far: the 10 decisions that both runs have are the same.")
    assert figures(compared)["decisions"][1] == 10


def test_a_run_that_was_cut_short_does_not_decide_otherwise(fake_engine: None) -> None:
    done, cut = (new_run(None, pods=30) for _ in range(2))
    for run in (done, cut):
        execute_run(run.pk)
        run.refresh_from_db()
    cut.status, cut.decisions = "cancelled", 10
    compared = compare_runs(done, cut)
    assert compared.differences.first is None
    assert compared.sentence.endswith(f"are the same; run {cut.pk} was cancelled after decision 10.")


def test_the_first_sentence_says_where_runs_stand_that_have_not_come_to_their_end(fake_engine: None) -> None:
    done, going, cut = (new_run(None, pods=30) for _ in range(3))
    for run in (done, going, cut):
        execute_run(run.pk)
        run.refresh_from_db()
    going.status, going.finished_at, going.decisions = "running", None, 10
    cut.status, cut.decisions = "cancelled", 20
    lead = plain(compare_runs(cut, going).answer.lead)
    assert lead.startswith(
        f"Run {cut.pk} was cancelled after decision 20. "
        f"Run {going.pk} has not ended and stands at decision 10. "
    )
    lead = plain(compare_several([done, cut, going]).answer.lead)
    assert f"Run {going.pk} has not ended" in lead
    assert f"Run {done.pk} has" not in lead
    compared = compare_runs(done, going)
    assert compared.sentence == (
        f"Run {going.pk} has not ended and stands at decision 10. "
        "Alike so far: the 10 decisions that both runs have are the same."
    )
    for other in (going, cut):
        assert not any("better" in row for row in compare_runs(done, other).all_figures)
    going.decisions = 0
    with pytest.raises(NotYet, match=f"Run {going.pk} has not taken a decision yet"):
        compare_runs(done, going)


def test_a_run_that_has_not_begun_is_not_compared() -> None:
    snapshot = cluster(pod("cart-1"))
    waiting = start_run(None, create_scenario(None, {"name": "one", "snapshot": snapshot}))
    with pytest.raises(NotYet, match=f"Run {waiting.pk} has not begun yet"):
        compare_runs(run_of(snapshot), waiting)


def test_the_page_answers_first_and_links_both_debuggers(
    client: Client, stolen_room: list[Run], bob: Any
) -> None:
    client.force_login(bob)
    a, b, _ = stolen_room
    page = client.get(f"/compare/?a={a.pk}&b={b.pk}").text
    assert page.index("had freed was taken by") < page.index("First decision that differs")
    assert f'href="/runs/{a.pk}/?at=2"' in page
    assert f'href="/runs/{b.pk}/?at=2"' in page
    rows = client.get(f"/compare/?a={a.pk}&b={b.pk}&table=pods&format=json").json()
    assert [(row["name"], row["a_place"], row["b_place"]) for row in rows] == [
        ("checkout-1", "node", "node"), ("report-1", "node", "pending"), ("indexer-1", "evicted", "node"),
    ]  # fmt: skip


def test_the_missing_run_is_chosen_among_those_of_the_cluster(
    client: Client, stolen_room: list[Run], bob: Any
) -> None:
    client.force_login(bob)
    a, b, _ = stolen_room
    page = client.get(f"/compare/?a={a.pk}").text
    assert "Of the same cluster" in page
    assert f"/compare/?a={a.pk}&amp;b={b.pk}" in page
    assert f'href="/compare/?a={a.pk}"' in client.get(f"/runs/{a.pk}/outcome/").text
    assert f'href="/compare/?a={a.pk}"' in client.get("/runs/").text


def test_what_cannot_be_compared_is_said_beside_the_field(
    client: Client, stolen_room: list[Run], bob: Any, charlie: Any
) -> None:
    client.force_login(bob)
    a = stolen_room[0].pk
    assert "Choose another run than the first." in client.get(f"/compare/?a={a}&b={a}").text
    assert "A run is named by its number." in client.get(f"/compare/?a={a}&b=x").text
    assert client.get(f"/compare/?a={a}&b=999999").status_code == 404
    client.force_login(charlie)
    for address in ("/compare/", f"/compare/?a={a}", f"/compare/?a={a}&b={stolen_room[1].pk}"):
        assert client.get(address).status_code == 404
