"""Who may do what over REST: every address, for the operator, the viewer, the outsider and nobody."""

import json
from typing import Any

import pytest
from django.db import transaction
from django.urls import URLPattern
from rest_framework.test import APIClient

from api.urls import urlpatterns
from dashboard.accounts.tokens import create_token
from dashboard.models import Cluster, Run, Scenario, Snapshot
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.sweeps.playing import start_sweep
from tests.dashboard.rows import new_run, small_cluster

pytestmark = pytest.mark.usefixtures("fake_engine")

READ = (200, 200, 404, 401)
READ_LIST = (200, 200, 200, 401)
ANYONE = (200, 200, 200, 401)
PEOPLE = ["alice", "bob", "charlie", "nobody"]
SEEDS = {"field": "seed", "values": [1]}

# method, address, body, answers to alice (operator), bob (viewer), charlie (outsider) and nobody
EXPECTED = [
    ("GET", "schema/", None, ANYONE),
    ("GET", "events/schema/", None, ANYONE),
    ("GET", "explanations/schema/", None, ANYONE),
    ("GET", "find/?q=cart", None, READ),
    ("GET", "glossary/", None, ANYONE),
    ("GET", "audit/", None, (403, 403, 404, 401)),
    ("GET", "clusters/", None, READ),
    ("POST", "clusters/", {}, (403, 403, 404, 401)),
    ("GET", "clusters/{cluster}/", None, READ),
    ("PATCH", "clusters/{cluster}/", {}, (403, 403, 404, 401)),
    ("DELETE", "clusters/{cluster}/", None, (403, 403, 404, 401)),
    ("POST", "clusters/{cluster}/read/", None, (202, 403, 404, 401)),
    ("GET", "snapshots/", None, READ_LIST),
    ("POST", "snapshots/", "cluster", (201, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/", None, READ),
    ("DELETE", "snapshots/{snapshot}/?cascade=true", None, (204, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/progress/", None, READ),
    ("GET", "snapshots/{snapshot}/findings/", None, READ),
    ("POST", "snapshots/{snapshot}/cancel/", None, (409, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/without-faulty/", None, (409, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/upgrade/", {}, (201, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/nodes/", None, READ),
    ("GET", "snapshots/{snapshot}/pods/", None, READ),
    ("GET", "snapshots/{snapshot}/workloads/", None, READ),
    ("GET", "snapshots/{snapshot}/configurations/", None, READ),
    ("GET", "snapshots/{snapshot}/schedulers/", None, READ),
    ("GET", "snapshots/{snapshot}/volcano/", None, READ),
    ("GET", "snapshots/{snapshot}/nodes/node-1/cards/", None, READ),
    ("GET", "snapshots/{snapshot}/nodes/node-1/vgpus/", None, READ),
    ("GET", "snapshots/{snapshot}/why/", None, READ),
    ("DELETE", "snapshots/{snapshot}/why/", None, (204, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/would-fit/?pod=default/nobody", None, (404, 404, 404, 401)),
    ("DELETE", "snapshots/{snapshot}/would-fit/?pod=default/nobody", None, (404, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/headroom/", None, READ),
    ("DELETE", "snapshots/{snapshot}/headroom/", None, (204, 403, 404, 401)),
    (
        "GET",
        "snapshots/{snapshot}/headroom/?run={run}",
        None,
        (400, 400, 404, 401),
    ),  # its configuration is none
    ("GET", "snapshots/{snapshot}/queues/", None, READ),
    ("GET", "snapshots/{snapshot}/hyper-nodes/", None, READ),
    ("GET", "snapshots/{snapshot}/flows/", None, READ),
    ("POST", "snapshots/{snapshot}/preflight/", {"manifest": "{}"}, (400, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/preflight/would-fit/", {"manifest": "{}"}, (400, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/preflight/would-fit/end/", {"manifest": "{}"}, (400, 403, 404, 401)),
    ("GET", "snapshots/{snapshot}/export/", None, READ),
    ("POST", "snapshots/{snapshot}/anonymised/", {}, READ),
    ("GET", "snapshots/{snapshot}/anonymised/none/", None, (404, 404, 404, 401)),
    ("DELETE", "snapshots/{snapshot}/anonymised/none/", None, (204, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/history/", None, (201, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/simkube/", {}, (415, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/consolidation/", {}, READ),
    ("POST", "snapshots/{snapshot}/consolidation/end/", {}, (204, 403, 404, 401)),
    ("POST", "snapshots/{snapshot}/rehearsal/", {"nodes": ["node-1"]}, READ),
    ("POST", "snapshots/{snapshot}/rehearsal/end/", {"nodes": ["node-1"]}, (204, 403, 404, 401)),
    ("GET", "schedulers/", None, ANYONE),
    ("GET", "schedulers/kube-1.36/", None, ANYONE),
    ("GET", "scenarios/", None, READ_LIST),
    ("POST", "scenarios/", {"snapshot": "{snapshot}"}, (201, 403, 404, 401)),
    ("POST", "scenarios/validate/", {"snapshot": "{snapshot}"}, (200, 403, 404, 401)),
    ("GET", "scenarios/{scenario}/", None, READ),
    ("PATCH", "scenarios/{scenario}/", {"name": "x"}, (200, 403, 404, 401)),
    ("DELETE", "scenarios/{scenario}/?cascade=true", None, (204, 403, 404, 401)),
    ("POST", "scenarios/{scenario}/validate/", None, READ),
    ("DELETE", "scenarios/{scenario}/validate/", None, (204, 403, 404, 401)),
    ("POST", "scenarios/{scenario}/upgrade/", {}, (201, 403, 404, 401)),
    ("GET", "scenarios/{scenario}/sweeps/", None, READ),
    ("POST", "scenarios/{scenario}/sweeps/", {"dimensions": [SEEDS]}, (202, 403, 404, 401)),
    ("GET", "sweeps/{sweep}/", None, READ),
    ("DELETE", "sweeps/{sweep}/", None, (204, 403, 404, 401)),
    ("POST", "sweeps/{sweep}/cancel/", None, (200, 403, 404, 401)),
    ("POST", "sweeps/{sweep}/play/", None, (200, 403, 404, 401)),
    ("GET", "runs/", None, READ_LIST),
    ("POST", "runs/", {"scenario": "{scenario}"}, (202, 403, 404, 401)),
    ("GET", "runs/{run}/", None, READ),
    ("PATCH", "runs/{run}/", {"pinned": True}, (200, 403, 404, 401)),
    ("DELETE", "runs/{run}/", None, (204, 403, 404, 401)),
    ("POST", "runs/{run}/cancel/", None, (409, 403, 404, 401)),
    ("POST", "runs/{run}/pause/", None, (409, 403, 404, 401)),
    ("POST", "runs/{run}/resume/", None, (409, 403, 404, 401)),
    ("GET", "runs/{run}/scheduler/", None, (409, 409, 404, 401)),  # its script is no configuration
    ("GET", "runs/{run}/decisions/", None, READ),
    ("GET", "runs/{run}/decisions/1/", None, READ),
    ("GET", "runs/{run}/decisions/1/nodes/", None, READ),
    ("GET", "runs/{run}/decisions/1/nodes/node-1/", None, READ),
    ("GET", "runs/{run}/decisions/1/order/?of=job&first=a&second=b", None, READ),
    ("GET", "runs/{run}/state/", None, READ),
    ("GET", "runs/{run}/waiting/?pod=uid-1", None, (409, 409, 404, 401)),  # no clock moves in it
    ("GET", "runs/{run}/why/?pod=uid-1", None, (409, 409, 404, 401)),  # it has a node
    ("GET", "runs/{run}/over-time/", None, READ),
    ("GET", "runs/{run}/answer/", None, READ),
    ("GET", "runs/{run}/came-true/", None, (409, 409, 404, 401)),  # no later reading of a cluster
    ("GET", "runs/{run}/optimum/", None, READ),
    ("DELETE", "runs/{run}/optimum/", None, (204, 403, 404, 401)),
    ("GET", "runs/{run}/card-shapes/", None, READ),
    ("GET", "runs/{run}/cards/", None, (404, 404, 404, 401)),  # HAMi takes no part in it
    ("GET", "runs/{run}/timeline/", None, READ),
    ("GET", "runs/{run}/stops/?after=0", None, READ),
    ("GET", "compare/?a={run}&b={run}", None, (400, 400, 404, 401)),  # a run is not compared with itself
    ("GET", "compare/answer/?a={run}&b={run}", None, (400, 400, 404, 401)),
    ("POST", "compare/alone/", {"a": "{run}", "b": "{run}"}, (409, 403, 404, 401)),
]


@pytest.fixture
def run(alice: Any) -> Run:
    """A finished run of alice's, with its scenario and snapshot."""
    made = new_run(alice, pods=5)
    execute_run(made.pk)
    # What scripts the run is no configuration that the real engine takes.
    Scenario.objects.update(config=None)
    # The newest release cannot be upgraded. What is kept of a snapshot is kept under the hash of its content.
    Snapshot.objects.update(server_versions=["v1.36.1"], content_hash="of 1.36.1")
    return made


def ask(client: APIClient, method: str, address: str, body: Any, run: Run) -> Any:
    numbers = {"snapshot": run.snapshot_id, "scenario": run.scenario_id, "run": run.pk}
    if "{cluster}" in address:
        numbers["cluster"] = Cluster.objects.create(name="prod", address="https://x", sealed=b"x").pk
    if "{sweep}" in address:
        scenario = Scenario.objects.get(pk=run.scenario_id)
        numbers["sweep"] = start_sweep(run.created_by, scenario, [SEEDS]).pk
    url = "/api/v1/" + address.format(**numbers)
    sent = b"" if body is None else json.dumps(body).encode()
    if body == "cluster":
        sent = small_cluster()
    for name, number in numbers.items():
        sent = sent.replace(b'"{%s}"' % name.encode(), str(number).encode())
    headers = {"If-Match": "*"}
    return client.generic(method, url, sent, content_type="application/json", headers=headers)


@pytest.mark.parametrize("who", PEOPLE)
def test_each_person_gets_what_their_role_allows(who: str, run: Run, request: Any) -> None:
    client = request.getfixturevalue(f"as_{who}")
    wrong = {}
    for method, address, body, answers in EXPECTED:
        with transaction.atomic():
            answer = ask(client, method, address, body, run)
            transaction.set_rollback(True)
        if answer.status_code != answers[PEOPLE.index(who)] or not is_told_as_every_problem(answer):
            wrong[f"{method} {address}"] = (answer.status_code, getattr(answer, "content", b""))
    assert wrong == {}


def is_told_as_every_problem(answer: Any) -> bool:
    """Whether an answer that refuses has the form of all; True of others."""
    if answer.status_code < 400:
        return True
    told = answer.json()
    return (answer["Content-Type"], set(told), told.get("status")) == (
        "application/problem+json",
        {"title", "status", "detail", "errors"},
        answer.status_code,
    )


def test_the_table_above_holds_every_address_and_method() -> None:
    served = set()
    for pattern in urlpatterns:
        if isinstance(pattern, URLPattern) and pattern.name:
            view = pattern.callback.cls
            served |= {(name.upper(), pattern.name) for name in view.http_method_names if hasattr(view, name)}
    served = {(method, name) for method, name in served if method not in ("OPTIONS", "HEAD")}
    tested = set()
    for method, address, _, _ in EXPECTED:
        path = address.partition("?")[0].format(snapshot=1, scenario=1, run=1, sweep=1, cluster=1)
        name = next(p.name for p in urlpatterns if p.resolve(path))
        tested.add((method, name))
    assert tested == served


def test_an_outsider_sees_empty_lists(as_charlie: Any, run: Run) -> None:
    for name in ("snapshots", "scenarios", "runs"):
        assert as_charlie.get(f"/api/v1/{name}/").json() == {"results": [], "next": None}


def test_an_outsider_cannot_tell_what_is_there_from_what_is_not(as_charlie: Any, run: Run) -> None:
    there = as_charlie.get(f"/api/v1/runs/{run.pk}/")
    nowhere = as_charlie.get("/api/v1/runs/987654/")
    assert there.json() == nowhere.json()


@pytest.mark.parametrize("kind", ["snapshots", "scenarios", "runs"])
def test_operators_delete_only_what_is_theirs_and_administrators_anything(
    kind: str, as_alice: Any, as_dora: Any, run: Run
) -> None:
    number = {"snapshots": run.snapshot_id, "scenarios": run.scenario_id, "runs": run.pk}[kind]
    for model in (Snapshot, Scenario, Run):
        model.objects.update(created_by=None)
    url = f"/api/v1/{kind}/{number}/?cascade=true"
    assert as_alice.delete(url).status_code == 403
    assert as_dora.delete(url).status_code == 204


@pytest.mark.parametrize("kind", ["snapshots", "scenarios"])
def test_no_cascade_takes_what_others_made(
    kind: str, as_alice: Any, as_dora: Any, bob: Any, run: Run
) -> None:
    Run.objects.filter(pk=run.pk).update(created_by=bob, pinned=True)
    number = {"snapshots": run.snapshot_id, "scenarios": run.scenario_id}[kind]
    refused = as_alice.delete(f"/api/v1/{kind}/{number}/?cascade=true")
    assert refused.status_code == 403
    assert refused.json()["errors"] == [{"object": "1 run of bob", "field": "", "message": "depends on it"}]
    assert Run.objects.filter(pk=run.pk).exists()
    assert as_alice.delete(f"/api/v1/{kind}/{number}/").status_code == 409
    assert as_dora.delete(f"/api/v1/{kind}/{number}/?cascade=true").status_code == 204


def test_a_token_signs_in(alice: Any, as_nobody: APIClient, run: Run) -> None:
    _, plain = create_token(alice, "script")
    headers = {"Authorization": f"Bearer {plain}"}
    assert as_nobody.get(f"/api/v1/runs/{run.pk}/", headers=headers).status_code == 200
    assert as_nobody.delete(f"/api/v1/runs/{run.pk}/", headers=headers).status_code == 204


def test_a_token_is_enough_without_csrf(alice: Any, run: Run) -> None:
    client = APIClient(enforce_csrf_checks=True)
    headers = {"Authorization": f"Bearer {create_token(alice, 'script')[1]}"}
    assert client.delete(f"/api/v1/runs/{run.pk}/", headers=headers).status_code == 204


@pytest.mark.parametrize("header", ["Bearer", "Bearer nonsense", "Bearer \xe4", "Basic YWxpY2U6eA==", "x"])
def test_a_wrong_token_is_401_and_says_how_to_sign_in(as_nobody: APIClient, header: str) -> None:
    answer = as_nobody.get("/api/v1/runs/", headers={"Authorization": header})
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert answer["Content-Type"] == "application/problem+json"


def test_a_session_cannot_change_anything_without_its_csrf_token(alice: Any, run: Run) -> None:
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(alice)
    url = f"/api/v1/runs/{run.pk}/"
    refused = client.delete(url)
    assert refused.status_code == 403
    assert "CSRF" in refused.json()["detail"]
    client.cookies["sandtable_csrf"] = token = "a" * 32
    assert client.delete(url, headers={"X-CSRFToken": token}).status_code == 204


def test_a_user_who_was_deactivated_is_nobody(alice: Any, as_alice: Any, run: Run) -> None:
    _, plain = create_token(alice, "script")
    alice.is_active = False
    alice.save()
    assert as_alice.get("/api/v1/runs/").status_code == 401
    answer = APIClient().get("/api/v1/runs/", headers={"Authorization": f"Bearer {plain}"})
    assert answer.status_code == 401
