"""The page of runs side by side: which runs an address names, columns, what is ticked in the list of runs."""

from typing import Any

import pytest
from django.test import Client

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from tests.dashboard.rows import new_run

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture
def runs(alice: Any, client: Client) -> list[Run]:
    """Three finished runs, the second over fewer nodes."""
    client.force_login(alice)
    made = [new_run(alice, pods=30, nodes=nodes) for nodes in (7, 5, 7)]
    for run in made:
        execute_run(run.pk)
        run.refresh_from_db()
    return made


def test_several_runs_stand_in_columns_and_two_of_them_on_the_maps(client: Client, runs: list[Run]) -> None:
    a, b, c = (run.pk for run in runs)
    address = f"/compare/?run={a}&run={b}&run={c}"
    page = client.get(f"{address}&a={b}&b={c}").text
    assert "3 runs side by side" in page
    assert f"All are measured by the first, run {a}." in page
    assert f'data-side="a" data-run="{b}"' in page
    assert f'data-side="b" data-run="{c}"' in page
    assert f"?run={a}&amp;run={b}&amp;run={c}&amp;add=1" in page
    assert f'href="/compare/?run={b}&amp;run={a}&amp;run={c}"' in page  # measure by it
    assert f"run={a}&amp;run={b}&amp;run={c}&amp;a={b}&amp;b={c}&amp;table=pods" in page
    rows = client.get(f"{address}&table=runs&format=csv").text.splitlines()
    assert rows[0] == f"figure,run_{a},run_{b},run_{c}"
    assert any(row.startswith(f"first decision that differs from run {a},") for row in rows)
    same = client.get(f"{address}&a={b}&b={b}").text
    assert "Choose two different runs for the maps." in same


def test_what_is_ticked_in_the_list_is_compared_with_the_oldest(client: Client, runs: list[Run]) -> None:
    a, b, c = (run.pk for run in runs)
    page = client.get("/runs/").text
    assert f'name="run" value="{b}" form="compare-ticked"' in page
    gone = client.get(f"/compare/?ticked=1&run={c}&run={a}")
    assert gone["Location"] == f"/compare/?run={a}&run={c}"
    assert f"Run {a} beside run {c}" in client.get(gone["Location"]).text
    assert f"Compare run {c} with" in client.get(f"/compare/?run={c}").text
    adding = client.get(f"/compare/?run={a}&run={c}&add=1").text
    assert f'href="/compare/?run={a}&amp;run={c}&amp;run={b}"' in adding


def test_a_list_has_the_figures_also_of_runs_that_nobody_summed_up(client: Client, runs: list[Run]) -> None:
    a = runs[0]
    listed = client.get("/runs/?format=json&sort=run").json()
    assert listed[0]["placed"] == a.outcome["placed"]
    assert listed[0]["unserved"] == 0
    Run.objects.filter(pk=a.pk).update(outcome=None)
    assert client.get("/runs/?format=json&sort=run").json()[0]["placed"] is None
    assert client.get("/runs/").status_code == 200
    assert client.get("/runs/?format=json&sort=run").json()[0]["placed"] == a.outcome["placed"]


def test_a_page_that_would_take_long_says_how_many_comparisons_are_read(
    client: Client, runs: list[Run], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboard.views.compare.SECONDS", -1.0)
    address = "/compare/?" + "".join(f"run={run.pk}&" for run in runs)
    first = client.get(address).text
    assert "1 of 2 comparisons are read" in first
    assert 'reading=1" hx-trigger="load"' in first
    assert client.get(f"{address}reading=2", headers={"HX-Request": "true"})["HX-Refresh"] == "true"
    assert "3 runs side by side" in client.get(f"{address}reading=2").text
    assert client.get(f"{address}table=runs&format=csv").text.startswith("figure,")
