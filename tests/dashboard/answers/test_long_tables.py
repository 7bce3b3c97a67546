"""A long table of an answer shows its first rows; the others are a press away."""

import pytest
from django.template.loader import render_to_string

from dashboard.answers.answer import Column, Table
from dashboard.answers.printers.node_names import Cut
from dashboard.answers.sentence import sentence


def printed(rows: int) -> str:
    """What a page shows of a table of so many rows."""
    columns = [Column("workload", "workload")]
    table = Table("moved", "Pods that moved", columns, [[sentence(f"shop/web-{n}")] for n in range(rows)])
    return render_to_string("runs/answer_table.html", {"table": table, "cut": Cut()})


@pytest.mark.parametrize(("rows", "words"), [(13, "1 more row<"), (250, "238 more rows<")])
def test_rows_beyond_the_twelfth_are_folded_and_counted(rows: int, words: str) -> None:
    first, folded = printed(rows).split("<details")
    assert first.count("shop/web-") == 12
    assert folded.count("shop/web-") == rows - 12
    assert words in folded


def test_a_short_table_has_nothing_to_unfold() -> None:
    assert printed(12).count("shop/web-") == 12
    assert "<details" not in printed(12)
