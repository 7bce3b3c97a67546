"""The first page, for those who have nothing here and for those who return; and the page of samples."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.utils import timezone

from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import request_cancel, start_run
from dashboard.services.workspace.samples import load_sample
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.views import home
from samples.gallery import gallery
from samples.questions import FIRST, QUESTIONS
from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios
from scripts.home_picture import TARGET, drawn
from tests.dashboard.rows import guarded_node, listing, node, pod

TEMPLATES = Path(settings.BASE_DIR) / "templates"
pytestmark = pytest.mark.django_db


def run_of(user: Any, snapshot: Snapshot, **fields: Any) -> Run:
    """A finished run of a new scenario."""
    run = start_run(user, create_scenario(user, {"snapshot": snapshot, **fields}))
    execute_run(run.pk)
    return run


@pytest.fixture
def sample(alice: Any) -> Snapshot:
    """The cluster of a sample, without its scenarios."""
    return import_snapshot(alice, "Stolen room", stolen_room_files(), is_sample=True)


def samples_part(client: Client, user: Any) -> str:
    client.force_login(user)
    return client.get("/samples/").text.split("<main")[1]


def test_only_the_samples_own_scenarios_and_runs_stand_under_it(
    client: Client, alice: Any, sample: Snapshot
) -> None:
    own = [run_of(alice, sample, **fields) for fields in stolen_room_scenarios()]
    mine = run_of(alice, sample, name="mine of today", profile="kube-1.13", driver="fifo")
    part = samples_part(client, alice)
    assert all(fields["name"] in part for fields in stolen_room_scenarios())
    assert "mine of today" not in part
    assert f"?a={own[0].pk}&amp;b={own[1].pk}" in part
    assert f"b={mine.pk}" not in part


def test_runs_of_others_alone_make_no_pair(client: Client, alice: Any, sample: Snapshot) -> None:
    for profile in ("kube-1.13", "kube-1.11"):
        run_of(alice, sample, name="mine", profile=profile)
    assert "side by side" not in samples_part(client, alice)


def test_without_a_cluster_and_a_run_of_ones_own_the_page_says_what_it_is_about(
    client: Client, alice: Any, bob: Any, sample: Snapshot
) -> None:
    fields = next(iter(stolen_room_scenarios()))
    start_run(alice, create_scenario(alice, {"snapshot": sample, **fields}), background=True)
    client.force_login(alice)
    assert "Play it through" in client.get("/").text
    start_run(bob, create_scenario(bob, {"snapshot": sample}))
    assert "Play it through" in client.get("/").text, "what others ran of samples is nothing of one's own"
    start_run(alice, create_scenario(alice, {"snapshot": sample}))
    assert "Where you were" in client.get("/").text


def test_the_first_button_opens_the_debugger_without_a_form_between(client: Client, alice: Any) -> None:
    client.force_login(alice)
    assert "Watch a preemption</button>" in client.get("/").text
    teaching = next(sample for sample in gallery() if sample.name == FIRST.sample)
    load_sample(alice, teaching)
    run = Run.objects.get(scenario__name=FIRST.scenario)
    execute_run(run.pk)
    page = client.get("/").text
    assert f'href="/runs/{run.pk}/?at=1"' in page
    assert f'href="/runs/{run.pk}/?at=2&amp;tab=preemption"' in page


def test_every_question_is_about_a_sample_and_a_scenario_of_it() -> None:
    scenarios = {sample.name: [one.name for one in sample.scenarios] for sample in gallery()}
    for question in QUESTIONS:
        assert question.scenario in scenarios[question.sample], question.title
        assert (TEMPLATES / "home" / "pictures" / f"{question.picture}.html").is_file()


def test_the_picture_is_what_the_engine_decides() -> None:
    assert TARGET.read_text() == drawn(), "python -m scripts.home_picture draws it"
    assert "Evicting 2 pods on node-b1 makes room: of 6 candidates" in drawn()


@pytest.fixture
def own(alice: Any) -> Snapshot:
    """A cluster that alice brought, with a pod that waits."""
    files = [("own.json", listing(node("node-1"), pod("cart-1", cpu="1")))]
    return import_snapshot(alice, "own", files)


def line_of(page: str, name: str) -> str:
    """What the line of a scenario says."""
    return next(line for line in page.split('<li class="run-line">')[1:] if f"<b>{name}</b>" in line)


def test_runs_of_one_scenario_are_one_line_and_the_newest_finished_one_speaks(
    client: Client, alice: Any, own: Snapshot
) -> None:
    scenario = create_scenario(alice, {"snapshot": own, "name": "evening"})
    runs = [start_run(alice, scenario) for _ in range(3)]
    execute_run(runs[0].pk)
    request_cancel(runs[1])
    client.force_login(alice)
    page = client.get("/").text
    assert "None has been played here." in page, "no heading of samples without a word below it"
    assert page.count("<b>evening</b>") == 1
    line = line_of(page, "evening")
    assert f'href="/runs/{runs[0].pk}/outcome/"' in line
    assert "1 pod</b> found a node" in line
    assert "3 runs" in line
    assert "1 cancelled" in line
    assert f'<a href="/runs/{runs[2].pk}/">queued</a>' in line


def test_lines_of_runs_that_go_on_are_drawn_anew_once_one_of_them_has_ended(
    client: Client, alice: Any, own: Snapshot
) -> None:
    scenario = create_scenario(alice, {"name": "grow", "snapshot": own})
    run = start_run(alice, scenario)
    client.force_login(alice)
    page = client.get("/").text
    asks = f"""hx-trigger="every 5s" hx-vals='{{"going": "{run.pk}"}}' hx-select="#lines\""""
    assert asks in page
    assert "htmx" in page.split("</main>")[1]
    polled = {"HX-Request": "true", "HX-Target": "lines"}
    assert client.get(f"/?going={run.pk}", headers=polled).status_code == 204
    execute_run(run.pk)
    drawn_anew = client.get(f"/?going={run.pk}", headers=polled)
    assert drawn_anew.status_code == 200
    assert f'href="/runs/{run.pk}/outcome/"' in line_of(drawn_anew.text, "grow")
    assert "every 5s" not in drawn_anew.text


