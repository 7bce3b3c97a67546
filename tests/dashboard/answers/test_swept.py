"""What is said of a sweep is true of its points, also of one that was played in part."""

import csv
from collections.abc import Sequence

import msgspec

from dashboard.answers.printers.words import plain
from dashboard.answers.rests_on import Played
from dashboard.answers.swept import answer_of_sweep, in_order
from dashboard.answers.swept_file import runs_file
from dashboard.answers.swept_tables import shown_best
from dashboard.services.results.sweeps import played_point, swept_of
from dashboard.shapes.swept import Dimension, Point, PointFigures, State, Swept, Value

FIGURES = PointFigures(3, 0, 5, 0, 0, 0, 4, 0, 0.5, 0.5, 0, {}, at_limit=False)
AMOUNTS = Dimension("config", ["weight"], "weight", [Value(name, int(name)) for name in "123"], "1")
SEEDS = Dimension("seed", [], "seed", [Value("7", 7)], "none")


def sweep(*points: Point | PointFigures, dimensions: Sequence[Dimension] = (AMOUNTS,)) -> Swept:
    """A sweep whose first point is today's; points are figures, or stand for runs that have none."""
    made = [
        point_of(place, one) if isinstance(one, PointFigures) else one for place, one in enumerate(points)
    ]
    return swept_of(1, 1, "grow", dimensions, made)


def point_of(place: int, figures: PointFigures) -> Point:
    """A point that was played; the first one is today's."""
    return played_point(place, (place,), place == 0, played(place + 10), figures)


def played(run: int) -> Played:
    """A run that rests on nothing that would be told."""
    return Played(run, "kube-1.36", None)


def unplayed(place: int, state: State) -> Point:
    """A point without figures."""
    return Point(place, (place,), place == 0, place + 10, state)


def came_to(**figures: object) -> PointFigures:
    """What a run came to that differs in this from the others."""
    return msgspec.structs.replace(FIGURES, **figures)


def said(found: Swept) -> str:
    """The first sentence."""
    return plain(answer_of_sweep(found).lead)


def test_that_nothing_is_better_is_not_said_where_fewer_wait_but_edits_are_not_done() -> None:
    found = sweep(came_to(without_node=3), came_to(without_node=1, not_done=1), came_to(without_node=3))
    assert said(found) == (
        "Today's settings leave 3 pods without a node; 1 other setting leaves fewer, but more edits not done."
    )


def test_settings_that_ask_for_less_are_not_among_those_of_which_none_is_better() -> None:
    values = [Value("1", 1), Value("2", 2)]
    asks = Dimension("edits", ["0", "replicas"], "replicas", values, "1")
    rows = [((0, 0), 3), ((1, 0), 3), ((0, 1), 1), ((1, 1), 1)]
    points = [
        played_point(place, values, place == 0, played(place), came_to(without_node=waits))
        for place, (values, waits) in enumerate(rows)
    ]
    assert said(sweep(*points, dimensions=(AMOUNTS, asks))).startswith(
        "No setting that asks for as much leaves fewer pods without a node than today's: 3 in all 2 runs."
    )


def test_a_sweep_that_was_cancelled_says_on_how_many_runs_its_sentence_rests() -> None:
    ended = sweep(came_to(), came_to(), unplayed(2, "ended"))
    assert said(ended) == (
        "2 of 3 runs were played. No setting leaves fewer pods without a node than today's: 3 in all 2 runs."
    )
    refused = sweep(came_to(), came_to(), unplayed(2, "refused"))
    assert said(refused).startswith("No setting leaves fewer"), "what is not possible is not missing"


