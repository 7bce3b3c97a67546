"""What is found about nodes, in columns."""

import numpy as np

from scheduler_core.hami.extender.node_verdicts import MOST_REASONS, Findings, Judged, Places
from scheduler_core.state.node_names import NodeNames
from tests.scheduler_core.hami import cards
from tests.scheduler_core.hami.cards import Cluster, pod


def judged(places, asked):
    """Of a and c, which fit, a is fuller; b and d don't."""
    at, findings = places.of(["a", "b", "c", "d"]).tolist(), Findings()
    findings.room_for(len(places.names))
    findings.fits(at[0], 2.5)
    findings.fails(at[1], "1/1 X")
    findings.fits(at[2], 1.5)
    findings.fails(at[3], "1/1 X")
    return Judged(places.names, places.of(asked), findings)


def test_the_best_are_those_with_the_highest_or_the_lowest_score_among_those_asked_about():
    places = Places()
    assert judged(places, ["c", "b", "a"]).best(lowest=False) == (2.5, ["a"])
    assert judged(places, ["c", "b", "a"]).best(lowest=True) == (1.5, ["c"])
    assert judged(places, ["c", "b"]).best(lowest=False) == (1.5, ["c"])


def test_a_node_that_is_named_twice_counts_once_and_the_order_is_that_of_the_question():
    found = judged(Places(), ["d", "b", "d", "a", "a"])
    assert (list(found.reasons), found.scores) == (["d", "b"], {"a": 2.5})
    assert (found.fit_count, found.failed_count) == (1, 2)
    assert list(found.counted_reasons()) == [("1/1 X", 2)]


def test_nodes_by_rows_have_the_places_of_their_names_also_when_the_rows_are_others_now():
    places = Places()
    [first] = places.of(["c"])
    assert places.of(NodeNames(["a", "b", "c"], np.array([2, 0]))).tolist()[0] == first
    assert places.of(NodeNames(["c", "a"], np.array([0]))).tolist() == [first]


def test_names_of_nodes_are_a_sequence():
    names = NodeNames(["a", "b", "c"], np.array([2, 0]))
    assert (len(names), list(names), names[0], names[:1], "a" in names, "b" in names) == (
        2, ["c", "a"], "c", ["c"], True, False,
    )  # fmt: skip


def test_what_is_known_is_no_more_known_once_it_is_forgotten():
    findings = Findings()
    findings.room_for(2)
    findings.fits(1, 1.0)
    assert [findings.knows(place) for place in (0, 1, 7)] == [False, True, False]
    findings.forget(1)
    assert not findings.knows(1)


def test_too_many_different_reasons_begin_anew():
    findings = Findings()
    findings.room_for(1)
    for number in range(MOST_REASONS):
        findings.fails(0, str(number))
    assert findings.is_crowded


def test_the_table_of_cards_is_as_of_now_where_nobody_asks_the_journal_for_it():
    cluster = Cluster(cards.nvidia())
    cluster.journal.tells = False
    mark = cluster.journal.mark()
    cluster.place(pod("p", {"nvidia.com/gpu": 1}))
    used = [row.used for row in cluster.hami.inventory.cards.rows.values()]
    cluster.journal.undo_to(mark)
    idle = [row.used for row in cluster.hami.inventory.cards.rows.values()]
    assert (sum(used), sum(idle)) == (1, 0)
