"""The answer of runs whose cards stand side by side: which has given out the most of them at one arrival."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dashboard.answers.answer import Answer
from dashboard.answers.compared import cut_short
from dashboard.answers.sentence import Name, Names, Number, Place, Sentence, number, sentence, strong

_FULL = "A full cluster has little left to lose: don't rank policies by what is lost alone."


@dataclass(frozen=True)
class CardsAt:
    """A run's cards at a decision (`seq`, at `time` in milliseconds where a clock moves).

    allocated, fragmentation: percent of all cards that are given out, that are free but lost. waiting: pods
    without a node. policies: by which the run chooses, in words. short: where the run stands, if it has not
    come to its natural end.
    """

    run: int
    policies: str
    seq: int
    time: int | None
    allocated: float
    fragmentation: float
    waiting: int
    short: str = ""

    @property
    def place(self) -> Place:
        """The decision behind the figures."""
        return Place(run=self.run, seq=self.seq, time=self.time)

    @property
    def given(self) -> int:
        """What is given out in whole percent, as it is told."""
        return round(self.allocated)


def answer_of_cards(runs: Sequence[CardsAt], arrived: float) -> Answer:
    """Return the answer of runs, each where pods for `arrived` percent of the cards have arrived."""
    are_alike = len({(one.given, one.waiting) for one in runs}) == 1
    when = sentence("Once pods for ", _share(arrived), " of the cards have arrived, ")
    short = cut_short(runs)
    if len(runs) == 1 or are_alike:
        lead = sentence(short, when, _alike(runs))
    else:
        lead = sentence(short, when, _given(runs), ". ", _waiting(runs), ".")
    return Answer("alike" if are_alike else "differ", lead, trust=[sentence(_FULL)] if len(runs) > 1 else [])


def _alike(runs: Sequence[CardsAt]) -> Sentence:
    first = runs[0]
    who = sentence(_run(first), " has") if len(runs) == 1 else sentence(f"all {len(runs)} runs have")
    given = sentence(strong(" given out "), _share(first.allocated, first.place), strong(" of them"))
    if not first.waiting:
        return sentence(who, given, "; every pod has a node.")
    return sentence(who, given, "; ", number(first.waiting, "pod has,pods have", at=first.place), " no node.")


def _given(runs: Sequence[CardsAt]) -> Sentence:
    """Return who has given out the most, and the least."""
    most, least = max(one.given for one in runs), min(one.given for one in runs)
    if most == least:
        return sentence(f"all {len(runs)} runs have given out ", _share(runs[0].allocated, runs[0].place))
    best, worst = ([one for one in runs if one.given == end] for end in (most, least))
    have = strong(f" {'has' if len(best) == 1 else 'have'} given out the most, ")
    said = sentence(_named(best), have, _share(best[0].allocated, best[0].place), "; ")
    return sentence(said, _named(worst), " the least, ", _share(worst[0].allocated, worst[0].place))


def _waiting(runs: Sequence[CardsAt]) -> Sentence:
    """Return in which runs the fewest pods have no node, and in which the most."""
    few, many = min(one.waiting for one in runs), max(one.waiting for one in runs)
    best, worst = ([one for one in runs if one.waiting == end] for end in (few, many))
    fewest = number(few, "pod has,pods have", at=best[0].place)
    if not many:
        return sentence("Every pod has a node in each of them")
    if few == many:
        return sentence(fewest, " no node in each of them")
    said = sentence(fewest, " no node in ", _names(best))
    return sentence(said, ", ", number(many, at=worst[0].place), " in ", _names(worst))


def _named(runs: Sequence[CardsAt]) -> Sentence:
    """Return the names of runs, of a single one with its policies."""
    return sentence(_names(runs), f" ({runs[0].policies})" if len(runs) == 1 else "")


def _names(runs: Iterable[CardsAt]) -> Names:
    return Names([_run(one) for one in runs])


def _run(one: CardsAt) -> Name:
    return Name("run", str(one.run), at=Place(run=one.run))


def _share(percent: float, at: Place | None = None) -> Number:
    return Number(percent / 100, measure="share", at=at)
