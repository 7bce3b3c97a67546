"""The dashboard and the alert rules are of a form that Grafana and Prometheus take, and say what to do.

That each metric they name is exported, a test beside a running product asks (`test_on_the_whole_product`).
"""

import re
from itertools import combinations
from typing import Any

from tests.prometheus_queries import ALERTS, DASHBOARD, PROJECT, named_in, panels

COLUMNS = 24
"""Grafana's grid is that wide."""

SENTENCES = re.compile(r"\S.{10,}\.", re.DOTALL)


def covered(panel: dict[str, Any]) -> tuple[range, range]:
    place = panel["gridPos"]
    return range(place["x"], place["x"] + place["w"]), range(place["y"], place["y"] + place["h"])


def overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    pairs = zip(covered(one), covered(other), strict=True)
    return all(max(a.start, b.start) < min(a.stop, b.stop) for a, b in pairs)


def test_the_dashboards_panels_have_numbers_and_places_of_their_own() -> None:
    every = DASHBOARD["panels"]
    assert DASHBOARD["schemaVersion"] >= 39, "older ones are migrated at each load"
    assert DASHBOARD["uid"] == "sandtable"
    assert "id" not in DASHBOARD, "it is a database's own"
    assert len({panel["id"] for panel in every}) == len(every)
    assert [panel["title"] for panel in every if covered(panel)[0].stop > COLUMNS] == []
    assert [(a["title"], b["title"]) for a, b in combinations(every, 2) if overlap(a, b)] == []
    assert len({panel["title"] for panel in every}) == len(every)


def test_every_panel_has_a_unit_a_source_by_choice_and_says_what_to_do() -> None:
    variables = {variable["name"]: variable for variable in DASHBOARD["templating"]["list"]}
    assert {name: one["type"] for name, one in variables.items()} == {
        "datasource": "datasource",
        "job": "query",
        "instance": "query",
    }
    for panel in panels():
        title = panel["title"]
        assert panel["fieldConfig"]["defaults"]["unit"], title
        assert SENTENCES.fullmatch(panel["description"]), title
        letters = [target["refId"] for target in panel["targets"]]
        assert len(set(letters)) == len(letters) > 0, title
        for asked in (panel, *panel["targets"]):
            assert asked["datasource"] == {"type": "prometheus", "uid": "${datasource}"}, title
        for target in panel["targets"]:
            metrics = named_in(target["expr"]).metrics
            assert all({"job", "instance"} <= labels for labels in metrics.values()), title


def test_every_alert_says_what_is_wrong_how_badly_and_what_to_do() -> None:
    names = [rule["alert"] for rule in ALERTS]
    assert len(set(names)) == len(names) > 5
    for rule in ALERTS:
        assert rule["labels"]["severity"] in ("critical", "warning"), rule["alert"]
        assert re.fullmatch(r"\d+[smh]", rule["for"]), rule["alert"]
        assert set(rule["annotations"]) == {"summary", "description"}
        assert all(SENTENCES.fullmatch(text) for text in rule["annotations"].values()), rule["alert"]


def test_the_chart_ships_both_files_themselves() -> None:
    files = PROJECT / "deploy/helm/sandtable/files"
    template = (files.parent / "templates/monitoring.yaml").read_text()
    for name, source in (
        ("dashboard.json", "grafana/sandtable.json"),
        ("alerts.yaml", "prometheus/alerts.yaml"),
    ):
        assert (files / name).resolve() == PROJECT / "deploy" / source
        assert f'.Files.Get "files/{name}"' in template


def test_what_a_query_names_is_found() -> None:
    query = (
        'sum by (le) (rate(a_bucket{kind="x",job=~"$job"}[5m])) / on (job) b > 0.5 and max(c{state!="y"}) < 1'
    )
    assert named_in(query) == (
        {"a_bucket": {"kind", "job"}, "b": set(), "c": {"state"}},
        {("a_bucket", "kind", "x"), ("c", "state", "y")},
        {"le", "job"},
    )
