"""The figures of cards on the pages and through REST: a run's own, and those of several policies together."""

import re
from typing import Any

import pytest
from django.test import Client

from dashboard.amounts import percent
from dashboard.kinds.cards import policy_runs, shares_cards, slots_of_snapshot
from dashboard.kinds.hami.queries.runs import plays_hami, policies_of
from dashboard.kinds.hami.queries.slots import _counts
from dashboard.kinds.policy_runs import MOST
from dashboard.models import Chunk, Run, Snapshot
from dashboard.queries import access
from dashboard.services.background import execution
from dashboard.services.background.execution import execute_run
from dashboard.services.imports.stored_rows import remove_rows
from dashboard.services.results.run_sums import settled_sums
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.trying import validate_scenario
from samples.hami.sample import hami_files, hami_scenarios
from samples.openb.conversion import NODES_FILE, read_table
from samples.openb.published import published_curves
from samples.openb.sample import openb_hami_empty_files
from tests.browser.hami_clusters import machine
from tests.dashboard.rows import listing, small_cluster
from tests.dashboard.test_cards_over_time import node, pod
from tests.dashboard.volcano import runs_of

pytestmark = pytest.mark.django_db


def play(user: Any, snapshot: Snapshot, **scenario: Any) -> Run:
    planned = {"name": "what if", "profile": "hami-2.10", "controllers": "none", **scenario}
    run = start_run(user, create_scenario(user, {**planned, "snapshot": snapshot}))
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    return run


@pytest.fixture
def sample(alice: Any, client: Client) -> list[Run]:
    """The sample's four policies, each played once; alice is signed in."""
    client.force_login(alice)
    snapshot = import_snapshot(alice, "Shared GPUs", hami_files())
    return [play(alice, snapshot, **scenario) for scenario in hami_scenarios()]


def idle_of(run: Run) -> int:
    return int(run.over_time["cards"]["idle"][-1])


def test_the_worker_keeps_the_figures_and_rest_gives_them(sample: list[Run], client: Client) -> None:
    assert [idle_of(run) for run in sample] == [1, 1, 4, 0], "as the sample's page says"
    found = client.get(f"/api/v1/runs/{sample[1].pk}/cards/").json()
    assert found["policies"] == "nodes binpack, cards spread"
    assert found["published"] is None
    assert found["definition"].startswith("Lost is what is free")
    assert (found["cards"], found["seq"][-1], found["waiting"][-1]) == (14, 20, 1)
    assert found.items() >= sample[1].over_time["cards"].items()
    assert client.get(f"/api/v1/runs/{sample[1].pk}/over-time/").json() == sample[1].over_time


@pytest.mark.parametrize("when", [{}, {"at": 30}])
def test_pods_that_edits_add_count_the_same_for_the_worker_and_for_who_asks_later(
    alice: Any, when: dict[str, int]
) -> None:
    snapshot = import_snapshot(alice, "Shared GPUs", hami_files())
    planned = {**hami_scenarios()[0], "driver": "timed" if when else "instant"}
    without = play(alice, snapshot, **planned).over_time
    run = play(alice, snapshot, **planned, edits=[{"op": "add", "manifest": pod("late"), **when}])
    assert run.over_time["cards"]["arrived"][-1] > without["cards"]["arrived"][-1]
    Run.objects.filter(pk=run.pk).update(over_time=None)
    sums = settled_sums(Run.objects.get(pk=run.pk))
    assert sums is not None
    assert sums.over_time == run.over_time


