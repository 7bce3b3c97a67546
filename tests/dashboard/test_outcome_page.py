"""What the pages say of runs that came to no natural end, and of runs of the same question."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.services.background import execution, recording
from dashboard.services.background.execution import execute_run
from dashboard.services.results import run_sums
from dashboard.services.results.comparing import compare_runs
from dashboard.services.workspace.runs import request_cancel, start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.variants import run_under
from tests.dashboard.rows import guarded_node, listing, new_run, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(alice: Any, client: Client, monkeypatch: pytest.MonkeyPatch) -> Run:
    """A run of three pods that fit nowhere, paused after its first decision; alice is signed in."""
    client.force_login(alice)
    return paused(alice, monkeypatch, "64")


def paused(alice: Any, monkeypatch: pytest.MonkeyPatch, cpu: str, *edits: Any) -> Run:
    """A run of three pods, each asking for so much, paused after its first decision."""
    pods = [pod(f"huge-{number}", cpu=cpu) for number in range(3)]
    snapshot = import_snapshot(alice, "full", [("cluster.json", listing(node("node-1"), *pods))])
    asked = {"name": "what if", "snapshot": snapshot, "driver": "instant", "edits": list(edits)}
    started = start_run(alice, create_scenario(alice, asked))
    take = execution.Player._step

    def one_step(player: execution.Player) -> Any:
        decision = take(player)
        Run.objects.filter(pk=started.pk).update(want="pause")
        player.next_look = 0.0
        return decision

    monkeypatch.setattr(execution.Player, "_step", one_step)
    execute_run(started.pk)
    monkeypatch.setattr(execution.Player, "_step", take)
    started.refresh_from_db()
    assert (started.status, started.decisions) == ("paused", 1)
    return started


def sentence(client: Client, run: Run) -> str:
    """The outcome in words, as one line without markup."""
    page = client.get(f"/runs/{run.pk}/outcome/").text
    part = page.split('outcome-say">')[1].split("</p>")[0]
    return " ".join(re.sub("<[^>]*>", "", part).split())


def lines(client: Client, run: Run) -> list[str]:
    """The lines of the answer in words, each as one line without markup."""
    parts = client.get(f"/runs/{run.pk}/outcome/").text.split('<div class="lead about-')[1:]
    texts = (part.partition(">")[2].split("</div>")[0] for part in parts)
    return [" ".join(re.sub("<[^>]*>", "", text.replace("</p>", " ")).split()) for text in texts]


def test_a_cancelled_run_tells_the_pods_that_it_never_tried(client: Client, run: Run) -> None:
    request_cancel(run)
    said = sentence(client, run)
    assert said.startswith("Cancelled after decision 1. What follows is not its natural end. No pod found")
    assert said.endswith("1 pod is still pending. 2 pods were never tried.")
    assert not lines(client, run)
    assert "same reason" not in said


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        ("optimum", "it has no end to hold against an exact solver"),
        ("came-true", "it predicts nothing"),
    ],
)
def test_pages_about_the_end_of_a_run_wait_for_it_and_say_where_it_stands(
    client: Client, run: Run, page: str, reason: str
) -> None:
    address, waits = f"/runs/{run.pk}/{page}/", {"HX-Request": "true", "HX-Target": "going"}
    shown = client.get(address).text
    assert f"Run {run.pk} has not ended and stands at decision 1: {reason}." in shown
    assert f'id="going" hx-get="{address}"' in shown
    assert "htmx" in shown.split("</main>")[1]
    assert client.get(address, headers=waits).status_code == 204
    request_cancel(run)
    assert client.get(address, headers=waits)["HX-Refresh"] == "true"
    shown = client.get(address).text
    assert f"Run {run.pk} was cancelled after decision 1: {reason}." in shown
    assert 'id="going"' not in shown


def test_from_a_run_that_was_cut_short_nothing_is_subtracted(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    run = paused(alice, monkeypatch, "1", {"op": "label", "nodes": ["node-1"], "labels": {"tier": "gold"}})
    assert run.baseline is not None
    execute_run(run.baseline.pk)
    assert "2 pods have not been tried yet" in sentence(client, run)
    assert "because" not in client.get(f"/runs/{run.pk}/outcome/").text
    request_cancel(run)
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert "because" not in page
    assert "Held against" not in page
    told = client.get(f"/api/v1/runs/{run.pk}/answer/").json()
    assert told["verdict"] == "unsure"
    assert told["trust"][-1][0]["text"] == (
        "The run came to no end of its own, so that nothing is subtracted."
    )
    other = run_under(alice, run, "kube-1.35")
    execute_run(other.pk)
    other.refresh_from_db()
    run.refresh_from_db()
    assert "pending because of the edits" not in {row["name"] for row in compare_runs(other, run).figures}


def test_the_answer_of_a_cancelled_run_waits_for_no_other(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    client.force_login(alice)
    run = paused(alice, monkeypatch, "1", {"op": "label", "nodes": ["node-1"], "labels": {"tier": "gold"}})
    request_cancel(run)
    assert client.get(f"/api/v1/runs/{run.pk}/answer/").status_code == 200
    assert "is being played" not in client.get(f"/runs/{run.pk}/outcome/").text


@pytest.mark.parametrize("was_begun", [False, True])
def test_a_run_cancelled_before_its_first_decision_offers_no_step(
    client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch, was_begun: bool
) -> None:
    client.force_login(alice)
    snapshot = import_snapshot(alice, "one", [("cluster.json", listing(node("node-1"), pod("web")))])
    run = start_run(alice, create_scenario(alice, {"name": "what if", "snapshot": snapshot}))
    address = f"/runs/{run.pk}/outcome/"
    assert "Step through it" in client.get(address).text
    if was_begun:
        Run.objects.filter(pk=run.pk).update(want="pause")
        execute_run(run.pk)
        run.refresh_from_db()
    request_cancel(run)
    client.get(address)
    run.refresh_from_db()
    assert (run.status, run.decisions, run.outcome is not None) == ("cancelled", 0, was_begun)
    page = client.get(address).text
    assert "Step through it" not in page
    assert "after decision 0" not in page
    if was_begun:
        assert sentence(client, run).startswith("Cancelled before its first decision. What follows")
    assert f'href="{address}"' in client.get("/").text


def test_a_run_that_goes_on_tells_the_pods_that_it_has_not_tried_yet(client: Client, run: Run) -> None:
    said = sentence(client, run)
    assert "2 pods have not been tried yet." in said
    assert said.startswith("The run has not ended and stands at decision 1. No pod found a node")


def test_the_page_of_a_run_that_goes_on_is_drawn_anew_at_its_end_and_not_before(
    client: Client, run: Run
) -> None:
    address = f"/runs/{run.pk}/outcome/"
    assert 'id="going" hx-get=' in client.get(address).text
    asking = {"HX-Request": "true", "HX-Target": "going"}
    before = client.get(address, headers=asking)
    assert (before.status_code, before.content, "HX-Refresh" in before) == (204, b"", False)
    request_cancel(run)
    assert client.get(address, headers=asking)["HX-Refresh"] == "true"
    assert 'id="going"' not in client.get(address).text


def test_a_large_run_that_goes_on_is_told_without_being_summed_up(
    client: Client, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"/runs/{run.pk}/outcome/"
    with monkeypatch.context() as patched:
        patched.setattr(run_sums, "SUMMED_AT_ONCE", 1)
        patched.setattr(run_sums, "sums_of_run", lambda *rest: pytest.fail("it is summed up"))
        page = client.get(address)
        assert page.context["counted"] is not None
        assert "<b>1 decision</b> so far: 1 unschedulable." in page.text
        asking = {"HX-Request": "true", "HX-Target": "waiting"}
        assert client.get(address, headers=asking)["HX-Refresh"] == "true"
        request_cancel(run)
        assert "is being summed up" in client.get(address).text
    monkeypatch.setattr(run_sums, "SUMMED_AT_ONCE", 1)
    asking = {"HX-Request": "true", "HX-Target": "counted"}
    assert client.get(f"{address}?sum=now", headers=asking)["HX-Refresh"] == "true"
    assert "<b>1 decision</b>" not in client.get(address).text


def test_the_list_has_the_figures_of_a_cancelled_run(client: Client, run: Run) -> None:
    request_cancel(run)
    Run.objects.filter(pk=run.pk).update(outcome=None)
    assert '<td class="num is-unsched">3</td>' in client.get("/runs/").text
    run.refresh_from_db()
    assert run.outcome["pending"] == 3


def test_a_failed_run_lists_its_faults_with_the_numbers_of_the_editor(client: Client, run: Run) -> None:
    cordon = {"op": "cordon", "node": "node-1"}
    edits = [{**cordon, "enabled": False}, cordon, cordon]
    type(run.scenario).objects.filter(pk=run.scenario_id).update(edits=edits)
    problems = [
        {"object": "edits[1]", "field": "node", "message": "there is no Node gone"},
        {"object": "Pod shop/a", "field": "spec", "message": "is empty"},
    ]
    Run.objects.filter(pk=run.pk).update(
        status="failed", finished_at=run.created_at, edits=[cordon, cordon], error="…", problems=problems
    )
    page = client.get(f"/runs/{run.pk}/outcome/").text
    assert "<li>Edit 3 node: there is no Node gone</li><li>Pod shop/a spec: is empty</li>" in page


def test_runs_of_the_same_question_show_each_version_and_count_the_rest(
    client: Client, run: Run, alice: Any
) -> None:
    for driver in ("instant", "fifo", "grace"):
        for profile in ("kube-1.8", "kube-1.9", "kube-1.11"):
            fields = {"name": "x", "snapshot": run.snapshot, "profile": profile, "driver": driver}
            start_run(alice, create_scenario(alice, fields))
    page = client.get(f"/runs/{run.pk}/outcome/").text
    part = page.split("The same question under")[1].split("</p>")[0]
    shown = re.findall(r"(kube-[\d.]+, \w+):", part)
    assert shown[:3] == ["kube-1.11, instant", "kube-1.9, instant", "kube-1.8, instant"]
    assert len(shown) == 6
    assert (
        f'<a href="/runs/?snapshot={run.snapshot_id}">and 3 more, among all runs of this cluster</a>' in part
    )


def test_a_question_keeps_its_driver_under_another_version_that_offers_it(alice: Any, run: Run) -> None:
    fields = {"name": "old", "snapshot": run.snapshot, "profile": "kube-1.8", "driver": "fifo"}
    original = create_scenario(alice, fields)
    assert [run_under(alice, original, f"kube-1.{minor}").driver for minor in (9, 13)] == ["fifo", "fifo"]
    assert run_under(alice, original, "kube-1.36").driver == "instant"


@pytest.fixture
def drained(alice: Any, client: Client) -> Run:
    """A finished run of a drain that a budget stopped at one of two pods; alice is signed in."""
    client.force_login(alice)
    snapshot = import_snapshot(alice, "guarded", [("cluster.json", listing(*guarded_node()))])
    edits = [{"op": "drain", "node": "node-1"}]
    scenario = create_scenario(
        alice, {"name": "drain", "snapshot": snapshot, "driver": "instant", "edits": edits}
    )
    run = start_run(alice, scenario)
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished"
    return run


def test_an_incomplete_drain_leads_with_its_budget_and_nothing_reads_as_a_success(
    client: Client, drained: Run
) -> None:
    page = client.get(f"/runs/{drained.pk}/outcome/").text
    assert sentence(client, drained) == "node-1 never gets empty."
    assert lines(client, drained)[0] == (
        "node-1 never gets empty: shop/search allows no eviction, now or ever. "
        "2 evictions asked: 1 done and 1 refused for ever. The node is cordoned, not empty."
    )
    refused = page.split('id="refused"')[1].split("</section>")[0]
    assert f'href="/runs/{drained.pk}/?at=2"' in refused
    assert "for ever" in refused
    assert "Nothing is left pending" not in page
    rehearse = re.search(r'href="([^"]*)"[^>]*>(?:<svg.*?</svg>)?Rehearse this drain', page)
    assert rehearse
    assert rehearse[1] == f"/snapshots/{drained.snapshot_id}/rehearsal/?nodes=node-1"
    assert " never gets empty." in client.get("/").text


def test_the_page_says_that_the_run_without_edits_is_being_played_and_then_subtracts_it(
    client: Client, drained: Run
) -> None:
    waiting = "The run without your edits is being played"
    assert waiting in client.get(f"/runs/{drained.pk}/outcome/").text
    asking = {"HX-Request": "true", "HX-Target": "baseline"}
    assert client.get(f"/runs/{drained.pk}/outcome/", headers=asking).status_code == 204
    execute_run(drained.baseline_id)
    again = client.get(f"/runs/{drained.pk}/outcome/", headers=asking)
    assert again["HX-Refresh"] == "true", "its figures and tables subtract too"
    page = client.get(f"/runs/{drained.pk}/outcome/").text
    assert waiting not in page
    assert "0 because of the edits" in page
    assert lines(client, drained)[-1] == (
        "0 more pods are pending because of your edits: 0 wait either way. "
        f"Held against run {drained.baseline_id}, the same cluster without your edits."
    )
    assert f'href="/runs/{drained.baseline_id}/outcome/"' in page
    assert client.get(f"/runs/{drained.baseline_id}/outcome/").status_code == 200


def test_a_flow_of_evictions_is_drawn_and_listed(client: Client, drained: Run) -> None:
    page = client.get(f"/runs/{drained.pk}/outcome/").text
    flow = page.split('aria-labelledby="flow"')[1].split("</section>")[0]
    assert "drains and evictions asked: 1 shop/cart-1" in flow
    assert "shop/cart-1: 1 not replaced" in flow


def test_refused_evictions_are_exported_with_their_budgets(client: Client, drained: Run) -> None:
    table = client.get(f"/runs/{drained.pk}/outcome/?table=refused-evictions&format=csv").text.splitlines()
    assert table[0] == "edit,seq,pod,node,budgets,message"
    assert table[1].startswith("Drain of node-1 incomplete,2,shop/search-0,node-1,shop/search,Cannot evict")


def test_the_lives_of_what_was_not_evicted_say_so(client: Client, drained: Run) -> None:
    pod_page = client.get(f"/runs/{drained.pk}/pods/uid-search-0/").text
    assert "Its eviction was refused" in pod_page
    assert "The disruption budget search needs 1 healthy pods" in pod_page
    assert "The disruption budget search needs" in client.get(f"/runs/{drained.pk}/nodes/node-1/").text


def test_what_the_answer_alone_rests_on_stands_on_the_page_too(alice: Any, client: Client) -> None:
    client.force_login(alice)
    claims = [{"name": "card", "resourceClaimName": "card"}]
    objects = listing(node("node-1"), pod("small"), pod("claiming", resourceClaims=claims))
    snapshot = import_snapshot(alice, "claims", [("cluster.json", objects)])
    run = start_run(alice, create_scenario(alice, {"snapshot": snapshot, "profile": "kube-1.34"}))
    execute_run(run.pk)
    page = client.get(f"/runs/{run.pk}/outcome/").text
    told = client.get(f"/api/v1/runs/{run.pk}/answer/", headers={"Accept": "text/plain"}).text
    never = " that the scheduler never sees: what they ask for isn&#x27;t modelled."
    assert (page.count(never), told.count(unescape(never))) == (1, 1)
    for text in (page, told):
        assert text.count("with resource claims, which only kube-scheduler") == 1


@pytest.fixture
def unserved(alice: Any, client: Client) -> Run:
    """A finished run of kube-scheduler where two pods name Volcano and one nobody that is known."""
    client.force_login(alice)
    pods = [pod("gang-0", schedulerName="volcano"), pod("gang-1", schedulerName="volcano")]
    objects = listing(node("node-1"), *pods, pod("odd", schedulerName="third"))
    snapshot = import_snapshot(alice, "gangs", [("cluster.json", objects)])
    run = start_run(alice, create_scenario(alice, {"snapshot": snapshot, "profile": "kube-1.36"}))
    execute_run(run.pk)
    run.refresh_from_db()
    assert (run.status, run.decisions) == ("finished", 0)
    return run


def test_an_outcome_leads_with_the_pods_that_name_another_scheduler(client: Client, unserved: Run) -> None:
    page = client.get(f"/runs/{unserved.pk}/outcome/").text
    assert lines(client, unserved) == [
        "2 pods name the scheduler volcano, which this run has not: no decision about them.",
        "1 pod names the scheduler third, which this run has not: no decision about it.",
    ]
    assert "3 pods got no decision: their scheduler is not part of the run." in sentence(client, unserved)
    assert "<dt>without a scheduler</dt>" in page
    for claim in ("Nothing is left pending", "left pending", "Nobody waited"):
        assert claim not in page


def test_no_list_of_runs_takes_unserved_pods_for_placed(client: Client, unserved: Run) -> None:
    cell = '<td class="num is-unsched">3</td>'
    assert cell in client.get("/runs/").text
    assert cell in client.get("/compare/").text
    assert "3 without a scheduler" in client.get("/").text
    assert "3 without a scheduler" in client.get(f"/scenarios/{unserved.scenario_id}/").text
    assert client.get("/runs/?format=json").json()[0]["unserved"] == 3


def test_a_comparison_has_the_unserved_pods_of_both_runs(client: Client, alice: Any, unserved: Run) -> None:
    other = start_run(alice, create_scenario(alice, {"snapshot": unserved.snapshot}))
    execute_run(other.pk)
    other.refresh_from_db()
    found = {
        row["name"]: (row["a"], row["b"]) for row in compare_runs(unserved, other).figures if "name" in row
    }
    assert found["pending without a scheduler"] == (3, 1)
    page = client.get(f"/compare/?a={unserved.pk}&b={other.pk}").text
    assert "pending without a scheduler" in page
    back = compare_runs(other, unserved)
    assert {
        row["name"]: row.get("better") for row in back.figures if row["name"] in ("pending", "evicted")
    } == {
        "pending": None,
        "evicted": None,
    }, "who looks at no pod leaves none pending"
    address = f"/api/v1/compare/answer/?a={other.pk}&b={unserved.pk}"
    lead, *_ = client.get(address, headers={"accept": "text/plain"}).text.splitlines()
    assert " leaves 3 pods without a scheduler, " in lead
    assert f"3 pods name a scheduler that run {unserved.pk} has not</b>: no decision about them." in page


def test_every_list_of_runs_counts_the_pods_that_controllers_deleted(
    client: Client, alice: Any, unserved: Run
) -> None:
    other = start_run(alice, create_scenario(alice, {"snapshot": unserved.snapshot}))
    execute_run(other.pk)
    unserved.outcome["deleted"] = 1071
    unserved.save()
    cell = '<td class="num is-preempt">1,071</td>'
    listed = client.get("/runs/").text
    assert "Deleted by controllers" in listed
    assert cell in listed
    chosen = client.get("/compare/").text
    assert "Deleted by controllers" in chosen
    assert '<td class="num">1,071</td>' in chosen
    assert client.get("/runs/?format=json").json()[1]["deleted"] == 1071
    assert (
        "0 evicted, 1,071 deleted by controllers, 0 pending"
        in client.get(f"/scenarios/{unserved.scenario_id}/").text
    )
    found = compare_runs(unserved, Run.objects.get(pk=other.pk)).figures
    deleted = next(row for row in found if row["name"] == "deleted by controllers")
    assert (deleted["a"], deleted["b"], deleted["difference"]) == (1071, 0, -1071)


def test_a_scenario_is_given_the_schedulers_of_its_cluster(client: Client, unserved: Run) -> None:
    address = f"/scenarios/{unserved.scenario_id}/"
    assert client.post(f"{address}own-schedulers/").status_code == 302
    unserved.scenario.refresh_from_db()
    assert (unserved.scenario.profile, unserved.scenario.beside) == ("volcano-1.16", [])
    assert "volcano: named by 2 waiting pods; " in client.get(address).text


def test_the_pages_of_a_run_that_has_not_begun_say_one_thing(client: Client, alice: Any) -> None:
    client.force_login(alice)
    run = new_run(alice)

    def told() -> tuple[str, str, bool]:
        page = client.get(f"/runs/{run.pk}/outcome/").text
        debugger = client.get(f"/runs/{run.pk}/").text
        state = page.split('id="run-state">')[1].split("</span>")[0].split(">")[1]
        badge = debugger.split('data-part="live" role="status">')[1].split("<")[0]
        assert badge == state
        return state, page.split("<p>")[1].split(" This page")[0], "started" in page

    assert told() == ("queued", "No worker has taken this run yet.", False)
    assert recording.claim(run.pk, "worker") is not None
    building = "A worker has taken this run and builds its cluster."
    assert told() == ("building the cluster", building, True)


def test_the_outcome_tells_that_another_release_is_played(client: Client, alice: Any) -> None:
    of_1_33 = node("node-1")
    of_1_33["status"]["nodeInfo"] = {"kubeletVersion": "v1.33.5"}
    snapshot = import_snapshot(alice, "older", [("cluster.json", listing(of_1_33, pod("web")))])
    run = start_run(alice, create_scenario(alice, {"snapshot": snapshot, "profile": "kube-1.36"}))
    execute_run(run.pk)
    client.force_login(alice)
    trust = client.get(f"/runs/{run.pk}/outcome/").text.split('<div class="trust">')[1].split("</ul>")[0]
    assert "played as 1.36; the nodes&#x27; kubelets are of 1.33" in trust
