"""What an edit costs: as much as it changes, however large the cluster is."""

import sys
from types import FrameType
from typing import Any

from scheduler_core.world.edits import apply_edits
from tests.builders import manifest, node


def edits(number: int) -> list[dict[str, Any]]:
    return [
        {"op": "add", "at": place, "duration": 5, "manifest": manifest(f"task-{place}")}
        for place in range(number)
    ]


def lines_run(nodes: int, number: int) -> int:
    """How many lines of the engine it takes to apply so many edits to a cluster of so many nodes."""
    objects = [node(f"node-{place}") for place in range(nodes)]
    asked = edits(number)
    lines = 0

    def count(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    tracing = sys.gettrace()
    sys.settrace(count)
    try:
        apply_edits(objects, asked, driver="timed")
    finally:
        sys.settrace(tracing)
    return lines


def test_an_edit_at_an_instant_costs_the_same_in_any_cluster() -> None:
    lines_run(1, 1)
    in_small = lines_run(10, 20) - lines_run(10, 10)
    in_large = lines_run(500, 20) - lines_run(500, 10)
    assert in_large < 2 * in_small
