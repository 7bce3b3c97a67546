"""What was asked and not done: pods that nobody decides about, edits without effect, a run cut short."""

from dashboard.answers.answer import Line
from dashboard.answers.ended_run import EndedRun, names
from dashboard.answers.sentence import Name, Place, Sentence, number, sentence, strong
from dashboard.answers.thing import Thing
from dashboard.instants import clock

_LISTED = 5


def left_alone(asked: EndedRun) -> list[Line]:
    """Return a line for each scheduler that pods name and that the run has not."""
    rows = asked.figures.get("left_alone", ())
    lines = [
        Line(
            "not_done",
            head=sentence(number(row["pods"], "pod names,pods name"), f" the scheduler {row['scheduler']},"),
            says=sentence(
                "which this run has not: no decision about ", "it." if row["pods"] == 1 else "them."
            ),
        )
        for row in rows[:_LISTED]
    ]
    if more := rows[_LISTED:]:
        pods = sum(row["pods"] for row in more)
        says = sentence(" of ", number(len(more), "more scheduler"), " got no decision either.")
        lines.append(Line("not_done", head=[number(pods, "pod")], says=says))
    return lines


def incomplete(asked: EndedRun, told: tuple[str, ...] = ()) -> list[Thing]:
    """Return the edits that did not do all that was asked, but for operations that are `told` otherwise."""
    return [
        Thing(
            0,
            1,
            sentence(": ".join([edit["title"], *edit["problems"][:1]])),
            Line(
                "not_done",
                head=sentence(f"{edit['title']}:"),
                says=sentence(f"{'. '.join(edit['problems'])}."),
                under=_decisions(asked, [one["seq"] for one in edit["refused"]] or _seq(edit.get("seq"))),
            ),
        )
        for edit in asked.figures.get("incomplete", ())
        if edit["op"] not in told
    ]


def cut_short(asked: EndedRun) -> Sentence:
    """Return why the run is not at its natural end, to be said first; nothing if it is."""
    figures, last = asked.figures, asked.figures["decisions"]
    time = figures.get("time")
    at = sentence(f" at {clock(time)}") if time is not None else []
    says: Sentence = []
    if figures["limit_reached"]:
        says += sentence(strong("Stopped: "), *_limit(asked, at), " ")
    if asked.is_interrupted:
        head = "Cancelled " if asked.status == "cancelled" else "Failed "
        where = sentence("after ", asked.decision(last)) if last else sentence("before its first decision")
        says += sentence(strong(head), *where, *at, ". ")
    return sentence(says, "What follows is not its natural end. ") if says else []


def _limit(asked: EndedRun, at: Sentence) -> Sentence:
    figures = asked.figures
    if figures.get("time") is not None:
        return sentence("the run had ", number(figures["decisions"], "decision"), at, ", which is the limit.")
    if sessions := figures.get("sessions"):
        return sentence("there had been ", number(sessions, "session"), ", which is the limit.")
    return sentence("a pod had reached the limit of ", number(asked.attempt_limit, "attempt"), ".")


def _decisions(asked: EndedRun, seqs: list[int]) -> list[Sentence]:
    if not seqs:
        return []
    found = [Name("decision", str(seq), at=Place(run=asked.run, seq=seq)) for seq in seqs]
    return [[names(found, 6)]]


def _seq(seq: int | None) -> list[int]:
    return [] if seq is None else [seq]
