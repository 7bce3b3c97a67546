"""A preflight with what a manifest has done before all others: hooks of Helm's, one after the other."""

from collections.abc import Sequence

import msgspec

from dashboard.answers.answer import Line, Verdict
from dashboard.answers.preflight import Preflight
from dashboard.answers.sentence import Sentence, sentence

_FITTING = ("fits", "nothing_asked")


def with_hooks_before(found: Preflight, before: Sequence[Preflight]) -> Preflight:
    """Return the answer of all; `before` are those of the hooks, each of which is done before the others."""
    if not before:
        return found
    answer = msgspec.structs.replace(
        found.answer,
        verdict=_verdict(found, before),
        lead=_lead(found, before),
        lines=[
            *(line for one in before for line in _lines(one) if line not in found.answer.lines),
            *found.answer.lines,
        ],
    )
    return msgspec.structs.replace(
        found,
        answer=answer,
        workloads=[*(work for one in before for work in one.workloads), *found.workloads],
        evicted=found.evicted + sum(one.evicted for one in before),
        violated=found.violated + sum(one.violated for one in before),
        crosses_limit=found.crosses_limit or any(one.crosses_limit for one in before),
        is_doubtful=found.is_doubtful or any(one.is_doubtful for one in before),
        binds=[*(bind for one in before for bind in one.binds), *found.binds],
    )


def _verdict(found: Preflight, before: Sequence[Preflight]) -> Verdict:
    verdicts = {found.answer.verdict, *(one.answer.verdict for one in before)}
    if len(verdicts) == 1:
        return found.answer.verdict
    if verdicts & {"partly", "not"}:
        return "partly"
    return "unsure" if "unsure" in verdicts else "fits"


def _lead(found: Preflight, before: Sequence[Preflight]) -> Sentence:
    """Return the sentence about the others, after it those about hooks that do not fit."""
    said = list(found.answer.lead)
    for one in before:
        if one.answer.verdict not in _FITTING:
            said += [*sentence(" Before it: "), *one.answer.lead]
    return said


def _lines(one: Preflight) -> list[Line]:
    """Return a line for each workload of a hook, and what it does to others."""
    lines = [
        Line(
            "asked" if work.verdict in _FITTING else "not_done",
            head=sentence("Before all others, and done by then:"),
            says=work.says,
            under=work.under,
        )
        for work in one.workloads
    ]
    return [*lines, *(line for line in one.answer.lines if line.about in ("others", "pending"))]
