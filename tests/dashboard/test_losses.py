"""Work that kills its workers again and again ends with a sentence, unless it gets on in between."""

from typing import Any

import pytest

from dashboard.models import Snapshot, Upload
from dashboard.services.background import importing, recording
from dashboard.services.background.leases import machine
from dashboard.services.background.lost_work import LOSS_LIMIT
from dashboard.services.background.reaping import reap
from dashboard.services.workspace.snapshots import begin_import
from dashboard.shapes.runs import RunProgress
from tests.dashboard.rows import new_run, small_cluster
from tests.fakes import FakeSimulation

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("fake_engine")]

DEAD = f"{machine()}:{2**22 + 1}:1:x"


@pytest.fixture(autouse=True)
def no_broker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)


def test_a_run_ends_after_so_many_lost_workers(alice: Any) -> None:
    run = new_run(alice)
    for lost in range(LOSS_LIMIT):
        run.refresh_from_db()
        assert (run.status, run.losses) == ("queued", lost)
        assert recording.claim(run.pk, DEAD)
        reap()
    run.refresh_from_db()
    assert (run.status, run.owner) == ("failed", "")
    assert "given up after 5 workers in a row" in run.error
    assert run.finished_at


def test_a_loss_counts_too_where_a_second_message_finds_it(alice: Any) -> None:
    run = new_run(alice)
    while recording.claim(run.pk, DEAD):
        pass
    run.refresh_from_db()
    assert (run.status, run.losses) == ("failed", LOSS_LIMIT)


def test_stored_decisions_start_the_count_anew(alice: Any) -> None:
    run = new_run(alice, pods=30)
    decisions = list(FakeSimulation(run))
    for number in range(LOSS_LIMIT + 2):
        lease = recording.claim(run.pk, DEAD)
        assert lease is not None
        progress: RunProgress = {"stage": "deciding", "pending": 30, "placed": 0}
        recording.record_start(lease, progress, base=b"x")
        recording.append_chunk(lease, number + 1, decisions[3 * number : 3 * number + 3])
        reap()
    run.refresh_from_db()
    assert (run.status, run.losses) == ("queued", 1)


def test_an_import_ends_after_so_many_lost_workers(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = begin_import(alice, "prod", [("cluster.json", small_cluster())])
    monkeypatch.setattr(importing, "new_owner", lambda: DEAD)
    monkeypatch.setattr(importing, "_import", lambda row, pk: None)
    for _ in range(LOSS_LIMIT):
        assert Snapshot.objects.get(pk=snapshot.pk).status == "importing"
        importing.import_uploads(snapshot.pk)
        reap()
    snapshot.refresh_from_db()
    assert (snapshot.status, snapshot.owner) == ("failed", "")
    assert "given up after 5 workers in a row" in snapshot.problems[0]["message"]
    assert not Upload.objects.exists()
