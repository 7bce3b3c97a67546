"""Why pods are pending at a run's end, by cause: the one place that an answer takes causes from.

The engine was asked at the run's end, as it is of a snapshot: the same words stand here and there. Runs that
were cancelled, or recorded before it was asked, have what most nodes said at the last try of each pod.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from dashboard.answers.answer import Column, Table
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.printers.words import plain
from dashboard.answers.sentence import Number, Sentence, number, sentence, strong, uncapitalised
from dashboard.answers.why import is_about_node, shortfall, why
from dashboard.answers.why_words import UNASKED, words_of
from dashboard.shapes.outcome import Cause as Refusal
from dashboard.shapes.outcome import Figures, WhyAtEnd
from scheduler_core.events.sums import Sum
from scheduler_core.schedulers.cause import Cause

_LISTED, _NAMED = 12, 3
_TITLE = "Why pods are pending"
_WAITING = [Column("pods", "pods", number=True), Column("cause", "cause"), Column("workloads", "workloads")]


def causes(asked: EndedRun) -> Table | None:
    """Return the pending pods by cause, most pods first; None where none are."""
    found = asked.figures.get("whys")
    return _by_the_engine(asked, found) if found else _by_the_log(asked)


def rows_of_causes(figures: Figures) -> list[dict[str, Any]]:
    """Return a row for each workload and cause, to be exported; `nodes` of `of` say what the cause says.

    Of what the engine said these are the nodes that would fit without it.
    """
    found = figures.get("whys")
    if not found:
        return [{**row, "why": ""} for row in figures.get("causes", ())]
    rows: list[dict[str, Any]] = []
    for one in found:
        cause = msgspec.convert(one["cause"], Cause)
        told = {
            "cause": words_of(cause).title,
            "nodes": cause.held[0].alone if cause.held else 0,
            "of": cause.nodes,
            "seq": one["seq"],
            "why": plain(why(cause)),
        }
        rows += [{**told, "workload": name, "pods": pods} for name, pods in one["workloads"].items()]
    return sorted(rows, key=lambda row: (-row["pods"], row["cause"], row["workload"]))


class WhyOf(NamedTuple):
    """Why pods of a workload are pending: the sentence, and the sums that an admission to a queue adds up."""

    said: Sentence
    sums: list[Sum]


def whys_of(figures: Mapping[str, Any], workload: str, groups: Collection[str] = ()) -> list[WhyOf]:
    """Return why pods of a workload, `Kind/namespace/name`, or of pod groups are pending at the end.

    There is one for each reason; a group that has no pods as yet says the reason alone.
    """
    pods: Counter[str] = Counter()
    reasons: dict[str, tuple[Sentence, Cause]] = {}
    for one in figures.get("whys") or ():
        of_groups = one.get("group", "") in groups
        if of_groups or workload in one["workloads"]:
            cause = msgspec.convert(one["cause"], Cause)
            reason = why(cause)
            counts = one["workloads"]
            pods[plain(reason)] += sum(counts.values()) if of_groups else counts[workload]
            reasons[plain(reason)] = reason, cause
    return [
        WhyOf(_counted(count, reasons[text][0]), reasons[text][1].sums) for text, count in pods.most_common()
    ]


def _counted(pods: int, reason: Sentence) -> Sentence:
    """Return a reason behind the number of pods of which it is said; the reason alone where there is none."""
    each = ": " if pods == 1 else ", each: "
    return sentence(number(pods, "pod"), each, uncapitalised(reason)) if pods else reason


# -- asked of the engine -----------------------------------------------------------------------------------


@dataclass
class _Row:
    """Pods of workloads, or pods alike without one, that wait for the same; the first speaks for all."""

    cause: Cause
    seq: int | None
    workloads: Counter[str] = field(default_factory=Counter)

    @property
    def pods(self) -> int:
        return self.workloads.total()


def _by_the_engine(asked: EndedRun, found: list[WhyAtEnd]) -> Table | None:
    rows = _rows(asked, found)
    if not rows:
        return None
    of_cause: Counter[str] = Counter()
    for title, row in rows:
        of_cause[title] += row.pods
    ranked = sorted(
        rows, key=lambda one: (_is_untried(one[1].cause), -of_cause[one[0]], one[0], -one[1].pods)
    )
    untried = sum(row.pods for _, row in rows if _is_untried(row.cause))
    says = sentence("asked of the run’s schedulers at its end")
    if untried:
        were = " was not tried" if untried == 1 else " were not tried"
        says = sentence(says, "; ", number(untried, "pod"), were, ", the time was up")
    return Table(
        "causes",
        _TITLE,
        [
            *_WAITING,
            Column("why", "why"),
            Column("short", "nearest node, and what is short"),
        ],
        [_cells(asked, title, row) for title, row in _listed(ranked)],
        says=says,
        others=len(ranked[_LISTED:]),
    )


def _listed(ranked: list[tuple[str, _Row]]) -> list[tuple[str, _Row]]:
    """Return as many rows as are listed, of each cause the first of all: none hides behind another's rows."""
    first = {title: place for place, (title, _) in reversed(list(enumerate(ranked)))}
    places = sorted(range(len(ranked)), key=lambda place: (first[ranked[place][0]] != place, place))
    return [ranked[place] for place in sorted(places[:_LISTED])]


