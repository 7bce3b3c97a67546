"""One thing that was asked: how much of it was done, and the line about it."""

from typing import NamedTuple

from dashboard.answers.answer import Line, Verdict
from dashboard.answers.sentence import Sentence


class Thing(NamedTuple):
    """A thing asked. done and asked: in its own units (pods, nodes); says: the same in one sentence."""

    done: int
    asked: int
    says: Sentence
    line: Line

    @property
    def is_done(self) -> bool:
        """Whether all of it was done."""
        return self.done >= self.asked


def verdict_of(things: list[Thing], *, is_unsure: bool) -> Verdict:
    """Return the verdict over all things; `is_unsure`: what isn't known may change it."""
    if not things:
        return "nothing_asked"
    if all(thing.is_done for thing in things):
        return "unsure" if is_unsure else "fits"
    return "partly" if any(thing.done for thing in things) else "not"
