"""The published curves on the trace; our measure of fragmentation is theirs where both can be seen."""

import pytest

from samples.openb.conversion import NODES_FILE, PODS_FILE, read_table
from samples.openb.published import published_curves
from scheduler_core.schedulers.paper_fragmentation import (
    MOST_SHAPES,
    Course,
    Left,
    Shape,
    lost_milli,
    usual_shapes,
)


def test_there_are_six_policies_from_none_to_130_percent_arrived() -> None:
    curves = published_curves()
    assert set(curves) == {"allocated", "fragmentation"}
    for of_policy in curves.values():
        assert sorted(of_policy) == ["BestFit", "DotProd", "FGD", "GpuClustering", "GpuPacking", "Random"]
        assert {len(figures) for figures in of_policy.values()} == {131}
    assert curves["allocated"]["FGD"][100] > curves["allocated"]["Random"][100]


def test_on_the_empty_cluster_the_measure_is_the_published_one() -> None:
    asked = (
        Shape(int(row["cpu_milli"]), int(row["num_gpu"]), int(row["gpu_milli"]))
        for row in read_table(PODS_FILE)
    )
    shapes = usual_shapes(asked)
    course = Course({"NVIDIA": shapes})
    for row in read_table(NODES_FILE):
        course.put(row["sn"], int(row["cpu_milli"]), {"NVIDIA": [Left(1000)] * int(row["gpu"])})
    for policy, figures in published_curves()["fragmentation"].items():
        assert course.fragmentation == pytest.approx(figures[0], abs=0.2), (
            f"{policy}, after its first few tasks"
        )


@pytest.mark.parametrize(
    ("cpu", "free", "lost"),
    [
        (8000, [1000, 400], 400),
        (8000, [1000, 500], 0),
        (3000, [1000, 1000], 2000),
        (8000, [400, 400], 800),
    ],
)
def test_lost_is_what_the_shape_can_not_take(cpu: int, free: list[int], lost: int) -> None:
    assert lost_milli(cpu, list(map(Left, free)), {Shape(4000, 1, 500): 1.0}) == lost


def test_memory_is_another_part_of_each_card_and_one_that_takes_nobody_is_lost() -> None:
    shapes = {Shape(0, 1, 100, memory=6000): 1.0}
    assert lost_milli(0, [Left(500, 12_000), Left(500, 10_000)], shapes) == 500
    assert lost_milli(0, [Left(500, 12_000, takes=False), Left(800, 10_000)], shapes) == 500


def test_shapes_count_by_their_part_and_tasks_without_cards_lose_all() -> None:
    shapes = {Shape(1000, 2, 1000): 0.25, Shape(1000, 1, 300): 0.5, Shape(1000, 0, 0): 0.25}
    assert lost_milli(4000, [Left(1000), Left(500)], shapes) == 0.25 * 1500 + 0 + 0.25 * 1500


def test_rare_shapes_are_left_out() -> None:
    asked = 96 * [Shape(1, 1, 500)] + 4 * [Shape(1, 8, 1000)]
    assert usual_shapes(asked) == {Shape(1, 1, 500): 1.0}


def test_where_all_tasks_differ_a_part_of_the_shapes_counts() -> None:
    shapes = usual_shapes(Shape(cpu, 1, 500) for cpu in range(10 * MOST_SHAPES))
    assert len(shapes) == MOST_SHAPES
    assert sum(shapes.values()) == pytest.approx(1)


def test_a_course_counts_what_is_taken_and_given_back() -> None:
    course = Course({"NVIDIA": {Shape(4000, 1, 500): 1.0}})
    assert (course.allocated, course.fragmentation) == (0, 0)
    course.put("b", 8000, {})
    for cpu, first, found in [
        (8000, 1000, (0, 0)),
        (7000, 400, (30, 20)),
        (2000, 400, (30, 70)),
        (8000, 1000, (0, 0)),
    ]:
        course.put("a", cpu, {"NVIDIA": [Left(first), Left(1000)]})
        assert (course.allocated, course.fragmentation) == pytest.approx(found)


def test_cards_of_each_vendor_are_measured_by_their_own_tasks() -> None:
    course = Course({"NVIDIA": {Shape(0, 1, 500): 1.0}, "DCU": {Shape(0, 1, 900): 1.0}})
    course.put("a", 8000, {"NVIDIA": [Left(600)], "DCU": [Left(600)]})
    assert (course.allocated, course.fragmentation) == pytest.approx((40, 30))
    course.put("a", 0, {})
    assert (course.allocated, course.fragmentation) == (0, 0)
