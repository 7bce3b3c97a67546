"""Every page: operators and viewers see it, outsiders get 404; only operators act, on what is theirs."""

import json
from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run, Scenario, Snapshot, Sweep
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from dashboard.services.workspace.sweeps.playing import start_sweep
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db

CLUSTER = listing(
    node("node-1", **{"topology.kubernetes.io/zone": "a"}),
    node("node-2"),
    pod("cart-1", node="node-1", cpu="3"),
    pod("cart-2", node="node-2", cpu="3"),
    pod("urgent", cpu="2", priority=1000),
    pod("huge", cpu="64"),
)


@pytest.fixture
def snapshot(alice: Any) -> Snapshot:
    """Two full nodes, an urgent pod that pushes somebody out, and one that fits nowhere."""
    return import_snapshot(alice, "prod", [("cluster.json", CLUSTER)])


@pytest.fixture
def scenario(alice: Any, snapshot: Snapshot) -> Scenario:
    """The snapshot with one edit that is switched off."""
    edits = [{"op": "cordon", "node": "node-2", "enabled": False}]
    return create_scenario(alice, {"name": "what if", "snapshot": snapshot, "edits": edits})


@pytest.fixture
def run(alice: Any, scenario: Scenario) -> Run:
    """A finished run of the scenario."""
    run = start_run(alice, scenario)
    execute_run(run.pk)
    run.refresh_from_db()
    assert run.status == "finished", run.error
    start_sweep(alice, scenario, [{"field": "seed", "values": [1, 2]}])
    return run


def addresses(run: Run) -> list[str]:
    """The address of every page, with something to see on each."""
    snapshot = f"/snapshots/{run.snapshot_id}/"
    return [
        "/",
        "/snapshots/",
        snapshot,
        f"{snapshot}nodes/",
        f"{snapshot}pods/",
        f"{snapshot}workloads/",
        f"{snapshot}nodes/node-1/",
        f"{snapshot}pods/uid-cart-1/",
        f"{snapshot}export.json",
        f"{snapshot}export.yaml",
        "/scenarios/",
        f"/scenarios/{run.scenario_id}/",
        f"/scenarios/{run.scenario_id}/sweeps/",
        f"/sweeps/{Sweep.objects.get().pk}/",
        "/runs/",
        f"/runs/{run.pk}/",
        f"/runs/{run.pk}/outcome/",
        f"/runs/{run.pk}/pods/uid-urgent/",
        f"/runs/{run.pk}/nodes/node-1/",
    ]


def test_operators_and_viewers_see_every_page(client: Client, run: Run, alice: Any, bob: Any) -> None:
    for person in (alice, bob):
        client.force_login(person)
        answers = {address: client.get(address).status_code for address in addresses(run)}
        assert set(answers.values()) == {200}, answers


def test_outsiders_get_404_without_a_hint(client: Client, run: Run, charlie: Any) -> None:
    client.force_login(charlie)
    answers = {address: client.get(address).status_code for address in addresses(run)}
    assert set(answers.values()) == {404}, answers


def test_nobody_looks_without_signing_in(client: Client, run: Run) -> None:
    for address in addresses(run):
        assert client.get(address).url.startswith("/accounts/sign-in/")


def test_a_viewer_is_offered_no_action_and_may_do_none(client: Client, run: Run, bob: Any) -> None:
    client.force_login(bob)
    refused = [
        f"/snapshots/{run.snapshot_id}/delete/",
        "/scenarios/create/",
        f"/scenarios/{run.scenario_id}/copy/",
        f"/scenarios/{run.scenario_id}/run/",
        f"/scenarios/{run.scenario_id}/delete/",
        f"/scenarios/{run.scenario_id}/sweeps/",
        *(f"/sweeps/{Sweep.objects.get().pk}/{what}/" for what in ("cancel", "play", "delete")),
        f"/runs/{run.pk}/delete/",
        f"/runs/{run.pk}/pin/",
    ]
    for address in refused:
        assert client.post(address).status_code == 403, address
        assert f'action="{address}"' not in client.get(f"/snapshots/{run.snapshot_id}/").text
    assert client.get("/snapshots/import/").status_code == 403


def test_an_operator_deletes_only_what_is_theirs(client: Client, run: Run, alice: Any) -> None:
    Run.objects.update(created_by=None)
    client.force_login(alice)
    assert client.post(f"/runs/{run.pk}/delete/").status_code == 403
    Run.objects.update(created_by=alice)
    assert client.post(f"/runs/{run.pk}/delete/").url == "/runs/"
    assert not Run.objects.filter(baseline_key="").exists()


