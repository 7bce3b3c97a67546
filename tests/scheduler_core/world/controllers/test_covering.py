"""Which budgets cover a pod: found by label, as asking each budget finds them."""

import pytest

from scheduler_core.objects.kinds import POD_DISRUPTION_BUDGET
from scheduler_core.state.build import build_state
from scheduler_core.world.controllers.covering import covering, covers
from tests.scheduler_core.clusters import budget, node, pod

BY_LABEL = {"matchLabels": {"app": "web", "tier": "front"}}
BY_VALUES = {"matchExpressions": [{"key": "app", "operator": "In", "values": ["web", "db"]}]}
WITHOUT = {"matchExpressions": [{"key": "tier", "operator": "DoesNotExist"}]}


def guarding(name, selector, namespace="default"):
    made = budget(name, "", 1)
    made["metadata"]["namespace"] = namespace
    made["spec"]["selector"] = selector
    return made


def a_cluster():
    budgets = [
        guarding("label", BY_LABEL),
        guarding("elsewhere", BY_LABEL, "other"),
        guarding("values", BY_VALUES),
        guarding("without", WITHOUT),
        guarding("all", {}),
        guarding("nobody", None),
    ]
    pods = [
        pod("front", on="n", labels={"app": "web", "tier": "front"}),
        pod("db", on="n", labels={"app": "db"}),
        pod("bare", on="n"),
    ]
    return build_state([node("n"), *pods, *budgets]).state


def found(state):
    return [[one.name for one in covering(state, info)] for info in state.pods.infos]


def test_budgets_are_found_in_the_order_of_the_cluster():
    assert found(a_cluster()) == [
        ["label", "values", "all"],
        ["values", "without", "all"],
        ["without", "all"],
    ]


@pytest.mark.parametrize(
    "change",
    [
        lambda state: state.surroundings.put(guarding("new", BY_VALUES)),
        lambda state: state.surroundings.put(guarding("label", WITHOUT)),
        lambda state: state.surroundings.drop((POD_DISRUPTION_BUDGET, "default", "all")),
    ],
    ids=["comes", "changes", "goes"],
)
def test_a_budget_that_comes_changes_or_goes_counts_at_once_and_undone_no_more(change):
    state = a_cluster()
    before, mark = found(state), state.mark()
    change(state)
    assert found(state) != before
    assert found(state) == [
        [one.name for one in state.budgets if covers(one, info)] for info in state.pods.infos
    ]
    state.undo_to(mark)
    assert found(state) == before
