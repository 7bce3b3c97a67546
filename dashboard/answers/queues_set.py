"""Queues that an edit gives something else: what their pods come to, and whether anything differs by it."""

from django.utils.text import capfirst

from dashboard.answers.answer import Line
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.answers.thing import Thing
from dashboard.shapes.outcome import Figures


def changed(asked: EndedRun) -> list[tuple[int, Thing]]:
    """Return a thing for each queue that an edit changed, with the edit's index."""
    return [
        (result["index"], _thing(asked, edit["name"], result["sentence"]))
        for edit, result in asked.of("set-queue")
    ]


def _thing(asked: EndedRun, queue: str, what: str) -> Thing:
    head = sentence(capfirst(what))
    comes_to = _comes_to(asked, queue)
    line = Line("asked", head=[*head, *sentence(":")], says=[*comes_to, *sentence(".")])
    return Thing(1, 1, [*head, *sentence(": ", comes_to)], line)


def _comes_to(asked: EndedRun, queue: str) -> Sentence:
    wanted, held = pods_of_queue(asked.figures, queue)
    stands = sentence(f"{queue} asks for ", number(wanted, "pod"), " and has ", number(held))
    if not wanted:
        stands = sentence(f"no pod group of {queue} asks for a pod")
    if asked.against is None:
        return stands
    if asked.ends_alike:
        return sentence("no effect, ", stands)
    difference = held - pods_of_queue(asked.against, queue)[1]
    if not difference:
        return sentence(stands, ", as many as ", asked.without)
    more = "more" if difference > 0 else "fewer"
    return sentence(stands, ", ", number(abs(difference)), f" {more} than ", asked.without)


def pods_of_queue(figures: Figures, queue: str) -> tuple[int, int]:
    """Return how many pods the queue's pod groups ask for at the end, and how many of these have a node."""
    groups = [row for row in figures.get("by_group", ()) if row["queue"] == queue and not row["deleted"]]
    return sum(row["running"] + row["pending"] for row in groups), sum(row["running"] for row in groups)
