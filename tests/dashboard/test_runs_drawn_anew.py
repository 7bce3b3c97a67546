"""The list of runs says how those are that went on when it was drawn; nothing else of it is drawn anew."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from tests.dashboard.rows import listing, node, pod

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(alice: Any) -> list[Run]:
    """Two runs that no worker has taken."""
    snapshot = import_snapshot(alice, "prod", [("cluster.json", listing(node("node-1"), pod("cart-1")))])
    names = ("first", "second")
    return [start_run(alice, create_scenario(alice, {"name": name, "snapshot": snapshot})) for name in names]


def asked_again(client: Client, *runs: int) -> str:
    """What the list's own question about its runs is answered with."""
    headers = {"HX-Request": "true", "HX-Target": "going"}
    return client.get("/runs/", {"going": ",".join(map(str, runs))}, headers=headers).text


def test_only_rows_of_runs_that_went_on_are_sent_until_they_have_ended(
    client: Client, alice: Any, waiting: list[Run]
) -> None:
    client.force_login(alice)
    first, second = waiting
    assert f'hx-select-oob="#run-{second.pk},#run-{first.pk}"' in client.get("/runs/").text
    execute_run(first.pk)
    answer = asked_again(client, first.pk, second.pk)
    assert '<span class="status finished">' in answer
    assert f'hx-select-oob="#run-{second.pk}"' in answer
    assert f'<tr id="run-{first.pk}">' in answer
    execute_run(second.pk)
    answer = asked_again(client, second.pk)
    assert f'<tr id="run-{first.pk}">' not in answer
    assert "hx-get" not in answer
    assert "hx-select-oob" not in client.get("/runs/").text


def test_a_run_that_was_deleted_meanwhile_is_said_to_be(
    client: Client, alice: Any, waiting: list[Run]
) -> None:
    client.force_login(alice)
    gone = waiting[0].pk
    Run.objects.filter(pk=gone).delete()
    assert f"run {gone} was deleted" in asked_again(client, gone, waiting[1].pk)


def test_what_names_no_run_is_passed_over(client: Client, alice: Any) -> None:
    client.force_login(alice)
    headers = {"HX-Request": "true", "HX-Target": "going"}
    assert client.get("/runs/", {"going": "x,,-1,9999999999999999999"}, headers=headers).status_code == 200
