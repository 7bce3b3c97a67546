"""Readings that nobody needs are put away as deltas and come back as they were, whatever happens between."""

from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dashboard.models import Cluster, Delta, Node, Pod, Question, Snapshot
from dashboard.queries.clusters import cluster_seen
from dashboard.services.background import importing, putting_away
from dashboard.services.background.importing import import_uploads
from dashboard.services.background.leases import machine
from dashboard.services.background.lost_work import LOSS_LIMIT
from dashboard.services.background.putting_away import put_away_before, remove_rows_of_put_away
from dashboard.services.background.reaping import reap
from dashboard.services.workspace import clusters
from dashboard.services.workspace.put_away import ask_back
from dashboard.services.workspace.snapshots import cancel_import, delete_snapshot, import_snapshot
from tests.builders import node, pod
from tests.conftest import CHANCE
from tests.dashboard.rows import listing, new_scenario
from tests.dashboard.served_here import SERVER, served_here
from tests.dashboard.test_command_line import ask

pytestmark = pytest.mark.django_db

DEAD = f"{machine()}:{2**22 + 1}:1:x"
HOURS_AGO = timezone.now() - timedelta(hours=30)
Read = Callable[..., Snapshot]


@pytest.fixture(autouse=True)
def _no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    monkeypatch.setattr(putting_away, "ROWS_STAY", timedelta(0))


@pytest.fixture
def cluster() -> Cluster:
    return Cluster.objects.create(name="prod", context="c", address="https://x", in_cluster=True)


@pytest.fixture
def read(cluster: Cluster) -> Read:
    """Reads the cluster as it is, an hour after the last reading and more than an hour ago."""

    def reading(*names: str, moved: str = "") -> Snapshot:
        pods = [pod(name, on="n2" if name in moved else "n1") for name in names]
        found = import_snapshot(None, "r", [("", listing(node("n1"), node("n2"), *pods))])
        found.cluster, found.created_at = cluster, HOURS_AGO + timedelta(hours=Snapshot.objects.count())
        found.save()
        return found

    return reading


def put_away(reading: Snapshot, newer: Snapshot) -> Snapshot:
    assert put_away_before(newer.pk) > 0
    assert remove_rows_of_put_away() > 0
    reading.refresh_from_db()
    assert (reading.status, bytes(reading.content), rows_of(reading)) == ("away", b"", [])
    return reading


def rows_of(reading: Snapshot) -> list[Any]:
    rows = [*Node.objects.filter(snapshot=reading), *Pod.objects.filter(snapshot=reading)]
    return [{**vars(row), "_state": None, "id": None} for row in rows]


def told(reading: Snapshot) -> tuple[Any, ...]:
    return reading.content_hash, reading.list_json(), rows_of(reading)


def chosen_of(number: int) -> str:
    return "".join(letter for place, letter in enumerate("abcdef") if number >> place & 1)


_steps = st.lists(
    st.tuples(
        st.sampled_from(["read", "read", "away", "away", "rows", "back", "delete"]), st.integers(0, 63)
    ),
    min_size=4,
    max_size=14,
)


