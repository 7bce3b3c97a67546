"""What the charts of pages draw: nothing that would be empty, and no slots of shared cards as their use."""

from typing import Any

from dashboard.views.before_after import before_after
from dashboard.views.charts import resource_chart
from dashboard.views.over_time_charts import share_charts, unused_pools, used_pools, without_resources

GPU = "nvidia.com/gpu"


def test_a_resource_without_a_bar_is_left_out() -> None:
    assert resource_chart({"cpu": {"allocatable": 4000, "requested": 0}})["rows"] == []


def pool(name: str, resource: str, start: float, end: float) -> Any:
    return {"pool": name, "nodes": 2, "resource": resource, "start": start, "end": end}


def test_before_and_after_leave_out_what_nobody_requests_and_begin_with_what_moved() -> None:
    found = before_after([
        pool("", "cpu", 10, 20), pool("a", "cpu", 50, 50.3), pool("b", "cpu", 10, 40),
        pool("b", "memory", 0, 0), pool("c", "cpu", 0, 0),
    ])  # fmt: skip
    assert [(one.pool, [pair.resource for pair in one.pairs]) for one in found] == [
        ("b", ["cpu"]),
        ("a", ["cpu"]),
    ]
    assert [pair.is_same for one in found for pair in one.pairs] == [False, True]


def test_where_there_are_no_pools_all_nodes_are_one() -> None:
    assert [one.pool for one in before_after([pool("", "cpu", 10, 20)])] == [""]


def over(**used: int) -> dict[str, Any]:
    """A run over time in which so much of each pool's four CPUs is requested at the end."""
    return {
        "axis": "decision", "start": 0, "end": 2,
        "requested": {
            "seq": [0, 2], "time": [None, None],
            "series": [
                {"pool": pool, "resource": "cpu", "requested": [0, part], "allocatable": [4, 4]}
                for pool, part in used.items()
            ],
        },
        "pools": [{"pool": pool, "nodes": 1, "resource": "cpu", "most": part} for pool, part in used.items()],
    }  # fmt: skip


def test_a_pool_of_which_nothing_was_requested_has_no_chart_but_a_word() -> None:
    found = over(a=2, b=0)
    assert [chart["title"] for chart in share_charts(found)] == ["a"]
    assert (unused_pools(found), [row["pool"] for row in used_pools(found)]) == (["b"], ["a"])
    assert share_charts(without_resources(found, {"cpu"})) == []
