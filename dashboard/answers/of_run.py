"""The answer of a run: what came of each thing asked, what that did to others, what waits because of it.

It is computed from figures alone: those of the run and of the run without the edits, and the edits' results.
"""

from collections.abc import Sequence

from django.utils.text import capfirst

from dashboard.answers import cards_set, drains, not_done, others, pods_added, queues_set
from dashboard.answers.answer import About, Answer, Line
from dashboard.answers.causes import causes
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.jobs_waiting import jobs_waiting
from dashboard.answers.moved import moved, moved_because
from dashboard.answers.rests_on import about_trust
from dashboard.answers.sentence import Name, Place, Sentence, decision, number, sentence
from dashboard.answers.thing import Thing, verdict_of
from dashboard.shapes.outcome import Figures, lacks_pods

_TOLD = {"drain"}
_LISTED = 8
_ORDER = ("not_done", "asked", "others", "pending")


def answer_of_run(asked: EndedRun) -> Answer:
    """Return the answer of a run that has ended."""
    things = _things(asked)
    lines = [*not_done.left_alone(asked), *_lines(things)]
    if asked.edits:
        lines += [*others.unmoved(asked), *others.evictions(asked), *moved(asked)]
        lines += others.below_replicas(asked)
        lines += others.pending(asked)
    cut_short = not_done.cut_short(asked)
    tables = [drains.refusals(asked), *jobs_waiting(asked), causes(asked)]
    return Answer(
        verdict_of(things, is_unsure=bool(cut_short or asked.figures.get("left_out"))),
        [*cut_short, *_lead(asked, things)],
        sorted(lines, key=lambda line: _ORDER.index(line.about)),
        [table for table in tables if table is not None],
        trust(asked),
        None if asked.against_run is None else _run(asked.against_run),
    )


def so_far(figures: Figures, *, goes_on: bool = False) -> Sentence:
    """Return in a sentence or two what a run came to, or how it stands if it `goes_on`."""
    placed, evicted, pending = figures["placed"], figures["evicted"], figures["pending"]
    says = sentence(number(placed, "pod", strong=True) if placed else "No pod", " found a node")
    says += (
        sentence(", with ", number(evicted, "eviction", strong=True))
        if evicted
        else sentence(", and no pod was evicted")
    )
    says += sentence(".")
    if deleted := figures.get("deleted"):
        says += sentence(
            " Controllers deleted ", number(deleted, "pod", strong=True), " that had a node, since ",
            "its job" if deleted == 1 else "their jobs", " restarted or ended.",
        )  # fmt: skip
    failed = sum(row["count"] for row in figures["failures"])
    untried, unserved = max(0, pending - failed), figures.get("unserved", 0)
    says += _failed(figures, pending - untried)
    if untried:
        tried = " not been tried yet." if goes_on else " never tried."
        counts = "pod has,pods have" if goes_on else "pod was,pods were"
        says += sentence(" ", number(untried, counts, strong=True), tried)
    if unserved:
        are = "its scheduler is" if unserved == 1 else "their scheduler is"
        says += sentence(
            " ", number(unserved, "pod", strong=True), f" got no decision: {are} not part of the run."
        )
    jobs = sum(not row["pods"] and lacks_pods(row) for row in figures.get("by_group", ()))
    if jobs and not goes_on:
        says += sentence(" ", number(jobs, "job waits,jobs wait", strong=True))
        says += sentence(" without pods as yet.")
    if (
        not goes_on
        and not jobs
        and not pending
        and not unserved
        and not figures.get("incomplete")
        and not figures.get("left_out")
    ):
        says += sentence(" Nothing is left pending.")
    return says


def counted(counts: Sequence[tuple[str, int]], *, goes_on: bool) -> Sentence:
    """Return how a run stands before it is summed up: decisions by outcome, in words, as they are stored."""
    total = sum(count for _, count in counts)
    says = sentence(number(total, "decision", strong=True), " so far: " if goes_on else ": ")
    for place, (word, count) in enumerate(counts):
        says += sentence(", " if place else "", number(count), f" {word}")
    return says + sentence(".")


def _failed(figures: Figures, failed: int) -> Sentence:
    if not failed:
        return []
    messages = len(figures["failures"])
    how = ""
    if failed > 1:
        how = ", all for the same reason" if messages == 1 else f", with {messages} different messages"
    return sentence(" ", number(failed, "pod is,pods are", strong=True), f" still pending{how}.")


def _lines(things: list[Thing]) -> list[Line]:
    """Return a line for each thing; the last of very many are summed up."""
    lines = [thing.line for thing in things[:_LISTED]]
    if rest := things[_LISTED:]:
        done = sum(thing.is_done for thing in rest)
        head = sentence(number(len(rest), "more thing"), " asked:")
        about: About = "asked" if done == len(rest) else "not_done"
        lines.append(
            Line(about, head=head, says=sentence(number(done), " done, ", number(len(rest) - done), " not."))
        )
    return lines


