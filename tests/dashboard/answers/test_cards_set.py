"""What an answer says of a card that failed: whether any pod ends otherwise because of that."""

from typing import Any

from tests.dashboard.answers.test_of_run import answer, said
from tests.scheduler_core.world.test_hami import asking, machine


def answered(*pods: Any, **fields: Any) -> list[str]:
    edit = {"op": "set-card", "node": "a", "card": "1", "state": "unhealthy"} | fields
    return said(answer([machine("a"), *pods], edit, profile="hami-2.10"))


def test_a_card_that_no_pod_needs_changes_no_pod() -> None:
    lead, *lines = answered(asking("first"))
    head = "Card a-gpu-1 (index 1, NVIDIA A100) of node a: healthy → unhealthy"
    assert lead == f"{head}; nothing more is pending because of it."
    assert f"{head}: every pod has the same node as without it." in lines


def test_a_card_that_pods_need_leaves_them_pending() -> None:
    whole = {"memory": 10_000, "cores": 100}
    lead, *lines = answered(asking("first", **whole), asking("second", **whole))
    assert lead.endswith("healthy → unhealthy; 1 more pod is pending because of it.")
    assert any(line.endswith(": 1 more pod is pending than without it.") for line in lines)
