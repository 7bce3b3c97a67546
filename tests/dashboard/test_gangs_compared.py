"""Whose gangs start: Volcano's run and kube-scheduler's of one cluster, side by side."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.services.results.comparing import compare_runs
from dashboard.services.workspace.snapshots import import_snapshot
from samples.volcano.sample import volcano_scenarios
from tests.dashboard.rows import listing, node, pod
from tests.dashboard.volcano import finished, runs_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs(alice: Any) -> list[Run]:
    """Two gangs whose pods come in turn: under Volcano, and under kube-scheduler."""
    return runs_of(alice, "gang")


def test_a_half_placed_gang_is_told_from_one_that_starts(runs: list[Run]) -> None:
    gangs = compare_runs(*runs).differences.gangs
    ends = {row.group: (row.a.state, row.a.running, row.b.state, row.b.running) for row in gangs.rows}
    assert ends == {
        "ml/bert": ("whole", 4, "half placed", 2),
        "ml/gpt": ("waiting", 0, "half placed", 2),
    }
    assert (gangs.a["whole"], gangs.b["whole"], gangs.b["half placed"]) == (1, 0, 2)


def test_the_sentence_and_the_figures_begin_with_the_gangs(runs: list[Run]) -> None:
    volcano, kube = runs
    compared = compare_runs(volcano, kube)
    assert compared.sentence.startswith(
        "Under volcano-1.16, 1 of 2 gangs is whole; "
        "under kube-1.36, none of 2 gangs is whole and 2 are half placed. "
    )
    assert [(row["name"], row["a"], row["b"]) for row in compared.figures[:2]] == [
        ("gangs that are whole", 1, 0),
        ("gangs half placed", 0, 2),
    ]
    swapped = compare_runs(kube, volcano)
    assert swapped.sentence.startswith("Under kube-1.36, none of 2 gangs")
    assert {row.group: row.b.state for row in swapped.differences.gangs.rows}["ml/bert"] == "whole"


def test_steps_that_cannot_be_compared_are_not_shown_as_the_first_difference(
    runs: list[Run], alice: Any, client: Client
) -> None:
    client.force_login(alice)
    page = client.get(f"/compare/?a={runs[0].pk}&b={runs[1].pk}").text
    assert f"Not to be named: run {runs[0].pk} decides in sessions" in page
    assert 'data-first=""' in page
    assert 'id="gangs"' in page
    file = client.get(f"/compare/?a={runs[0].pk}&b={runs[1].pk}&table=gangs&format=csv").text
    assert "ml/gpt,default,4,waiting,half placed,0,2,4,4" in file


def test_rest_has_the_gangs_a_page_at_a_time(runs: list[Run], alice: Any, client: Client) -> None:
    client.force_login(alice)
    found = client.get(f"/api/v1/compare/?a={runs[0].pk}&b={runs[1].pk}&limit=1").json()["gangs"]
    assert (found["total"], [row["group"] for row in found["results"]]) == (2, ["ml/bert"])
    following = client.get(found["next"]).json()["gangs"]
    assert [row["group"] for row in following["results"]] == ["ml/gpt"]
    assert following["next"] is None


def test_gangs_that_end_alike_are_counted_and_not_listed(runs: list[Run]) -> None:
    again = finished(runs[0].snapshot, **volcano_scenarios("gang")[0])
    compared = compare_runs(runs[0], again)
    assert (compared.differences.gangs.number, compared.differences.gangs.rows) == (2, [])
    assert compared.sentence.startswith("Both runs decide alike")


def test_runs_without_gangs_say_nothing_of_them(alice: Any, client: Client) -> None:
    snapshot = import_snapshot(alice, "plain", [("plain.json", listing(node("node-1"), pod("web-1")))])
    one, other = (finished(snapshot, seed=seed) for seed in (1, 2))
    compared = compare_runs(one, other)
    assert not [row for row in compared.figures if "gang" in row["name"]]
    client.force_login(alice)
    assert 'id="gangs"' not in client.get(f"/compare/?a={one.pk}&b={other.pk}").text