def test_scenarios_of_which_every_run_was_cancelled_fold(client: Client, alice: Any, own: Snapshot) -> None:
    for name in ("kept", "given up"):
        request_cancel(start_run(alice, create_scenario(alice, {"snapshot": own, "name": name})))
    execute_run(start_run(alice, Scenario.objects.get(name="kept")).pk)
    client.force_login(alice)
    shown, folded = client.get("/").text.split('<details class="disclosure folded">')
    assert "<b>kept</b>" in shown
    assert "<b>given up</b>" not in shown
    assert "1 scenario of which every run was cancelled" in folded
    assert "cancelled before its first decision" in line_of(folded, "given up")


def test_an_edit_that_did_not_do_all_comes_first(client: Client, alice: Any) -> None:
    guarded = import_snapshot(alice, "guarded", [("own.json", listing(*guarded_node()))])
    run_of(alice, guarded, name="drain it", edits=[{"op": "drain", "node": "node-1"}])
    client.force_login(alice)
    line = line_of(client.get("/").text, "drain it")
    lead = line.partition('<span class="is-unsched">')[2].partition("</span></span>")[0]
    assert lead.endswith("<b>node-1</b></a> never gets empty."), line


@pytest.mark.parametrize(("days", "says"), [(0.5, "12 h old"), (3, "⚠ 3 days old")])
def test_clusters_say_how_old_they_are(
    client: Client, alice: Any, own: Snapshot, days: float, says: str
) -> None:
    Snapshot.objects.filter(pk=own.pk).update(taken_at=timezone.now() - timedelta(days=days))
    client.force_login(alice)
    assert f">{says}</time>" in client.get("/").text


def test_a_cluster_is_asked_on_its_own_pages(client: Client, alice: Any, own: Snapshot) -> None:
    client.force_login(alice)
    page = client.get("/").text
    for tab in ("preflight", "headroom"):
        assert f'action="/snapshots/{own.pk}/{tab}/"' in page


def test_whether_a_node_can_be_drained_is_asked_of_a_rehearsal(
    client: Client, alice: Any, own: Snapshot
) -> None:
    client.force_login(alice)
    answer = client.get("/", {"of": own.pk, "drain": " node-1 "})
    assert answer["Location"] == f"/snapshots/{own.pk}/rehearsal/?nodes=node-1&for_good=1"
    assert not Scenario.objects.exists()


@pytest.mark.parametrize(
    ("name", "says"),
    [("nosuch", "has no node nosuch<"), ("nod-1", "has no node nod-1; did you mean node-1?<")],
)
def test_a_node_that_is_not_there_is_refused_beside_its_field(
    client: Client, alice: Any, own: Snapshot, name: str, says: str
) -> None:
    client.force_login(alice)
    page = client.get("/", {"of": own.pk, "drain": name}).text
    assert f'id="drain-problem" role="alert">{own.name} {says}' in page
    assert f'value="{name}" required' in page


def test_null_characters_of_a_node_s_name_are_left_out_which_no_database_takes(
    client: Client, alice: Any, own: Snapshot
) -> None:
    client.force_login(alice)
    page = client.get("/", {"of": own.pk, "drain": "nosuch\x00"}).text
    assert f"{own.name} has no node nosuch<" in page
    assert "drain-problem" not in client.get("/", {"of": own.pk, "drain": "\x00"}).text


def test_the_cluster_to_ask_is_the_newest_or_the_one_in_the_address(client: Client, alice: Any) -> None:
    for name in ("old", "new"):
        import_snapshot(alice, name, [("own.json", listing(node("node-1")))])
    client.force_login(alice)
    old = Snapshot.objects.get(name="old")
    assert "Nothing waits in new." in client.get("/").text
    assert "Nothing waits in old." in client.get(f"/?of={old.pk}").text
    assert "Nothing waits in new." in client.get("/?of=nonsense").text


def test_the_cluster_in_the_address_is_asked_though_many_newer_ones_are_there(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(home, "CLUSTERS_TO_ASK", 1)
    for name in ("old", "new"):
        import_snapshot(alice, name, [("own.json", listing(node("node-1")))])
    client.force_login(alice)
    old = Snapshot.objects.get(name="old")
    page = client.get(f"/?of={old.pk}").text
    assert "Nothing waits in old." in page
    assert f'<a href="?of={old.pk}" aria-current="true">' in page
    assert f'href="?of={old.pk}"' not in client.get("/").text


def test_the_page_reads_no_large_file(client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: Any) -> None:
        raise AssertionError("the trace was read")

    gallery.cache_clear()
    monkeypatch.setattr("samples.openb.sample.read_table", read)
    client.force_login(alice)
    assert client.get("/").status_code == 200
    assert client.get("/samples/").status_code == 200