def test_a_scenario_that_cannot_be_run_says_why_on_its_page(client: Client, run: Run, alice: Any) -> None:
    client.force_login(alice)
    Scenario.objects.update(edits=[{"op": "drain", "node": "gone"}])
    page = client.post(f"/scenarios/{run.scenario_id}/run/", follow=True).text
    assert "Not run: edits[0] node: there is no Node gone" in page


@pytest.mark.parametrize("kind", ["snapshot", "scenario"])
def test_no_page_deletes_what_others_made(kind: str, client: Client, run: Run, alice: Any, bob: Any) -> None:
    client.force_login(alice)
    Run.objects.filter(pk=run.pk).update(created_by=bob)
    address = f"/{kind}s/{getattr(run, f'{kind}_id')}/delete/"
    page = client.post(address, {"cascade": "1"}, follow=True).text
    assert "was not deleted. This would also delete 1 run of bob; that needs the role admin." in page
    assert Run.objects.filter(pk=run.pk).exists()


def test_a_snapshot_in_use_is_not_deleted_and_the_page_says_why(client: Client, run: Run, alice: Any) -> None:
    client.force_login(alice)
    page = client.post(f"/snapshots/{run.snapshot_id}/delete/", follow=True).text
    assert "prod was not deleted: it has 1 scenario and 1 run." in page
    client.post(f"/snapshots/{run.snapshot_id}/delete/", {"cascade": "1"})
    assert not Snapshot.objects.exists()


def test_a_new_scenario_starts_from_its_snapshot(client: Client, snapshot: Snapshot, alice: Any) -> None:
    client.force_login(alice)
    answer = client.post("/scenarios/create/", {"snapshot": snapshot.pk})
    scenario = Scenario.objects.get()
    assert answer.url == f"/scenarios/{scenario.pk}/"
    assert (scenario.snapshot, scenario.edits) == (snapshot, [])


def test_a_copy_keeps_what_decides(client: Client, scenario: Scenario, alice: Any) -> None:
    client.force_login(alice)
    client.post(f"/scenarios/{scenario.pk}/copy/")
    copy = Scenario.objects.exclude(pk=scenario.pk).get()
    assert (copy.name, copy.edits, copy.snapshot) == ("what if (copy)", scenario.edits, scenario.snapshot)


def test_edits_that_are_switched_off_take_no_part_in_a_run(run: Run) -> None:
    assert run.edits == []
    assert run.scenario.edits == [{"op": "cordon", "node": "node-2", "enabled": False}]


def test_yaml_and_values_are_translated_by_one_reader(client: Client, alice: Any) -> None:
    client.force_login(alice)

    def ask(body: dict[str, Any]) -> Any:
        return client.post("/scenarios/text/", body, content_type="application/json")

    assert ask({"yaml": "op: cordon\nnode: a"}).json()["value"] == {"op": "cordon", "node": "a"}
    assert ask({"value": {"op": "cordon", "node": "a"}}).json()["yaml"] == "op: cordon\nnode: a\n"
    refused = ask({"yaml": "a: [1"})
    assert refused.status_code == 400
    assert "YAML" in refused.json()["detail"]
    assert ask({"yaml": "a: 1\n---\nb: 2"}).json()["detail"] == (
        "This box takes one YAML document and has 2, parted by ---. Keep one of them here. "
        "Add an edit for each of the others."
    )


def nested(levels: int) -> str:
    return '{"value":' * levels + "1" + "}" * levels


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (nested(900), "value.value.value.value.value.value.value.value…: nested deeper than 104 levels"),
        ('{"value": ' + "[" * 100_000, "value[0][0][0][0][0][0][0]…: nested deeper than 104 levels"),
        (json.dumps({"yaml": "a: " + "[" * 900}), "nested deeper than 100 levels (line 1)"),
        ('{"value": {"node": "a", "node": "b"}}', "value.node: the key stands twice"),
        (json.dumps({"yaml": "op: drain\nnode: a\nnode: b"}), "node: the key stands twice (line 3)"),
        ('{"value": ', "The body is not JSON: it ends in the middle, in line 1: it was cut off."),
    ],
)
def test_a_text_without_bounds_is_refused_with_field_and_limit(
    client: Client, alice: Any, body: str, words: str
) -> None:
    client.force_login(alice)
    answer = client.post("/scenarios/text/", body, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"]) == (400, words)


def test_the_deepest_value_that_is_allowed_is_translated_both_ways(client: Client, alice: Any) -> None:
    client.force_login(alice)
    answer = client.post("/scenarios/text/", nested(104), content_type="application/json")
    assert answer.json()["value"] == json.loads(nested(104))["value"]
    deepest = json.dumps({"yaml": nested(100)})
    assert client.post("/scenarios/text/", deepest, content_type="application/json").status_code == 200