def test_what_hami_answers_in_process_is_stored_in_chunks_as_all_else(
    alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what somebody outside was asked is stored at once."""
    monkeypatch.setattr(execution, "CHUNK_SECONDS", 3600)
    run = play(alice, import_snapshot(alice, "Shared GPUs", hami_files()), **hami_scenarios()[0])
    assert run.decisions == 20
    assert [(one.first_seq, one.last_seq) for one in Chunk.objects.filter(run=run)] == [(1, 20)]


def test_figures_that_an_older_worker_did_not_make_are_made_when_somebody_asks(sample: list[Run]) -> None:
    kept = sample[0].over_time
    Run.objects.filter(pk=sample[0].pk).update(over_time={key: kept[key] for key in kept if key != "cards"})
    older = Run.objects.get(pk=sample[0].pk)
    sums = settled_sums(older)
    assert sums is not None
    assert sums.over_time == kept
    assert Run.objects.get(pk=older.pk).over_time == kept


def test_a_run_without_hami_has_no_cards(alice: Any, client: Client) -> None:
    client.force_login(alice)
    run = play(alice, import_snapshot(alice, "plain", [("c.json", small_cluster())]), profile="kube-1.36")
    assert (plays_hami(run), policies_of(run), run.over_time["cards"]) == (False, "", None)
    answer = client.get(f"/api/v1/runs/{run.pk}/cards/")
    assert (answer.status_code, answer.json()["detail"]) == (
        404, f"Run {run.pk} has no cards that a scheduler of it shares.",
    )  # fmt: skip
    assert 'id="cards"' not in client.get(f"/runs/{run.pk}/outcome/").text
    page = client.get(f"/compare/cards/?run={run.pk}").text
    assert f"Run {run.pk} has no cards: no scheduler of it shares any" in page


def test_hami_beside_another_scheduler_has_figures_too(alice: Any) -> None:
    snapshot = import_snapshot(alice, "both", [("c.json", listing(node("a", 2), pod("p")))])
    run = play(alice, snapshot, profile="kube-1.36", beside=[{"scheduler": "hami"}])
    assert plays_hami(run)
    assert run.over_time["cards"]["allocated"] == [0, 30]


def test_the_outcome_page_has_the_section_and_its_table_as_a_file(sample: list[Run], client: Client) -> None:
    run = sample[2]
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert "14, nodes spread, cards binpack" in page
    assert "All 4 policies side by side" in page
    last = run.over_time["cards"]
    said = f"</a>, <b>{percent(last['allocated'][-1] / 100)}</b> of all cards are given out"
    assert said in page
    assert f'<a href="/runs/{run.pk}/?at=7">decision 7</a>' in page
    file = client.get(f"/runs/{run.pk}/outcome/?table=cards&format=csv")
    lines = file.getvalue().decode().splitlines()
    assert lines[0] == "seq,time,arrived,allocated,fragmentation,waiting,nodes,idle"
    assert len(lines) == 22
    assert lines[-1].split(",")[0] == "20"


def test_no_page_gives_slots_of_shared_cards_for_how_full_these_are(
    sample: list[Run], client: Client
) -> None:
    run, other = sample[0], sample[2]
    snapshot = client.get(f"/snapshots/{run.snapshot_id}/summary/")
    assert "nvidia.com/gpu" not in {row["name"] for row in snapshot.context["chart"]["rows"]}
    assert "these resources count slots, not cards: nvidia.com/gpu" in snapshot.text
    gallery = client.get("/snapshots/").context["cards"]
    editor = client.get(f"/scenarios/{run.scenario_id}/").context["resources"]
    for shown in (gallery[0][1], editor):
        assert "cpu" in dict(shown)
        assert "nvidia.com/gpu" not in dict(shown)
    node = client.get(f"/runs/{run.pk}/nodes/{run.snapshot.nodes.filter(cards__gt=0).first().name}/")
    assert "nvidia.com/gpu" not in {row[0] for row in node.context["resources"]}
    assert "slots of nvidia.com/gpu are requested. A full card may have slots left" in node.text
    page = client.get(f"/compare/?a={run.pk}&b={other.pk}").text
    assert "nvidia.com/gpu requested at the end, in slots of shared cards" in page
    figures_shown = page.split('<h2 id="figures">')[1].split("</section>")[0]
    wide = '<div class="table-wrap" tabindex="0" role="region"'
    assert figures_shown.count("<table") == figures_shown.count(wide), (
        "long names scroll in a box of their own"
    )
    assert "nvidia.com/gpumem requested at the end, for one card of each container" in page
    found = client.get(f"/api/v1/compare/?a={run.pk}&b={other.pk}").json()
    counts = {row["resource"]: row.get("counts") for row in found["utilisation"]}
    assert (counts["nvidia.com/gpu"], counts["nvidia.com/gpumem"], counts["cpu"]) == (
        "slots",
        "one card",
        None,
    )
    figures = {row["name"]: (row["a"], row["b"]) for row in found["figures"]}
    assert figures["cards without a pod at the end"] == (idle_of(run), idle_of(other))


def test_rest_and_files_say_what_amounts_of_shared_cards_count(sample: list[Run], client: Client) -> None:
    run = sample[0]
    snapshot = client.get(f"/api/v1/snapshots/{run.snapshot_id}/").json()["resources"]
    outcome = client.get(f"/api/v1/runs/{run.pk}/").json()["outcome"]["utilisation"]
    tried = client.post(f"/api/v1/scenarios/{run.scenario_id}/validate/").json()["figures"]
    answers = [
        {name: row.get("counts") for name, row in snapshot.items()},
        *({row["resource"]: row.get("counts") for row in rows} for rows in (outcome, tried)),
    ]
    assert [{name: counts[name] for name in ("nvidia.com/gpu", "cpu")} for counts in answers] == [
        {"nvidia.com/gpu": "slots", "cpu": None}
    ] * 3
    assert answers[1]["nvidia.com/gpumem"] == "one card"
    file = client.get(f"/runs/{run.pk}/outcome/?table=utilisation&format=csv").getvalue().decode()
    assert file.startswith("resource,unit,allocatable,allocatable_after,before,after,counts")
    assert {line.split(",")[0]: line.split(",")[-1] for line in file.splitlines()}.items() >= {
        ("nvidia.com/gpu", "slots"), ("nvidia.com/gpumem", "one card"), ("cpu", ""),
    }  # fmt: skip


def test_a_run_without_gangs_offers_no_empty_files_of_them(sample: list[Run], client: Client) -> None:
    page = client.get(f"/runs/{sample[0].pk}/outcome/").text
    assert "Cards over the run as CSV" in page
    assert "Gangs as CSV" not in page
    assert "Queues as CSV" not in page


def test_what_nobody_has_takes_no_place_of_what_is_asked_for(alice: Any) -> None:
    one = node("a", 2)
    one["status"]["allocatable"] |= {f"example.com/none-{number}": "0" for number in range(9)}
    snapshot = import_snapshot(alice, "cards", [("c.json", listing(one, pod("p")))])
    scenario = create_scenario(alice, {"name": "s", "snapshot": snapshot, "profile": "hami-2.10"})
    figures = validate_scenario(scenario)["figures"]
    assert "nvidia.com/gpu" in {row["resource"] for row in figures}


def test_slots_are_of_cards_that_hami_shares_and_of_no_others(alice: Any) -> None:
    whole, shared = machine("whole", "gpu", 0, "NVIDIA-T4", 0), node("shared", 2)
    for one in (whole, shared):
        one["status"]["allocatable"] |= {"nvidia.com/gpu": "8", "amd.com/gpu": "8"}
    for objects, slots in (([whole], frozenset()), ([whole, shared], frozenset({"nvidia.com/gpu"}))):
        snapshot = import_snapshot(alice, "cards", [("c.json", listing(*objects))])
        assert slots_of_snapshot(snapshot) == slots
        Snapshot.objects.filter(pk=snapshot.pk).update(status="away")
        remove_rows(snapshot.pk)
        _counts.cache_clear()
        assert slots_of_snapshot(snapshot) == slots, "also without rows, of a reading that was put away"


def test_policies_are_found_by_what_they_share(sample: list[Run], alice: Any, client: Client) -> None:
    snapshot = sample[0].snapshot
    among = access.visible_runs(alice)
    again = play(alice, snapshot, **hami_scenarios()[1])
    edited = play(alice, snapshot, edits=[{"op": "cordon", "node": "t4-1"}])
    play(alice, snapshot, driver="timed")
    assert policy_runs(snapshot.pk, among) == [sample[0], sample[2], sample[3], again]
    page = client.get(f"/snapshots/{snapshot.pk}/summary/").text
    assert f'href="/compare/cards/?snapshot={snapshot.pk}"' in page
    assert "4 policies of cards side by side" in page
    assert edited not in policy_runs(snapshot.pk, among)
    assert f"<h1>Cards of run {edited.pk}</h1>" in client.get(f"/compare/cards/?run={edited.pk}").text


def test_runs_side_by_side_at_the_same_arrival(sample: list[Run], client: Client) -> None:
    page = client.get(f"/compare/cards/?snapshot={sample[0].snapshot_id}").text
    for run in sample:
        assert f"run {run.pk}: {policies_of(run)}" in page
    lines = ["solid, circle", "dash, square", "dot, diamond", "dashdot, triangle"]
    assert [line for line in lines if line not in page] == []
    table = rows_of(page)
    assert [cells[-1] for cells in table] == ["1", "1", "4", "0"]
    assert [cells[5] for cells in table] == ["1", "1", "2", "4"]
    early = rows_of(client.get(f"/compare/cards/?snapshot={sample[0].snapshot_id}&arrived=20").text)
    for run, cells in zip(sample, early, strict=True):
        figures = run.over_time["cards"]
        place = sum(arrived <= 20 for arrived in figures["arrived"]) - 1
        assert 0 < place < 20
        assert cells[2:4] == [f"decision {place}", percent(figures["allocated"][place] / 100)]
    file = client.get("/compare/cards/?table=cards&format=csv&" + "&".join(f"run={one.pk}" for one in sample))
    lines = file.getvalue().decode().splitlines()
    assert lines[0].startswith("run,policies,seq,time,arrived")
    assert len(lines) == 1 + 4 * 21


def rows_of(page: str) -> list[list[str]]:
    """The cells of the table of runs, without markup."""
    body = page.split('class="same-arrival"')[1].split("<tbody>")[1].split("</tbody>")[0]
    cells = [re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL) for row in body.split("</tr>")[:-1]]
    return [[re.sub(r"<[^>]+>", "", cell).strip() for cell in row] for row in cells]


PERCENT = "Say how much has arrived as a number of percent, 0 or more."
WRONG = {
    "run=x": "A run is named by its number.",
    "run=999999": None,
    "snapshot=zzz": None,
    "arrived=much": PERCENT,
    "arrived=-1": PERCENT,
    "arrived=nan": PERCENT,
}


def test_a_run_that_goes_on_is_told_first_and_the_page_is_drawn_anew_once_it_has_ended(
    sample: list[Run], client: Client
) -> None:
    done, going = sample[:2]
    address, waits = f"/compare/cards/?run={done.pk}&run={going.pk}", {"HX-Target": "going"}
    Run.objects.filter(pk=going.pk).update(status="paused", finished_at=None)
    page = client.get(address).text
    lead = page.split('compare-lead">')[1].split("</p>")[0]
    assert f"Run {going.pk} has not ended and stands at decision {going.decisions}." in lead
    assert "This page is drawn anew once all runs have ended." in page
    assert client.get(address, headers={"HX-Request": "true", **waits}).status_code == 204
    Run.objects.filter(pk=going.pk).update(status="cancelled", finished_at=going.finished_at)
    assert client.get(address, headers={"HX-Request": "true", **waits})["HX-Refresh"] == "true"
    page = client.get(address).text
    assert f"Run {going.pk} was cancelled after decision {going.decisions}." in page
    assert 'id="going"' not in page


def test_what_is_wrong_with_the_address_is_said(sample: list[Run], client: Client) -> None:
    both = f"run={sample[0].pk}&run={sample[1].pk}"
    for query, said in WRONG.items():
        answer = client.get(f"/compare/cards/?{both}&{query}")
        assert answer.status_code == (404 if said is None else 200), query
        if said is not None:
            assert said in answer.text, query
            assert f"run {sample[1].pk}: " in answer.text, query


def test_more_runs_than_can_be_told_apart_stay_out(sample: list[Run], alice: Any, client: Client) -> None:
    more = [play(alice, sample[0].snapshot) for _ in range(MOST - 3)]
    page = client.get("/compare/cards/?" + "&".join(f"run={run.pk}" for run in [*sample, *more])).text
    assert f"At most {MOST} runs stand beside each other" in page
    assert len(rows_of(page)) == MOST


def test_an_outsider_sees_nothing(sample: list[Run], client: Client, charlie: Any) -> None:
    client.force_login(charlie)
    assert client.get(f"/compare/cards/?run={sample[0].pk}").status_code == 404
    assert client.get("/compare/cards/").status_code == 404


def test_on_the_trace_the_published_curves_stand_beside(alice: Any, client: Client) -> None:
    client.force_login(alice)
    snapshot = import_snapshot(alice, "mine", openb_hami_empty_files())
    task = pod("task", cpu="4", memory=1000)
    del task["metadata"]["uid"]
    run = play(alice, snapshot, edits=[{"op": "add", "manifest": task}])
    found = client.get(f"/api/v1/runs/{run.pk}/cards/").json()
    assert found["cards"] == sum(int(row["gpu"]) for row in read_table(NODES_FILE)) == 6212
    assert {name: found["published"][name] for name in published_curves()} == published_curves()
    assert "USENIX ATC 2023" in found["published"]["source"]
    assert "USENIX ATC 2023" in client.get(f"/runs/{run.pk}/outcome/").text


def test_runs_of_volcano_that_divides_cards_stand_side_by_side(alice: Any, client: Client) -> None:
    binpack, spread = runs_of(alice, "vgpu")
    client.force_login(alice)
    told = {run.pk: client.get(f"/api/v1/runs/{run.pk}/cards/").json() for run in (binpack, spread)}
    assert [told[run.pk]["policies"] for run in (binpack, spread)] == [
        "deviceshare binpack", "deviceshare spread",
    ]  # fmt: skip
    assert {answer["cards"] for answer in told.values()} == {4}
    # Four notebooks ask for a quarter of a card each, then finetune for two whole ones.
    assert {answer["arrived"][-1] for answer in told.values()} == {75.0}
    assert [told[run.pk]["allocated"][-1] for run in (binpack, spread)] == [75.0, 25.0]
    assert [told[run.pk]["waiting"][-1] for run in (binpack, spread)] == [0, 1]
    assert [told[run.pk]["idle"][-1] for run in (binpack, spread)] == [1, 0]
    page = client.get(f"/compare/cards/?snapshot={binpack.snapshot_id}").text
    assert f"run {spread.pk}: deviceshare spread" in page
    assert "2 policies of cards side by side" in client.get(f"/snapshots/{binpack.snapshot_id}/summary/").text


def test_volcano_without_vgpus_shares_no_cards() -> None:
    assert not shares_cards(Run(profile="volcano-1.16"))
