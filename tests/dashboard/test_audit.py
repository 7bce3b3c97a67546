"""The audit log: what is noted of whom, what never is, who reads it, and when it goes."""

import csv
import io
import json
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from dashboard.accounts.links import create_link
from dashboard.accounts.tokens import create_token
from dashboard.models import AuditEntry
from dashboard.services.background.retention import prune_runs
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.clusters import begin_due_readings
from tests.dashboard.rows import new_run
from tests.fixtures.people import password_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("fake_engine")]


def noted() -> list[tuple[str, str, str]]:
    """Who did what to which thing, oldest first."""
    return [(one.who, one.action, one.thing) for one in reversed(AuditEntry.objects.all())]


def of(person: Any) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {create_token(person, 'tests')[1]}")
    return client


@pytest.fixture
def admin(dora: Any) -> Client:
    client = Client()
    client.force_login(dora)
    return client


def test_signing_in_and_out_is_noted_with_its_way_and_address(client: Client, bob: Any) -> None:
    client.post("/accounts/sign-in/", {"username": "bob", "password": password_of("bob")})
    client.post("/accounts/sign-out/")
    client.post(f"/accounts/link/{create_link(bob)}/")
    assert noted() == [("bob", "signed in", "bob"), ("bob", "signed out", "bob"), ("bob", "signed in", "bob")]
    ways = [one.details.get("way") for one in AuditEntry.objects.filter(action="signed in")]
    assert ways == ["link", "password"]
    assert {one.address for one in AuditEntry.objects.all()} == {"127.0.0.1"}


def test_what_was_typed_at_a_failed_sign_in_is_not_kept(client: Client, bob: Any) -> None:
    for name in ("bob", "my secret password"):
        client.post("/accounts/sign-in/", {"username": name, "password": "also a secret"})
    assert noted() == [("", "sign-in failed", "bob"), ("", "sign-in failed", "an unknown name")]
    assert "secret" not in json.dumps([one.details for one in AuditEntry.objects.all()])
    for _ in range(4):
        client.post("/accounts/sign-in/", {"username": "bob", "password": "wrong"})
    assert ("", "sign-in locked", "bob") in noted()


def test_changes_of_users_and_tokens_are_noted_without_the_secrets(admin: Client, bob: Any) -> None:
    link = admin.post("/accounts/users/", {"name": "erin", "role": "viewer"}).context["link"]
    admin.post(f"/accounts/users/{bob.pk}/", {"role": "operator", "active": "on"})
    plain = admin.post("/accounts/tokens/", {"name": "nightly"}).context["plain"]
    admin.post(f"/accounts/users/{bob.pk}/", {"role": "nonsense"})
    assert noted() == [
        ("dora", "user invited", "erin"),
        ("dora", "user changed", "bob"),
        ("dora", "token created", "nightly of dora"),
    ]
    changed = AuditEntry.objects.get(action="user changed")
    assert changed.details == {"role": "operator", "active": True}
    kept = json.dumps([[one.thing, one.details] for one in AuditEntry.objects.all()])
    assert plain not in kept
    assert link.rstrip("/").rpartition("/")[2] not in kept


def test_who_asks_by_a_token_is_known_and_a_refused_deed_is_not_noted(alice: Any, bob: Any) -> None:
    run = new_run(alice)
    assert noted() == []  # nobody asked: rows of a test
    assert of(bob).delete(f"/api/v1/runs/{run.pk}/").status_code == 403
    assert of(alice).post(f"/api/v1/runs/{run.pk}/cancel/").status_code == 202
    assert of(alice).post(f"/api/v1/runs/{run.pk}/cancel/").status_code == 409
    assert of(alice).delete(f"/api/v1/snapshots/{run.snapshot_id}/?cascade=true").status_code == 204
    assert [(who, action) for who, action, _ in noted()] == [
        ("alice", "run cancelled"),
        ("alice", "snapshot deleted"),
    ]