def test_of_a_setting_that_was_played_with_some_of_its_seeds_nothing_is_told_but_how_many() -> None:
    seeds = Dimension("seed", [], "seed", [Value("7", 7), Value("8", 8)], "none")
    points = [
        Point(place, (place // 2, place % 2), place < 2, place, "ended") if place % 2 else
        played_point(place, (place // 2, 0), place < 2, played(place), FIGURES)
        for place in range(6)
    ]  # fmt: skip
    found = sweep(*points, dimensions=(AMOUNTS, seeds))
    assert said(found) == (
        "3 of 6 runs were played. No setting was played with all of its seeds, so none is ranked."
    )
    [row] = answer_of_sweep(found).tables[0].rows
    assert list(map(plain, row))[2:4] == ["1 of 2 runs played", ""]
    nothing = sweep(*(unplayed(place, "ended") for place in range(3)))
    assert said(nothing) == "No run was played to its end."


def test_settings_that_were_not_played_are_not_called_alike() -> None:
    for state, verdict in (("waiting", "unsure"), ("ended", "unsure"), ("refused", "alike")):
        assert answer_of_sweep(sweep(FIGURES, FIGURES, unplayed(2, state))).verdict == verdict
    assert answer_of_sweep(sweep(unplayed(0, "ended"), unplayed(1, "ended"))).verdict == "unsure"
    assert answer_of_sweep(sweep(FIGURES, came_to(without_node=1), unplayed(2, "ended"))).verdict == "differ"


def test_why_todays_settings_have_no_figures_is_said_as_it_is() -> None:
    best = "weight = 2 leaves 3 pods without a node; today's settings "
    assert (
        said(sweep(unplayed(0, "playing"), came_to())) == f"1 of 2 runs are played. {best}are not played yet."
    )
    assert said(sweep(unplayed(0, "ended"), came_to())) == f"1 of 2 runs were played. {best}were not played."
    at_limit = sweep(came_to(at_limit=True), came_to())
    assert said(at_limit) == f"{best}came to the limit of attempts."


def test_runs_that_were_played_are_told_where_none_asks_for_as_much_as_the_scenario() -> None:
    asks = Dimension("edits", ["0", "replicas"], "replicas", [Value(name, int(name)) for name in "210"], "2")
    alike = sweep(unplayed(0, "failed"), unplayed(1, "failed"), came_to(), dimensions=(asks,))
    told = " played. None of them asks for as much as the scenario, so none is ranked. They leave "
    assert said(alike) == f"1 of 3 runs were{told}3 pods without a node."
    apart = sweep(unplayed(0, "refused"), came_to(without_node=4), came_to(), dimensions=(asks,))
    assert said(apart) == f"2 of 3 runs were{told}3 to 4 pods without a node."
    assert said(sweep(unplayed(0, "failed"), unplayed(1, "gone"))) == "No run was played to its end."
    assert said(sweep(came_to(at_limit=True))) == "Every run that was played came to the limit of attempts."


def test_a_setting_that_some_of_its_seeds_were_not_played_of_is_not_said_to_have_stopped() -> None:
    seeds = msgspec.structs.replace(SEEDS, values=[Value("7", 7), Value("8", 8)])
    assert said(sweep(came_to(), unplayed(1, "ended"), dimensions=(seeds,))) == (
        "1 of 2 runs were played. No setting was played with all of its seeds, so none is ranked."
    )


def test_one_setting_is_told_without_a_word_of_seeds_and_one_pod_in_the_singular() -> None:
    one = msgspec.structs.replace(AMOUNTS, values=AMOUNTS.values[:1])
    assert said(sweep(came_to(without_node=1), dimensions=(one,))) == (
        "Today's settings leave 1 pod without a node."
    )
    assert said(sweep(came_to(without_node=1), dimensions=(SEEDS,))) == (
        "Over 1 seed 1 pod is left without a node, and 0 evicted."
    )


def test_settings_that_are_equal_share_a_place() -> None:
    found = sweep(came_to(), came_to(), came_to(without_node=9))
    placed = [(place, one.names) for place, one in shown_best(found, in_order(found))]
    assert placed == [("1", ("2",)), ("3", ("3",)), ("1, today", ("1",))]


def test_no_threshold_is_named_beyond_an_amount_that_was_not_played() -> None:
    values = [Value(name, int(name)) for name in "123"]
    asks = Dimension("edits", ["0", "replicas"], "replicas", values, "1")
    whole = sweep(came_to(), came_to(), came_to(without_node=9), dimensions=(asks,))
    assert said(whole).endswith("Up to replicas = 2 no more are left without a node than today; at 3 9.")
    assert "Up to" not in said(sweep(came_to(), unplayed(1, "ended"), came_to(), dimensions=(asks,)))


def test_up_to_which_amount_every_edit_is_done_is_told() -> None:
    values = [Value(name, int(name)) for name in ("6", "3", "0")]
    drained = Dimension("edits", ["0", "nodes"], "nodes to drain", values, "6")
    found = sweep(came_to(not_done=1), came_to(), came_to(), dimensions=(drained,))
    assert said(found) == (
        "Today's settings leave 3 pods without a node. With today's settings 1 edit is not done. "
        "Up to nodes to drain = 3 every edit is done; at 6 1 is not."
    )


def test_runs_without_queues_have_no_figure_for_them_and_shares_that_look_alike_no_column() -> None:
    queues = came_to(queues={"etl": 2, "web": 0}, cpu=0.5001)
    _, runs = answer_of_sweep(sweep(queues, came_to(without_node=9, unserved=9))).tables
    places = {column.key: place for place, column in enumerate(runs.columns)}
    assert "cpu" not in places
    assert [[plain(row[places[f"queue_{name}"]]) for name in ("etl", "web")] for row in runs.rows] == [
        ["2", "0"],
        ["", ""],
    ]


def test_the_file_of_its_runs_has_plain_numbers_in_columns_that_are_named_in_full() -> None:
    same = msgspec.structs.replace(AMOUNTS, path=["other"])
    figures = came_to(without_node=1782, stranded=1500, cpu=0.6667, queues={"etl": 1200})
    points = [
        played_point(0, (0, 0), True, played(10), figures),
        played_point(1, (1, 0), False, played(11), came_to(at_limit=True)),
        Point(2, (2, 0), False, 12, "failed", "no\nroom"),
    ]
    rows = list(csv.DictReader(runs_file(sweep(*points, dimensions=(AMOUNTS, same))).splitlines()))
    assert [row["weight (config.weight)"] for row in rows] == ["1", "2", "3"]
    first, second, third = rows
    assert (first["run"], first["is_today"], int(first["pods_without_node"])) == ("10", "true", 1782)
    assert float(first["cpu_requested_percent"]) == 66.67
    assert (first["cpu_stranded_millicores"], first["pods_waiting_in_queue_etl"]) == ("1500", "1200")
    assert (second["pods_waiting_in_queue_etl"], second["state"]) == ("", "played")
    assert second["why"] == "it stopped at the limit of attempts"
    assert (third["pods_without_node"], third["state"], third["why"]) == ("", "failed", "no room")