def _things(asked: EndedRun) -> list[Thing]:
    """Return the things asked: what was not done first, then in the order of their kinds."""
    added = pods_added.added(asked)
    changed = [*pods_added.renewed(asked), *pods_added.new_nodes(asked)]
    objects = [*queues_set.changed(asked), *cards_set.changed(asked)]
    things = [
        *drains.drained(asked),
        *not_done.incomplete(asked, told=("drain",)),
        *pods_added.summed([thing for _, thing in added]),
        *(thing for _, thing in changed),
        *(thing for _, thing in objects),
        *_rest(asked, {index for index, _ in [*added, *changed, *objects]}),
    ]
    return sorted(things, key=lambda thing: thing.is_done)


def _rest(asked: EndedRun, told: set[int]) -> list[Thing]:
    """Return what was done of which only the edit itself is to be said, equal operations as one.

    `told`: the edits of which something else is said.
    """
    passed_over = told | {edit["edit"] for edit in asked.figures.get("incomplete", ())}
    things: list[Thing] = []
    for operation in dict.fromkeys(edit.get("op") for edit in asked.edits):
        if operation in _TOLD:
            continue
        done = [result for _, result in asked.of(str(operation)) if result["index"] not in passed_over]
        if not done:
            continue
        first = sentence(capfirst(done[0]["sentence"]))
        if len(done) == 1:
            things.append(Thing(1, 1, first, Line("asked", head=[*first, *sentence(".")])))
            continue
        says = sentence(number(len(done), f"“{operation}” edit"), " are done")
        under = [sentence("The first: ", first, ".")]
        things.append(
            Thing(len(done), len(done), says, Line("asked", head=[*says, *sentence(".")], under=under))
        )
    return things


def _lead(asked: EndedRun, things: list[Thing]) -> Sentence:
    if not things:
        return so_far(asked.figures)
    lead = list(things[0].says)
    if len(things) > 1:
        done = sum(thing.is_done for thing in things)
        if done == len(things):
            lead = sentence("Both" if done == 2 else sentence("All ", number(done)), " things asked are done")
        else:
            lead = sentence(
                number(done),
                " of ",
                number(len(things), "thing"),
                " asked ",
                "is" if done == 1 else "are",
                " done",
            )
    return [
        *lead,
        *_because(asked, is_begun=bool(asked.of("drain")) or any(thing.done for thing in things)),
        *sentence("."),
    ]


def _because(asked: EndedRun, *, is_begun: bool) -> Sentence:
    """Return how many pods wait because of the edits, as the end of a sentence.

    Where nothing `is_begun` of them, it is no comfort that none does; where pods are evicted, it is not all.
    """
    if asked.against is None:
        return []
    more, _, fewer = others.held_against(asked.figures, asked.against)
    by_nodes = moved_because(asked)
    went = sentence("; ", by_nodes) if by_nodes else []
    if not more:
        evicted = others.more_evicted(asked)
        are = sentence(" ", number(evicted, "more pod is,more pods are"), " evicted,") if evicted else []
        return sentence(went, ";", are, " nothing more is pending because of it") if is_begun else went
    if more == fewer:
        return sentence(went, "; as many pods are pending as without it, ", number(more, "other"))
    are_pending = "pod is" if more == 1 else "pods are"
    instead = sentence(", and ", number(fewer, "other"), " no more") if fewer else []
    return sentence(went, "; ", number(more), f" more {are_pending} pending because of it", instead)


def trust(asked: EndedRun) -> list[Sentence]:
    """Return what the answer rests on, as far as it may change it."""
    said: list[Sentence] = []
    if left_out := asked.figures.get("left_out"):
        said.append(
            sentence(
                number(left_out, "pod"),
                " that the scheduler never sees: ",
                "what they ask for isn't modelled.",
            )
        )
    said += [*_by_chance(asked), *about_trust(asked.trust or {}, asked.profile)]
    if asked.edits and asked.against is None:
        why = (
            "The run came to no end of its own"
            if asked.is_interrupted
            else "No run without these edits was played"
        )
        said.append(sentence(f"{why}, so that nothing is subtracted."))
    return said


def _by_chance(asked: EndedRun) -> list[Sentence]:
    """Return what the real scheduler leaves to chance of the evictions, with the first decision."""
    found = asked.figures.get("by_chance")
    if not found:
        return []
    return [
        sentence(
            "In ", number(found["decisions"], "decision"),
            " the real scheduler leaves it to chance which pods go; the run takes the first.",
        ),
        sentence(
            "There, first in decision ", decision(asked.run, found["seq"], found["time"]),
            f", {found['plugin']} lets ", number(found["chosen"]), " of ", number(found["of"], "pod"),
            " go, and may choose others of them."
        ),
    ]  # fmt: skip


def _run(pk: int) -> Name:
    return Name("run", str(pk), at=Place(run=pk))
