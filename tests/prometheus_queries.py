"""What Grafana's dashboard and Prometheus' alert rules ask for, and which metrics and labels that names."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import yaml

PROJECT = Path(__file__).resolve().parent.parent
DASHBOARD: dict[str, Any] = json.loads((PROJECT / "deploy/grafana/sandtable.json").read_text())
ALERTS: list[dict[str, Any]] = [
    rule
    for group in yaml.safe_load((PROJECT / "deploy/prometheus/alerts.yaml").read_text())["groups"]
    for rule in group["rules"]
]
OF_PROMETHEUS = {"up"}
"""Metrics that Prometheus itself writes for whatever it scrapes, and labels that it adds."""

ADDED_LABELS = {"job", "instance"}
WORDS = {"and", "or", "unless"}

_GROUPING = re.compile(r"\b(?:by|on|without|ignoring)\s*\(([^)]*)\)")
_SELECTOR = re.compile(r"\b([a-zA-Z_:][\w:]*)\b\s*(?!\s*\()(?:\{([^}]*)\})?(?:\[[^\]]*\])?")
_MATCHER = re.compile(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"')


class Named(NamedTuple):
    """What a query names: metrics with their labels, the values that these shall equal, and other labels."""

    metrics: dict[str, set[str]]
    values: set[tuple[str, str, str]]
    grouped: set[str]


def panels() -> list[dict[str, Any]]:
    """Return the dashboard's panels without the rows between them."""
    return [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]


def queries() -> Iterator[str]:
    """Yield every query of the dashboard's panels and variables, and of the alert rules."""
    for panel in panels():
        yield from (target["expr"] for target in panel["targets"])
    for variable in DASHBOARD["templating"]["list"]:
        if variable["type"] == "query":
            selector, label = re.findall(r"^label_values\((.+), (\w+)\)$", variable["definition"])[0]
            yield f"count by ({label}) ({selector})"
    yield from (rule["expr"] for rule in ALERTS)


def named_in(query: str) -> Named:
    """Return what a query names; of PromQL this reads as much as these queries use."""
    grouped = {word.strip() for words in _GROUPING.findall(query) for word in words.split(",")}
    found = Named({}, set(), grouped)
    for name, matchers in _SELECTOR.findall(_GROUPING.sub(" ", query)):
        if name in WORDS:
            continue
        labels = found.metrics.setdefault(name, set())
        for label, operator, value in _MATCHER.findall(matchers):
            labels.add(label)
            if operator in ("=", "!="):
                found.values.add((name, label, value))
    return found
