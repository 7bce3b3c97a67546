"""The first page: under the samples stands what came with them, whatever a team makes of them."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run, Snapshot
from dashboard.services.background.execution import execute_run
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.stolen_room.sample import stolen_room_files, stolen_room_scenarios

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
    return client.get("/").text.split("Samples to try")[1].split("<aside")[0]


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


def test_runs_of_samples_are_not_denied(client: Client, alice: Any, sample: Snapshot) -> None:
    fields = next(iter(stolen_room_scenarios()))
    execute_run(start_run(alice, create_scenario(alice, {"snapshot": sample, **fields}), background=True).pk)
    client.force_login(alice)
    page = client.get("/").text
    assert "No run but those of the samples" in page
    assert "Nothing has run yet" not in page
