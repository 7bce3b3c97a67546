"""What the charts of pages draw: nothing that would be empty, and no slots of shared cards as their use."""

from typing import Any

from dashboard.views.charts import resource_chart, utilisation_chart
from dashboard.views.over_time_charts import share_charts, unused_pools, used_pools, without_resources

GPU = "nvidia.com/gpu"
USED = [
    {"resource": "cpu", "allocatable": 4000, "allocatable_after": 8000, "before": 0, "after": 2000},
    {"resource": "memory", "allocatable": 1024, "before": 0, "after": 0},
    {"resource": "nvidia.com/gpucores", "allocatable": 0, "before": 0, "after": 59},
    {"resource": GPU, "allocatable": 40, "before": 0, "after": 6},
]


def test_a_resource_without_a_bar_is_left_out() -> None:
    chart = utilisation_chart(USED)
    assert [(row["name"], row["shares"]) for row in chart["rows"]] == [("cpu", [0, 25]), (GPU, [0, 15])]
    assert chart["rows"][0]["text"] == "0 → 2 of 4 → 8"
    assert resource_chart({"cpu": {"allocatable": 4000, "requested": 0}})["rows"] == []


def test_of_shared_cards_the_cards_count_and_not_their_slots() -> None:
    chart = utilisation_chart(USED, {GPU}, {"allocated": [0, 30, 48], "cards": 4})
    assert [(row["name"], row["shares"]) for row in chart["rows"]] == [("cpu", [0, 25]), ("cards", [0, 48])]
    assert chart["rows"][-1]["text"] == "0 → 1.92 of 4 given out"


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
