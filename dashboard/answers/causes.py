"""Why pods are pending, by cause: the one place that an answer takes causes from."""

from collections import Counter

from dashboard.answers.answer import Column, Table
from dashboard.answers.asked import Asked
from dashboard.answers.sentence import Number, Sentence, number, sentence
from dashboard.shapes.outcome import Cause

_LISTED = 12


def causes(asked: Asked) -> Table | None:
    """Return the pending pods by cause, most pods first; None where none are.

    A cause is what most nodes said at the last try of a pod, as the log has it.
    """
    rows: dict[str, list[Cause]] = {}
    for row in asked.figures.get("causes", ()):
        rows.setdefault(row["cause"], []).append(row)
    if not rows:
        return None
    ranked = sorted(rows.items(), key=lambda item: (-_pods(item[1]), item[0]))
    return Table(
        "causes",
        "Why pods are pending",
        [
            Column("pods", "pods", number=True),
            Column("cause", "cause"),
            Column("workloads", "who"),
            Column("nodes", "nodes that say so", number=True),
        ],
        [
            [
                [_figure(asked, found)],
                sentence(cause or "without a message"),
                asked.counted(_by_workload(found), 6),
                _nodes(found[0]),
            ]
            for cause, found in ranked[:_LISTED]
        ],
        says=sentence("by what most nodes said at the last try"),
        others=len(ranked[_LISTED:]),
    )


def _figure(asked: Asked, rows: list[Cause]) -> Number:
    seq = rows[0]["seq"]
    return number(_pods(rows), at=None if seq is None else asked.decision(seq).at)


def _pods(rows: list[Cause]) -> int:
    return sum(row["pods"] for row in rows)


def _by_workload(rows: list[Cause]) -> Counter[str]:
    return Counter({row["workload"]: row["pods"] for row in rows})


def _nodes(row: Cause) -> Sentence:
    return sentence(number(row["nodes"]), " of ", number(row["of"])) if row["nodes"] else []
