"""`compare/`: two runs side by side over REST."""

from typing import Any

import pytest

from dashboard.models import Run
from dashboard.services.background.execution import execute_run
from tests.dashboard.rows import new_run

URL = "/api/v1/compare/"

pytestmark = pytest.mark.usefixtures("fake_engine")


@pytest.fixture
def runs(alice: Any) -> list[Run]:
    """Two finished runs over a different number of nodes."""
    made = [new_run(alice, pods=60, nodes=nodes) for nodes in (7, 5)]
    for run in made:
        execute_run(run.pk)
        run.refresh_from_db()
    return made


def address(a: Run, b: Run, **more: Any) -> str:
    return f"{URL}?a={a.pk}&b={b.pk}" + "".join(f"&{name}={value}" for name, value in more.items())


def test_the_first_difference_holds_both_decisions_as_recorded(as_bob: Any, runs: list[Run]) -> None:
    answer = as_bob.get(address(*runs)).json()
    first = answer["first_difference"]
    for side, run in zip("ab", runs, strict=True):
        assert answer[side]["id"] == run.pk
        recorded = as_bob.get(f"/api/v1/runs/{run.pk}/decisions/?after={first['seq'] - 1}&limit=1").json()
        assert first[side] == recorded["results"][0]
    assert answer["complete"] is True
    assert first["parts"]
    evicted = next(row for row in answer["figures"] if row["name"] == "evicted")
    assert evicted["a"] == runs[0].outcome["evicted"]
    assert evicted["difference"] == evicted["b"] - evicted["a"]


def test_rows_are_pages_that_neither_repeat_nor_hide_any(as_bob: Any, runs: list[Run]) -> None:
    whole = as_bob.get(address(*runs, limit=1000)).json()
    assert whole["pods"]["next"] is None
    for part in ("pods", "nodes"):
        found, following = [], address(*runs, limit=3)
        while following:
            page = as_bob.get(following).json()[part]
            assert len(page["results"]) <= 3
            found += page["results"]
            following = page["next"]
        assert found == whole[part]["results"]
        assert len(found) == whole[part]["total"] > 3


@pytest.mark.parametrize(
    ("query", "field"),
    [("", "a"), ("?a=1", "b"), ("?a=x&b=2", "a"), ("?a=0&b=2", "a"), ("?a={0}&b={0}", "b"),
     ("?a={0}&b={1}&limit=0", "limit"), ("?a={0}&b={1}&pods_cursor=WzFd", "pods_cursor"),
     ("?a={0}&b={1}&nodes_cursor=!", "nodes_cursor"), ("?a={0}&b={1}&pods_cursor=eyJhIjoxfQ", "pods_cursor")],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_by_name(as_bob: Any, runs: list[Run], query: str, field: str) -> None:
    answer = as_bob.get(URL + query.format(*(run.pk for run in runs)))
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert field in {error["field"] for error in answer.json()["errors"]}


def test_both_runs_must_be_visible(as_bob: Any, as_charlie: Any, as_nobody: Any, runs: list[Run]) -> None:
    assert as_bob.get(f"{URL}?a={runs[0].pk}&b=999999").status_code == 404
    assert as_charlie.get(address(*runs)).status_code == 404
    assert as_nobody.get(address(*runs)).status_code == 401


def test_a_run_without_a_beginning_is_a_conflict(as_bob: Any, alice: Any, runs: list[Run]) -> None:
    waiting = new_run(alice, pods=3)
    answer = as_bob.get(address(runs[0], waiting))
    assert answer.status_code == 409
    assert answer.json()["detail"] == f"Run {waiting.pk} has not begun yet."


def test_the_answer_is_the_same_in_every_medium(as_bob: Any, runs: list[Run]) -> None:
    a, b = runs
    address_of = f"{URL}answer/?a={a.pk}&b={b.pk}"
    answer = as_bob.get(address_of).json()
    assert answer["verdict"] == "differ"
    assert answer["lines"][0]["about"] == "differently"
    assert {"figures", "equal"} <= {table["name"] for table in answer["tables"]}
    for kind, mark in (("text/markdown", "**"), ("text/plain", "")):
        printed = as_bob.get(address_of, headers={"Accept": kind})
        assert printed["Content-Type"] == f"{kind}; charset=utf-8"
        assert printed.text.startswith(f"{mark}Run {b.pk} ")
        assert "Asked differently:" in printed.text
    refused = as_bob.get(f"{URL}answer/?a={a.pk}&b={a.pk}")
    assert refused.status_code == 400


def test_figures_say_where_better_has_a_direction(as_bob: Any, runs: list[Run]) -> None:
    figures = {row["name"]: row for row in as_bob.get(address(*runs)).json()["figures"]}
    assert figures["pending"]["better"] == "lower"
    assert "better" not in figures["decisions"]
    assert figures["largest pod that fits, by cpu"]["group"] == "nodes"
    assert figures["largest pod that fits, by cpu"]["means"] == "largest pod"


def test_up_to_six_runs_are_measured_by_the_first(as_bob: Any, alice: Any, runs: list[Run]) -> None:
    a, b = runs
    again = new_run(alice, pods=60, nodes=7)
    execute_run(again.pk)
    several = f"{URL}answer/?run={a.pk}&run={b.pk}&run={again.pk}"
    answer = as_bob.get(several).json()
    [figures, equal] = answer["tables"]
    assert [column["key"] for column in figures["columns"]] == [
        "figure", f"run_{a.pk}", f"run_{b.pk}", f"run_{again.pk}",
    ]  # fmt: skip
    assert equal["name"] == "equal"
    said = as_bob.get(several, headers={"Accept": "text/plain"}).text.partition("\n")[0]
    assert said == (
        f"Run {b.pk} has room for a pod of 999.2 cpu instead of 1,000. Run {again.pk} decides alike."
    )
    pair = as_bob.get(f"{URL}answer/?run={a.pk}&run={b.pk}").json()
    assert pair == as_bob.get(f"{URL}answer/?a={a.pk}&b={b.pk}").json()
    for query in (f"run={a.pk}", f"run={a.pk}&run={a.pk}", f"run={a.pk}&run={b.pk}&a={a.pk}", "run=x&run=1"):
        assert as_bob.get(f"{URL}answer/?{query}").status_code == 400
    assert as_bob.get(f"{URL}?a={a.pk}&b={b.pk}&b={b.pk}").status_code == 400
