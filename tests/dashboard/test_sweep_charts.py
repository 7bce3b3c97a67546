"""The pictures of a sweep: what lies under another point is counted and told."""

from dashboard.services.results.sweeps import played_point, swept_of
from dashboard.shapes.swept import Dimension, PointFigures, Value
from dashboard.views.sweep_charts import pictures, sizes_show
from tests.dashboard.answers.test_swept import AMOUNTS, came_to, played

SCORING = Dimension("config", ["type"], "scoring", [Value("Least", "L"), Value("Most", "M")], "Least")


def test_settings_under_the_point_of_another_are_counted_and_told_with_it() -> None:
    figures = [came_to(evicted=evicted) for evicted in (0, 2, 2)]
    rows: list[tuple[tuple[int, int], PointFigures]] = [
        ((0, 0), figures[0]), ((0, 1), figures[1]), ((1, 2), figures[2]),
    ]  # fmt: skip
    made = [
        played_point(place, values, place == 0, played(place), one)
        for place, (values, one) in enumerate(rows)
    ]
    found = swept_of(1, 1, "grow", [SCORING, AMOUNTS], made)
    [points, lines] = pictures(found)
    assert (points["hidden"], "hidden" in lines, sizes_show(found)) == (1, False, "weight")
    assert points["tells"] == "shape and colour tell scoring, size tells weight"
    assert lines["tells"] == "shape and colour tell scoring"
    [alone] = pictures(
        swept_of(1, 1, "grow", [AMOUNTS], [played_point(0, (0,), True, played(0), figures[0])])
    )
    assert alone["tells"] == ""
    least, most, today = points["series"]
    assert [text.count("without a node") for text in (*least["texts"], *most["texts"])] == [1, 2, 2]
    assert least["texts"][1] == most["texts"][0]
    assert today["texts"] == least["texts"][:1]