@settings(
    max_examples=20, deadline=None, suppress_health_check=[*CHANCE, HealthCheck.function_scoped_fixture]
)
@given(_steps)
@example([("read", 11), ("read", 53), ("away", 1), ("away", 2), ("rows", 0), ("delete", 2), ("delete", 2)])
@example([("read", 11), ("read", 53), ("away", 0), ("away", 1), ("away", 2), ("delete", 3), ("delete", 1)])
def test_no_reading_is_lost_or_changed_whatever_is_done(
    read: Read, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int]]
) -> None:
    monkeypatch.setattr(putting_away, "STAYS_WHOLE", timedelta(0))
    with suppress(ZeroDivisionError), transaction.atomic():
        known: dict[int, tuple[Any, ...]] = {}
        for step, number in [("read", 21), ("read", 38), *steps, ("back all", 0)]:
            chosen = sorted(known)[number % len(known)] if known else 0
            if step == "read":
                new = read(*chosen_of(number), moved=chosen_of(7 * number))
                known[new.pk] = told(new)
            elif step == "away" and chosen:
                putting_away._put_away(chosen)
            elif step == "rows":
                remove_rows_of_put_away()
            elif step == "delete" and chosen:
                delete_snapshot(Snapshot.objects.get(pk=chosen))
                del known[chosen]
            for reading in Snapshot.objects.filter(pk__in=[chosen] if step == "back" else known):
                if "back" in step:
                    ask_back(reading)
                    import_uploads(reading.pk)
                    reading.refresh_from_db()
                assert reading.list_json() == known[reading.pk][1]
                assert reading.status != "ready" or told(reading) == known[reading.pk]
            statuses = dict(Snapshot.objects.values_list("pk", "status"))
            assert statuses.keys() == known.keys()
            assert not statuses or statuses[max(statuses)] in ("ready", "returning"), "the newest is whole"
        assert set(statuses.values()) <= {"ready"}
        assert not Delta.objects.exists()
        raise ZeroDivisionError  # all of it is rolled back


def test_what_anybody_needs_stays_whole(read: Read, alice: Any) -> None:
    used, asked, old_answer, wanted, newest = (read("a", str(n)) for n in range(5))
    new_scenario(alice, used)
    long_ago, now = timezone.now() - timedelta(hours=2), timezone.now()
    for reading, status, at in ((asked, "asked", long_ago), (old_answer, "answered", long_ago)):
        Question.objects.create(snapshot=reading, key=str(reading.pk), status=status, asked_at=at, used_at=at)
    Snapshot.objects.filter(pk=wanted.pk).update(needed_at=now)
    assert put_away_before(newest.pk) == 1
    assert [one.pk for one in Snapshot.objects.filter(status="away")] == [old_answer.pk]
    ask_back(old_answer)
    import_uploads(old_answer.pk)
    Question.objects.filter(snapshot=asked).update(status="answered", used_at=now)
    assert put_away_before(newest.pk) == 0, "what was asked about, or brought back just now"
    Snapshot.objects.filter(pk=newest.pk).update(created_at=now)
    later = read("a", "late")
    assert put_away_before(later.pk) == 0, "what was read just now"