def test_what_sandtable_does_by_itself_is_nobodys_deed_and_a_command_is_the_servers() -> None:
    begin_due_readings(timezone.now())
    prune_runs()
    note("run deleted", "run 1")
    assert noted() == []
    call_command("add_user", "frank", role="viewer")
    call_command("sign_in_link", "frank")
    assert noted() == [("", "user invited", "frank"), ("", "sign-in link created", "frank")]


def test_entries_are_neither_changed_nor_deleted_but_by_age(admin: Client, settings: Any) -> None:
    admin.post("/accounts/tokens/", {"name": "nightly"})
    entry = AuditEntry.objects.get()
    for change in (
        entry.save,
        entry.delete,
        AuditEntry.objects.all().delete,
        lambda: AuditEntry.objects.update(who="eve"),
    ):
        with pytest.raises(TypeError):
            change()
    with pytest.raises(ValueError, match="no action"):
        note("something else")
    old = AuditEntry.objects.create(action="signed in", at=timezone.now() - timedelta(days=31))
    settings.AUDIT_DAYS = 0
    prune_runs()
    assert AuditEntry.objects.count() == 2
    settings.AUDIT_DAYS = 30
    prune_runs()
    assert list(AuditEntry.objects.values_list("pk", flat=True)) == [entry.pk]
    assert old.pk != entry.pk


def test_rest_filters_and_writes_files(dora: Any) -> None:
    long_ago = timezone.now() - timedelta(days=9)
    AuditEntry.objects.create(who="=eve", action="run deleted", thing="run 7", details={"n": 1}, at=long_ago)
    AuditEntry.objects.create(who="bob", action="run begun", thing="run 8", address="10.0.0.9")
    client, address = of(dora), "/api/v1/audit/"
    assert [one["thing"] for one in client.get(address).json()["results"]] == ["run 8", "run 7"]
    page = client.get(address, {"limit": 1}).json()
    assert client.get(page["next"]).json()["results"][0]["thing"] == "run 7"
    day = (timezone.now() - timedelta(days=1)).isoformat()
    for query, things in (
        ({"who": "bob"}, ["run 8"]),
        ({"action": "run deleted"}, ["run 7"]),
        ({"since": day}, ["run 8"]),
        ({"until": day}, ["run 7"]),
    ):
        assert [one["thing"] for one in client.get(address, query).json()["results"]] == things
    assert client.get(address, {"since": "yesterday"}).status_code == 400
    lines = client.get(address, headers={"accept": "application/x-ndjson"}).getvalue().splitlines()
    assert [json.loads(line)["details"] for line in lines] == [{}, {"n": 1}]
    text = client.get(address, {"who": "=eve"}, headers={"accept": "text/csv"}).getvalue().decode()
    (row,) = csv.DictReader(io.StringIO(text))
    assert (row["who"], row["thing"], row["details"]) == ("'=eve", "run 7", '{"n":1}')


def test_the_page_is_for_administrators_and_shows_what_is_asked_for(
    admin: Client, client: Client, alice: Any
) -> None:
    client.force_login(alice)
    assert client.get("/accounts/audit/").status_code == 404
    admin.post("/accounts/tokens/", {"name": "nightly"})
    page = admin.get("/accounts/audit/", {"who": "dora", "action": "token created", "since": "2020-01-01"})
    assert [row.who for row in page.context["rows"]] == ["dora"]
    assert "The last action was “token created: nightly of dora” by dora, ".encode() in page.content
    assert admin.get("/accounts/audit/", {"until": "2020-01-01"}).context["rows"] == []
    assert admin.get("/accounts/audit/", {"since": "x"}).status_code == 422
    first = AuditEntry.objects.order_by("pk").first()
    assert first is not None
    assert admin.get("/accounts/audit/", {"before": str(first.pk)}).context["rows"] == []
    file = admin.get("/accounts/audit/", {"as": "jsonl", "who": "dora"})
    assert json.loads(file.getvalue())["action"] == "token created"
