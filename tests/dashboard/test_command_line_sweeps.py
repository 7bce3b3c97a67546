"""`sandtable consolidate` and `sandtable sweep`: in this process and at a server, with their exit codes."""

import csv
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from django.test import Client

from dashboard.answers.answer import Answer
from dashboard.command_line.server import Server
from dashboard.models import Run, Scenario, Snapshot, Sweep
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing
from tests.dashboard.test_command_line import ask
from tests.dashboard.test_consolidating import CLUSTER
from tests.dashboard.test_sweeps import NODE, small_cluster

pytestmark = pytest.mark.django_db

SCORING = ("--vary", "NodeResourcesFit scoring=LeastAllocated, MostAllocated")
NEW_NODES = ("--vary", "edits.0.count=0,1,2")
LEAD = "NodeResourcesFit scoring = MostAllocated, how many of new = 2 leaves 1 pod without a node, today's"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a cluster, edits, and nodes of which two can be given back."""
    (tmp_path / "cluster.json").write_bytes(small_cluster())
    (tmp_path / "edits.yaml").write_text(yaml.safe_dump([NODE]))
    (tmp_path / "nodes.json").write_bytes(listing(*CLUSTER))
    (tmp_path / "full.json").write_bytes(listing(*CLUSTER[1:2], *CLUSTER[4:]))
    return tmp_path


def source(folder: Path, name: str = "cluster.json") -> list[str]:
    return ["--snapshot", str(folder / name)]


def sweep(folder: Path, *asked: str) -> Any:
    return ask("sweep", *source(folder), "--edits", str(folder / "edits.yaml"), *asked)


# -- nodes to give back --------------------------------------------------------------------------------


def test_nodes_to_give_back_are_told_with_what_they_save(folder: Path) -> None:
    prices = folder / "prices.txt"
    prices.write_text("kind=large: 1.5\r\n", "utf-8-sig")
    told = ask("consolidate", *source(folder, "nodes.json"), "--prices", str(prices))
    assert (told.exit_code, told.stderr) == (0, "")
    assert told.stdout.startswith("2 of 3 nodes can be given back, one after the other: ")
    assert "1,095.00 a month" in told.stdout
    prices.write_text("kind=larg: 1.5")
    told = ask("consolidate", *source(folder, "nodes.json"), "--prices", str(prices))
    assert "None of these nodes has the label of 1 price." in told.stdout
    told = ask("consolidate", "b", *source(folder, "nodes.json"), "--format", "json")
    found = msgspec.json.decode(told.stdout, type=Answer)
    assert (told.exit_code, found.verdict) == (1, "not")


def test_nodes_and_prices_that_are_wrong_are_refused(folder: Path) -> None:
    assert ask("consolidate", "gone", *source(folder, "nodes.json")).exit_code == 3
    told = ask("consolidate", *source(folder, "nodes.json"), "--prices", "-", input="kind=large\n")
    assert (told.exit_code, told.stdout) == (3, "")
    assert "line 1: must be label=value: price" in told.stderr


def test_a_server_is_asked_for_nodes_with_the_same_words(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[tuple[str, Any]] = []
    here = ask("consolidate", *source(folder, "nodes.json"), "--format", "json").stdout
    told = {"state": "answered", "stage": "", "fault": "", "answer": msgspec.json.decode(here)}
    monkeypatch.setattr(
        Server, "send", lambda self, path, body: heard.append((path, msgspec.json.decode(body))) or told
    )
    server = ["--server", "http://sandtable.example", "--token", "x", "--snapshot", "7"]
    there = ask("consolidate", "-l", "pool=old", *server, "--format", "json")
    assert (there.exit_code, there.stdout) == (0, here)
    assert heard == [
        (
            "snapshots/7/consolidation/",
            {"selector": "pool=old", "price_lines": "", "local_storage": False},
        )
    ]
    assert "--scheduler" in ask("consolidate", *server, "--scheduler", "kube-1.36").stderr


# -- settings ------------------------------------------------------------------------------------------


def test_settings_are_ranked_in_this_process_and_nothing_is_stored(folder: Path) -> None:
    told = sweep(folder, *SCORING, *NEW_NODES)
    assert (told.exit_code, told.stderr) == (0, "")
    assert told.stdout.startswith(LEAD)
    assert not Run.objects.exists()
    assert not Scenario.objects.exists()
    assert sweep(folder, *SCORING, "--keep-today").exit_code == 1
    assert sweep(folder, *SCORING, *NEW_NODES, "--seed", "1", "--format", "markdown").exit_code == 0


def test_settings_that_can_not_be_together_are_told_and_the_answer_is_unsure(folder: Path) -> None:
    told = sweep(folder, *SCORING, "--vary", "scheduler=kube-1.37, volcano-1.16")
    assert told.exit_code == 4
    assert "2 runs not played: NodeResourcesFit scoring is a setting of kube-scheduler" in told.stdout


def test_what_can_vary_is_listed_and_what_can_not_is_refused(folder: Path) -> None:
    listed = sweep(folder, "--list")
    assert listed.exit_code == 0
    assert "how many of new\n    path: edits.0.count\n    today: 1\n    values: any\n" in listed.stdout
    refused = {
        (): "--vary: is needed",
        ("--vary", "size=1"): "size: can't vary here",
        ("--vary", "seed"): "seed: must be NAME=VALUE",
        ("--vary", "edits.0.count=1,some"): "some: edits[0] count: must be a whole number",
    }
    for asked, said in refused.items():
        told = sweep(folder, *asked)
        assert (told.exit_code, told.stdout) == (3, "")
        assert said in told.stderr


def test_a_server_plays_a_sweep_and_keeps_it(
    folder: Path, alice: Any, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot = import_snapshot(alice, "prod", [("c.json", small_cluster())])
    monkeypatch.setattr(Server, "_sent", _asked_of(client, alice))
    server = ["--server", "http://sandtable.example", "--token", "x", "--snapshot", str(snapshot.pk)]
    edits = ["--edits", str(folder / "edits.yaml")]
    assert ask("sweep", *server, *edits, "--vary", "size=1").exit_code == 3
    assert not Scenario.objects.exists()
    told = ask("sweep", *server, *edits, *SCORING, *NEW_NODES, "--scheduler", "kube-1.37", "--keep-today")
    assert (told.exit_code, Sweep.objects.count()) == (1, 1)
    assert told.stdout.startswith(LEAD)
    assert told.stderr.startswith("Sweep ")
    assert Snapshot.objects.count() == 1
    monkeypatch.setattr(Server, "read", lambda self, path, media_type: f"{path} as {media_type}\n".encode())
    told = ask("sweep", *server, *edits, *SCORING, "--format", "csv")
    assert told.stdout == f"sweeps/{Sweep.objects.last().pk}/ as text/csv\n"


def test_its_runs_are_printed_as_csv(folder: Path) -> None:
    told = sweep(folder, *SCORING, *NEW_NODES, "--format", "csv")
    rows = list(csv.DictReader(told.stdout.splitlines()))
    assert [row["how many of new"] for row in rows] == ["0", "1", "2"] * 2
    assert [row["pods_without_node"] for row in rows] == ["3", "3", "3", "2", "2", "1"]


def _asked_of(client: Client, user: Any) -> Any:
    """Return what sends requests to this process's REST, whose runs are played before they are looked at."""
    client.force_login(user)

    def sent(
        self: Server, method: str, path: str, body: bytes | None = None, form: str = "application/json"
    ) -> Any:
        for run in Run.objects.filter(status="queued"):
            execute_run(run.pk)
        answer = client.generic(method, f"/api/v1/{path}", body or b"", content_type=form)
        assert answer.status_code < 300, answer.content
        return msgspec.json.decode(answer.content or b"{}")

    return sent