def test_who_had_begun_to_read_rows_still_finds_them(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(putting_away, "ROWS_STAY", timedelta(minutes=1))
    first, newest = read("a"), read("b")
    assert put_away_before(newest.pk) == 1
    assert remove_rows_of_put_away() == 0
    assert Pod.objects.filter(snapshot=first).exists()


def test_what_came_to_be_used_meanwhile_is_brought_back(read: Read, alice: Any) -> None:
    first, newest = read("a"), read("b")
    new_scenario(alice, put_away(first, newest))
    assert reap() == 1
    import_uploads(first.pk)
    first.refresh_from_db()
    assert first.status == "ready"
    assert put_away_before(newest.pk) == 0


def test_a_return_may_be_ended_or_lose_its_worker_and_nothing_half_is_shown(
    read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = read("a", "b")
    before, first = told(first), put_away(first, read("a"))
    stored = importing.insert

    def cancelled(snapshot_id: int, batch: Any) -> None:
        stored(snapshot_id, batch)
        assert cancel_import(first).status == "away"

    monkeypatch.setattr(importing, "insert", cancelled)
    ask_back(first)
    import_uploads(first.pk)
    first.refresh_from_db()
    assert (first.status, first.owner, first.progress, bytes(first.content)) == ("away", "", {}, b"")
    assert rows_of(first), "of the part that was stored"
    assert remove_rows_of_put_away() == 1
    assert rows_of(first) == []
    monkeypatch.setattr(importing, "insert", stored)
    ask_back(first)
    Snapshot.objects.filter(pk=first.pk).update(owner=DEAD, heartbeat_at=timezone.now())
    assert reap() == 1, "the worker was killed"
    import_uploads(first.pk)
    first.refresh_from_db()
    assert (first.status, told(first)) == ("ready", before)


def test_a_reading_that_costs_workers_again_and_again_stays_away_and_says_so(
    read: Read, client: Client, alice: Any
) -> None:
    first = put_away(read("a"), read("b"))
    ask_back(first)
    for _ in range(LOSS_LIMIT):
        Snapshot.objects.filter(pk=first.pk).update(owner=DEAD, heartbeat_at=timezone.now())
        reap()
    first.refresh_from_db()
    assert (first.status, first.owner) == ("away", "")
    client.force_login(alice)
    page = client.get(f"/snapshots/{first.pk}/").content.decode()
    assert "given up after 5 workers in a row" in page
    first.refresh_from_db()
    assert first.status == "away", "not tried again by itself"
    client.get(f"/snapshots/{first.pk}/?again=1")
    import_uploads(first.pk)
    assert client.get(f"/snapshots/{first.pk}/").status_code == 200


def test_rows_that_were_being_removed_by_a_lost_worker_are_removed(read: Read) -> None:
    first, newest = read("a"), read("b")
    put_away_before(newest.pk)
    Snapshot.objects.filter(pk=first.pk).update(owner=DEAD, heartbeat_at=timezone.now())
    assert remove_rows_of_put_away() == 0
    reap()
    first.refresh_from_db()
    assert (first.status, first.owner, rows_of(first)) == ("away", "", [])


def test_what_cannot_be_restored_is_told_and_never_shown_as_something_else(read: Read) -> None:
    first, newest = read("a"), read("b")
    Snapshot.objects.filter(pk=first.pk).update(content_hash="0" * 64)
    assert put_away_before(newest.pk) == 0, "a delta would not make what the hash says"
    Snapshot.objects.filter(pk=first.pk).update(content_hash=first.content_hash)
    put_away(first, newest)
    Snapshot.objects.filter(pk=first.pk).update(content_hash="0" * 64)
    ask_back(first)
    import_uploads(first.pk)
    first.refresh_from_db()
    assert (first.status, rows_of(first)) == ("away", [])
    assert "It could not be brought back: what is stored of" in first.problems[0]["message"]


def test_a_reading_that_others_are_told_from_is_not_deleted_by_a_server_that_knows_no_deltas(
    read: Read,
) -> None:
    first, newest = read("a"), read("b")
    put_away(first, newest)
    for reading in (first, newest):
        with suppress(ZeroDivisionError), transaction.atomic(), connection.cursor() as cursor:
            for table, column in (("node", "snapshot_id"), ("pod", "snapshot_id"), ("snapshot", "id")):
                cursor.execute(f"DELETE FROM dashboard_{table} WHERE {column} = %s", [reading.pk])
            with pytest.raises(IntegrityError):
                connection.check_constraints()
            raise ZeroDivisionError  # all of it is rolled back
    assert first.list_json()


def test_readings_that_are_put_away_count_as_kept_and_the_oldest_go(read: Read, cluster: Cluster) -> None:
    readings = [read("a", str(number)) for number in range(5)]
    put_away(readings[0], readings[-1])
    clusters.schedule_cluster(cluster, every=60, keep=3)
    assert clusters.begin_due_readings(timezone.now()) == 1
    left = cluster.snapshots.exclude(status="importing").order_by("pk").values_list("pk", "status")
    assert list(left) == [(one.pk, "away") for one in readings[2:4]] + [(readings[4].pk, "ready")]


def test_pages_bring_a_reading_back_and_go_on(
    read: Read, cluster: Cluster, client: Client, alice: Any
) -> None:
    first, newest = read("a"), read("b")
    put_away(first, newest)
    client.force_login(alice)
    size = first.delta.size
    cards = client.get("/snapshots/?readings=all").content.decode()
    assert f"Stored as a delta of {size}\xa0bytes" in cards
    page = client.get(f"/clusters/{cluster.pk}/").content.decode()
    assert f"1 reading that nothing needs is stored as a delta, {size}\xa0bytes in all." in page
    assert [one.state for one in cluster_seen(alice, cluster, timezone.now()).readings] == ["whole", "whole"]
    first.refresh_from_db()
    assert first.status == "away", "lists bring nothing back"
    address = f"/snapshots/{first.pk}/pods/"
    answer = client.get(address)
    assert (answer.status_code, "is being brought back: waiting for a worker" in answer.content.decode()) == (
        202, True,
    )  # fmt: skip
    poll = {"HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "progress-now"}
    assert 'id="progress-now"' in client.get(f"/snapshots/{first.pk}/", **poll).content.decode()
    ended = client.post(f"/snapshots/{first.pk}/cancel/")
    assert (ended.status_code, ended.headers["Location"]) == (302, "/snapshots/")
    polled = client.get(f"/snapshots/{first.pk}/", **poll).content.decode()
    first.refresh_from_db()
    assert ("Bring it back" in polled, first.status) == (True, "away"), "a page that waits asks no more"
    drawer = client.get(f"/snapshots/{first.pk}/pods/uid-default-a/", HTTP_HX_REQUEST="true")
    assert drawer.headers["HX-Refresh"] == "true"
    made = client.post(reverse("scenario-create"), {"snapshot": first.pk}, follow=True)
    assert "Not done yet: r is being brought back. Do it again then." in made.content.decode()
    import_uploads(first.pk)
    assert client.get(f"/snapshots/{first.pk}/", **poll).headers["HX-Refresh"] == "true"
    assert "default/a" in client.get(address).content.decode().replace("<wbr>", "")


def test_rest_tells_what_is_put_away_and_brings_it_back(read: Read, client: Client, alice: Any) -> None:
    first, newest = read("a"), read("b")
    put_away(first, newest)
    client.force_login(alice)
    address = f"/api/v1/snapshots/{first.pk}/"
    listed = {one["id"]: one["delta_bytes"] for one in client.get("/api/v1/snapshots/").json()["results"]}
    assert listed == {first.pk: first.delta.size, newest.pk: None}
    found = client.get(address).json()
    assert (found["status"], found["counts"], found["pending"]) == ("away", {"Node": 2, "Pod": 1}, 0)
    assert client.get(address + "findings/").status_code == 200
    first.refresh_from_db()
    assert first.status == "away"
    for part in ("pods/", "export/", "why/", "headroom/"):
        answer = client.get(address + part)
        assert (answer.status_code, answer.headers["Retry-After"]) == (409, "1"), part
        place = {"object": f"snapshot {first.pk}", "field": "status", "message": "returning"}
        assert answer.json()["errors"] == [place]
    body = {"snapshot": first.pk, "name": "x"}
    answer = client.post("/api/v1/scenarios/", body, content_type="application/json")
    assert (answer.status_code, answer.headers["Retry-After"]) == (409, "1")
    assert client.post(address + "cancel/").json()["status"] == "away"
    client.get(address + "pods/")
    assert client.get(address + "progress/").json()["status"] == "returning"
    import_uploads(first.pk)
    assert [one["name"] for one in client.get(address + "pods/").json()["results"]] == ["a"]
    again = put_away_before(newest.pk), client.get(address).json()["delta_bytes"]
    assert again == (0, None)
    Snapshot.objects.filter(pk=first.pk).update(needed_at=None)
    put_away(first, newest)
    client.force_login(alice)
    assert client.delete(address).status_code == 403, "somebody else made it"


def test_a_command_waits_until_the_reading_is_back(
    read: Read, client: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    away = put_away(read("a"), read("b"))
    client.force_login(alice)
    served_here(monkeypatch, client)
    pauses: list[float] = []

    def bring_back(seconds: float) -> None:
        pauses.append(seconds)
        import_uploads(away.pk)

    monkeypatch.setattr("dashboard.command_line.server.time.sleep", bring_back)
    found = ask("export", str(away.pk), *SERVER)
    assert (found.exit_code, pauses) == (0, [1.0]), found.output
    assert '"name":"a"' in found.stdout
