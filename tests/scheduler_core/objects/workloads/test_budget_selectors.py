"""Which budgets protect pods with certain labels: asked by labels, as asking for the pods themselves."""

import itertools
from typing import Any

import pytest

from scheduler_core.objects.workloads import budgets
from scheduler_core.objects.workloads.budgets import BudgetSelectors, labels_by_namespace, selected_pods
from tests.builders import pod

SELECTORS: list[Any] = [
    None,
    {},
    {"matchLabels": {"app": "web"}},
    {"matchExpressions": [{"key": "app", "operator": "NotIn", "values": ["web"]}]},
    {"matchExpressions": [{"key": "app", "operator": "Equals", "values": ["web"]}]},
]
PODS = [
    pod("a", namespace="shop", labels={"app": "web"}),
    pod("b", namespace="shop", labels={"app": "web"}),
    pod("c", namespace="shop", labels={"app": "db"}),
    pod("d", namespace="etl"),
]


def guarding(selector: Any, namespace: str) -> dict[str, Any]:
    spec = {} if selector is None else {"selector": selector}
    return {"metadata": {"name": "guard", "namespace": namespace}, "spec": spec}


def test_pods_that_are_alike_are_asked_about_once() -> None:
    assert labels_by_namespace(PODS) == {"shop": [{"app": "web"}, {"app": "db"}], "etl": [{}]}


@pytest.mark.parametrize("most", [1, 1000])
def test_a_budget_is_found_where_it_protects_one_of_the_pods(most: int, monkeypatch: Any) -> None:
    monkeypatch.setattr(budgets, "_MOST_COMPILED", most)
    asked = BudgetSelectors()
    all_budgets = list(itertools.starmap(guarding, itertools.product(SELECTORS, ("shop", "etl", "other"))))
    for some in ([], PODS[:1], PODS[2:3], PODS[3:], PODS):
        labels = labels_by_namespace(some)
        found = [asked.selects_any(one, labels) for one in (*all_budgets, *all_budgets)]
        assert found == [bool(selected_pods(one, some)) for one in (*all_budgets, *all_budgets)]
