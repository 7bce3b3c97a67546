"""The tests run on the database they were started for, and both databases keep and sort things alike."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from dashboard.collation import other_columns
from dashboard.models import Node, Run, Scenario
from dashboard.services.background import recording
from dashboard.services.background.leases import new_owner
from dashboard.services.workspace.snapshots import import_snapshot
from scheduler_core.objects.problems import BadInput
from tests.dashboard.processes import START_SECONDS, Processes, wait_until
from tests.dashboard.rows import listing, new_run, new_scenario, node, pod
from tests.fixtures.database import WANTED, only_postgresql, whichever_database
from tests.fixtures.stack import Stack

NAMES = ["a", "a-b", "a.b", "aa", "b", "b-10", "b-9", "ab"]


def other_connections() -> set[int]:
    """The server processes that serve this database to anybody but this test."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
        return {pid for (pid,) in cursor.fetchall()}


def open_files(pid: int) -> set[str]:
    """The files that a process, or one that it started, holds open."""
    session = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[3]
    found: set[str] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if (folder / "stat").read_text().rpartition(")")[2].split()[3] == session:
                found.update(files_of(folder))
    return found


def files_of(process: Path) -> Iterator[str]:
    """The files of one process; one that is closed meanwhile hides no other."""
    for file in (process / "fd").iterdir():
        with suppress(OSError):
            yield str(file.readlink())


def test_the_tests_use_the_database_that_was_asked_for(db: None) -> None:
    assert connection.vendor == WANTED


@pytest.mark.stack
@pytest.mark.django_db(transaction=True)
def test_a_worker_that_tests_start_uses_the_same_database(processes: Processes, alice: Any) -> None:
    run = new_run(alice, pods=2000, seconds=0.01)
    before = other_connections() if WANTED == "postgresql" else set()
    worker = processes.worker()
    wait_until(lambda: Run.objects.get(pk=run.pk).decisions, START_SECONDS)
    if WANTED == "postgresql":
        assert other_connections() - before
    else:
        assert str(connection.settings_dict["NAME"]) in open_files(worker.pid)


def test_a_whole_stack_uses_the_database_that_was_asked_for(live_stack: Stack) -> None:
    said = live_stack.manage(
        "shell", "--no-imports", stdin="from django.db import connection as c\nprint(c.vendor)\n"
    )
    assert WANTED in said.split()
    assert (live_stack.data_folder / "sandtable.sqlite3").exists() == (WANTED == "sqlite")


def test_names_are_sorted_by_code_point(alice: Any) -> None:
    snapshot = import_snapshot(alice, "names", [("", listing(*map(node, NAMES)))])
    nodes = Node.objects.filter(snapshot=snapshot)
    assert list(nodes.order_by("name").values_list("name", flat=True)) == sorted(NAMES)
    assert nodes.filter(name__gt="a.b").count() == sum(name > "a.b" for name in NAMES)
    for name in ("B", "a"):
        Scenario.objects.create(name=name, snapshot=snapshot)
    assert list(Scenario.objects.order_by("name").values_list("name", flat=True)) == ["B", "a"]


@only_postgresql
def test_every_text_column_has_the_order_of_code_points(db: None) -> None:
    assert other_columns("default") == []


def test_documents_come_back_as_they_were_stored(alice: Any) -> None:
    document = {"zeta": 1.0, "b": {"kind": "x", "a": None}, "aa": ["\0", "é", 2**70, 1e300, True], "z": {}}
    scenario = new_scenario(alice, **document)
    kept = Scenario.objects.get(pk=scenario.pk).config
    assert json.dumps(kept) == json.dumps(document)
    assert Scenario.objects.filter(pk=scenario.pk).values_list("config", flat=True).get() == document
    Scenario.objects.filter(pk=scenario.pk).update(config=None)
    assert Scenario.objects.filter(config__isnull=True).get() == scenario


def test_long_texts_of_a_cluster_are_kept_in_the_list_and_cut_in_the_rows(alice: Any) -> None:
    odd = {"topology.kubernetes.io/zone": "z" * 300}
    replica = {
        "kind": "ReplicaSet",
        "name": "r" * 700,
        "uid": "r",
        "controller": True,
        "apiVersion": "apps/v1",
    }
    cart = pod("cart", schedulerName="s" * 300)
    cart["metadata"]["ownerReferences"] = [replica]
    objects = [node("node-1", **odd), cart]
    snapshot = import_snapshot(alice, "odd", [("", listing(*objects))])
    row = snapshot.nodes.get()
    assert row.zone == "z" * 253
    assert row.object["metadata"]["labels"] == odd
    stored = snapshot.pods.get()
    assert stored.scheduler_name == "s" * 253
    assert (len(stored.workload), stored.workload[:18]) == (600, "ReplicaSet/shop/rr")
    assert b"z" * 300 in snapshot.list_json()


@pytest.mark.parametrize("uid", ["u" * 254, "u\0"])
def test_a_uid_that_no_column_can_hold_is_refused_by_name(alice: Any, uid: str) -> None:
    cart = pod("cart")
    cart["metadata"]["uid"] = uid
    with pytest.raises(BadInput) as refused:
        import_snapshot(alice, "odd", [("", listing(cart))])
    (problem,) = refused.value.problems
    assert (problem.object, problem.field) == ("Pod shop/cart", "metadata.uid")


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_that_claim_a_run_at_once_one_gets_it(
    alice: Any, fake_engine: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.services.background.dispatch._send", lambda task, pk: True)
    run = new_run(alice, pods=3)
    workers = 8
    together = threading.Barrier(workers)
    leases: list[recording.Lease | None] = []

    def claim() -> None:
        try:
            connection.ensure_connection()
            together.wait(60)
            leases.append(recording.claim(run.pk, new_owner()))
        finally:
            connection.close()

    threads = [threading.Thread(target=claim) for _ in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    (lease,) = [lease for lease in leases if lease is not None]
    assert len(leases) == workers
    run.refresh_from_db()
    assert (run.owner, run.attempt, run.status) == (lease.owner, 1, "running")


@whichever_database
def test_a_connection_that_is_made_before_any_page_is_loaded_sorts_names() -> None:
    asked = "import django; django.setup(); from django.db import connection as c; k = c.cursor()"
    asked += "; print(k.execute(\"SELECT natural_key('a-10') > natural_key('a-9')\").fetchone()[0])"
    memory = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"}
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, env=memory)
    assert ran.stdout.strip() == "1", ran.stderr
