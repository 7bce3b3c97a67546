"""Of kinds that were listed as a whole an import lacks nothing."""

from typing import Any

import pytest

from scheduler_core.objects.kinds import NODE, POD, POD_DISRUPTION_BUDGET, PRIORITY_CLASS, kind_of
from scheduler_core.objects.privacy import Dropped, keep_public
from scheduler_core.objects.whole_lists import listed_as_a_whole, whole_lists_object
from scheduler_core.world.reporting.trust import missing_kinds
from tests.builders import node, pod

UID = {"uid": "1"}
NOW = "2026-06-01T00:00:00Z"


def _lacking(*more: dict[str, Any]) -> list[str]:
    objects = [node("n1"), pod("p", priorityClassName="urgent"), *more]
    objects[1]["metadata"] |= UID
    by_kind = {kind: [one for one in objects if kind_of(one) == kind] for kind in map(kind_of, objects)}
    return missing_kinds(by_kind).phrases


def test_what_was_listed_is_not_missed() -> None:
    before = _lacking()
    assert any("PodDisruptionBudgets" in phrase for phrase in before)
    assert any("kube-system" in phrase for phrase in before)
    listed = whole_lists_object([NODE, POD, POD_DISRUPTION_BUDGET], NOW)
    after = _lacking(listed)
    assert after == [one for one in before if "PodDisruptionBudgets" not in one and "kube-system" not in one]


def test_it_is_kept_and_read_with_care() -> None:
    listed = whole_lists_object([PRIORITY_CLASS, POD], NOW)
    assert keep_public(listed, Dropped()) == listed
    assert listed_as_a_whole([listed]) == {"Pod", "PriorityClass"}
    assert listed_as_a_whole([{**listed, "kinds": "Pod"}, {**listed, "kinds": [1, "Node"]}]) == {"Node"}


@pytest.mark.parametrize("kinds", [None, {}, 3])
def test_what_is_no_list_tells_nothing(kinds: Any) -> None:
    assert listed_as_a_whole([{**whole_lists_object([], NOW), "kinds": kinds}]) == frozenset()