def _rows(asked: EndedRun, found: list[WhyAtEnd]) -> list[tuple[str, _Row]]:
    """Return rows with the titles of their causes: of workloads one for each cause, of pods alike one.

    Rows that would say the same but for their names are one. So is all that was not tried.
    """
    rows: dict[tuple[str, str], _Row] = {}
    for one in found:
        cause = msgspec.convert(one["cause"], Cause)
        title = words_of(cause).title
        for workload, pods in one["workloads"].items():
            alike = one["uid"] if workload.startswith("Pod/") else workload
            key = title, "" if _is_untried(cause) else alike
            rows.setdefault(key, _Row(cause, one["seq"])).workloads[workload] += pods
    told: dict[tuple[str, str, str], _Row] = {}
    for (title, _), row in rows.items():
        says = title, plain(why(row.cause)), plain(_near(asked, row.cause))
        told.setdefault(says, _Row(row.cause, row.seq)).workloads.update(row.workloads)
    return [(title, row) for (title, *_), row in told.items()]


def _is_untried(cause: Cause) -> bool:
    return words_of(cause) == UNASKED


def _cells(asked: EndedRun, title: str, row: _Row) -> list[Sentence]:
    at = None if row.seq is None else asked.decision(row.seq).at
    return [
        [number(row.pods, at=at)],
        sentence(strong(title)),
        asked.counted(row.workloads, _NAMED),
        why(row.cause),
        _near(asked, row.cause),
    ]


def _near(asked: EndedRun, cause: Cause) -> Sentence:
    """Return the nearest node, and how much is short there where it is an amount; nothing without a node."""
    if not is_about_node(cause):
        return []
    held = cause.held[0]
    node = asked.node(held.node)
    return sentence(node) if held.figure is None else sentence(node, ": ", shortfall(held))


# -- by the log alone --------------------------------------------------------------------------------------


def _by_the_log(asked: EndedRun) -> Table | None:
    """Return the table of what most nodes said at the last try of a pod, as the log has it."""
    rows: dict[str, list[Refusal]] = {}
    for row in asked.figures.get("causes", ()):
        rows.setdefault(row["cause"], []).append(row)
    if not rows:
        return None
    ranked = sorted(rows.items(), key=lambda item: (-_pods(item[1]), item[0]))
    return Table(
        "causes",
        _TITLE,
        [
            *_WAITING,
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


def _figure(asked: EndedRun, rows: list[Refusal]) -> Number:
    seq = rows[0]["seq"]
    return number(_pods(rows), at=None if seq is None else asked.decision(seq).at)


def _pods(rows: list[Refusal]) -> int:
    return sum(row["pods"] for row in rows)


def _by_workload(rows: list[Refusal]) -> Counter[str]:
    return Counter({row["workload"]: row["pods"] for row in rows})


def _nodes(row: Refusal) -> Sentence:
    return sentence(number(row["nodes"]), " of ", number(row["of"])) if row["nodes"] else []
