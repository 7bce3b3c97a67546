"""Cards that an edit let fail, recover or go: whether any pod ends otherwise because of that."""

from django.utils.text import capfirst

from dashboard.answers.answer import Line
from dashboard.answers.ended_run import EndedRun
from dashboard.answers.sentence import Sentence, number, sentence
from dashboard.answers.thing import Thing


def changed(asked: EndedRun) -> list[tuple[int, Thing]]:
    """Return a thing for each card that an edit changed, with the edit's index."""
    return [(result["index"], _thing(asked, result["sentence"])) for _, result in asked.of("set-card")]


def _thing(asked: EndedRun, what: str) -> Thing:
    head = sentence(capfirst(what))
    comes_to = _comes_to(asked)
    line = Line(
        "asked",
        head=[*head, *sentence(":" if comes_to else ".")],
        says=[*comes_to, *sentence(".")] if comes_to else [],
    )
    return Thing(1, 1, head, line)


def _comes_to(asked: EndedRun) -> Sentence:
    """Return what differs from the run without it; nothing where no such run is known."""
    if asked.against is None:
        return []
    if asked.ends_alike:
        return sentence("every pod has the same node as ", asked.without)
    difference = asked.figures["pending"] - asked.against["pending"]
    if not difference:
        return sentence("as many pods are pending as ", asked.without, ", some pods have another node")
    words = f"{'more' if difference > 0 else 'fewer'} pod is,{'more' if difference > 0 else 'fewer'} pods are"
    return sentence(number(abs(difference), words), " pending than ", asked.without)
