"""Job flows in sentences: how far each has come, and why its next Jobs wait."""

from __future__ import annotations

from collections.abc import Sequence

from dashboard.answers.answer import Answer, Column, Line, Table, Verdict
from dashboard.answers.sentence import Name, Text, number, sentence, strong
from dashboard.answers.sentence import Sentence as Said
from dashboard.kinds.volcano.services.flows import AT_REST, Flow, Part, Target

_URGENT = ("no_template", "never", "made", "next", "waits")
"""What holds a flow back, the plainest first."""


def answer_of(flows: Sequence[Flow]) -> Answer:
    """Return the answer about job flows: of one, or of all that a snapshot has."""
    if not flows:
        return Answer("nothing_asked", sentence(strong("No job flow"), " is in the snapshot."))
    if len(flows) == 1:
        [flow] = flows
        lines = [_line(flow, part) for part in flow.parts if part.state != "done"]
        return Answer(_verdict(flow), lead(flow), lines, [_parts(flow)])
    verdicts = {_verdict(flow) for flow in flows}
    done = sum(map(is_done, flows))
    told = sentence(strong(f"{done:,} of "), number(len(flows), "job flow", strong=True), " done.")
    lines = [Line("pending", lead(flow)) for flow in flows if not is_done(flow)]
    return Answer(verdicts.pop() if len(verdicts) == 1 else "partly", told, lines)


def is_done(flow: Flow) -> bool:
    """Return whether a flow has succeeded, or is about to."""
    return flow.phase == "Succeed" or (
        flow.phase not in AT_REST and bool(flow.parts) and all(part.state == "done" for part in flow.parts)
    )


def _verdict(flow: Flow) -> Verdict:
    if is_done(flow):
        return "fits"
    stuck = flow.phase in AT_REST or all(
        part.state in ("done", "never", "no_template") for part in flow.parts
    )
    return "not" if stuck else "partly"


def lead(flow: Flow) -> Said:
    """Return the sentence about one flow."""
    name, done = strong(flow.key), sum(part.state == "done" for part in flow.parts)
    if is_done(flow):
        done_jobs = number(len(flow.parts), "Job is,Jobs are")
        return sentence(name, " is done: ", done_jobs, " Completed.")
    if flow.phase in AT_REST:
        ended = [*flow.lists.get("failedJobs", ()), *flow.lists.get("terminatedJobs", ())]
        why = f", because of {', '.join(ended)}" if ended else ""
        return sentence(name, f" goes on no more: it is {flow.phase}{why}.")
    if not flow.parts:
        return sentence(name, " names no Jobs.")
    first = min(
        (part for part in flow.parts if part.state != "done"), key=lambda part: _URGENT.index(part.state)
    )
    counts = sentence(f": {done:,} of ", number(len(flow.parts), "Job"), " done. ")
    return sentence(name, counts, f"{first.name} ", _says(flow, first))


def _says(flow: Flow, part: Part) -> Said:
    """Return what a part waits for, as the end of a sentence."""
    match part.state:
        case "done":
            return sentence("is Completed.")
        case "made":
            return sentence(f"is {part.phase}.")
        case "next":
            return sentence("comes next.")
        case "no_template":
            return sentence(f"can’t be made: the JobTemplate {flow.namespace}/{part.name} is missing.")
        case "waits":
            return sentence("waits for ", _targets(part.waits_for), ".")
    return sentence("never comes: it waits for ", _targets(part.waits_for), ".")


def _targets(targets: Sequence[Target]) -> str:
    return ", ".join(f"{one.name} ({_stands(one)})" for one in targets)


def _stands(one: Target) -> str:
    if not one.known:
        return "which the flow does not have"
    return one.phase or "not made yet"


def _line(flow: Flow, part: Part) -> Line:
    return Line("pending", [strong(part.name)], _says(flow, part))


def _parts(flow: Flow) -> Table:
    columns = [
        Column("part", "Part"),
        Column("after", "After"),
        Column("job", "Job"),
        Column("phase", "Phase"),
        Column("says", "Stands"),
    ]
    rows: list[list[Said]] = [
        [
            [Text(part.name)],
            [Text(", ".join(part.targets))] if part.targets else [],
            [Name("job", part.job, flow.namespace)] if part.phase else [],
            [Text(part.phase)] if part.phase else [],
            _says(flow, part),
        ]
        for part in flow.parts
    ]
    return Table("parts", "Its parts", columns, rows)
