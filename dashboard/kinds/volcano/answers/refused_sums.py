"""In words when a job was nearest to entering its queue, of those times that a sum kept it out."""

from collections.abc import Sequence

from dashboard.answers.sentence import Place, Sentence, number, sentence
from dashboard.answers.why import excess, too_much
from dashboard.kinds.volcano.queries.refused_sums import EnqueueAttempt


def nearest(run: int, asked: Sequence[EnqueueAttempt]) -> Sentence:
    """Return when the sum was least above what is allowed, and what came of it; nothing without any sum.

    Of each refusal the first sum counts, that which is too much.
    """
    refused = [one for one in asked if one.sums and excess(one.sums[0]) > 0]
    if not refused:
        return []
    least, last = min(refused, key=lambda one: _part(one)), refused[-1]
    session = number(least.session, at=_at(run, least))
    if _part(least) == _part(last):
        said = sentence("It was never nearer than in the last refusal: ", _much(last), ".")
    else:
        said = sentence("It was nearest in session ", session, ": ", _much(least), ".")
        said = sentence(said, " In the last refusal: ", _much(last), ".")
    entered = next((one for one in asked if one.entered and one.seq > last.seq), None)
    if entered is None:
        return said
    return sentence(said, " It entered in session ", number(entered.session, at=_at(run, entered)), ".")


def _part(one: EnqueueAttempt) -> float:
    """Return the excess as a part of what is allowed, so that sums of several resources compare."""
    first = one.sums[0]
    return excess(first) / (first.allowed or 1)


def _much(one: EnqueueAttempt) -> Sentence:
    return sentence(too_much(one.sums[0]), f" of {one.sums[0].resource} for {one.plugin}")


def _at(run: int, one: EnqueueAttempt) -> Place:
    return Place(run=run, seq=one.seq, time=one.time)
