"""Why pods are pending at a run's end: which rows its table has, and which of them are listed."""

from typing import Any

from dashboard.answers.answer import Table
from dashboard.answers.causes import causes
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.printers.words import plain


def _why(workload: str, kind: str, pods: int, **cause: Any) -> dict[str, Any]:
    asked = {"kind": kind, **cause}
    return {"cause": asked, "workloads": {workload: pods}, "uid": workload, "seq": 3, "group": ""}


def _refused(workload: str, asked: int) -> dict[str, Any]:
    allowed = {"resource": "cpu", "unit": "", "allowed": 10, "held": 8, "promised": 0, "asked": asked}
    return _why(workload, "refused", 4, plugin="overcommit", sums=[allowed])


def _table(*whys: dict[str, Any]) -> Table:
    figures: Any = {"whys": list(whys)}
    table = causes(EndedRun(7, 2, "finished", 10, [], [], None, figures))
    assert table is not None
    return table


def test_workloads_that_wait_for_the_same_in_the_same_words_share_a_row() -> None:
    jobs = [_refused(f"PodGroup/ml/j{place:03}", 9) for place in range(100)]
    table = _table(*jobs, _refused("PodGroup/ml/other", 3))
    pods, cause, workloads, *_ = (plain(cell) for cell in table.rows[0])
    assert (pods, cause, len(table.rows), table.others) == ("400", "Refused at enqueue", 2, 0)
    assert workloads.startswith("ml/j000 ×4, ml/j001 ×4, ")
    assert workloads.endswith("and 97 others ×388")


def test_no_cause_hides_behind_the_many_rows_of_another() -> None:
    many = [_refused(f"PodGroup/ml/j{asked:03}", asked) for asked in range(3, 33)]
    table = _table(*many, _why("Deployment/shop/cart", "pre_filter", 1, reason="no such node"))
    titles = [plain(row[1]) for row in table.rows]
    assert titles[:-1] == ["Refused at enqueue"] * 11
    assert titles[-1] != "Refused at enqueue"
    assert table.others == 19
