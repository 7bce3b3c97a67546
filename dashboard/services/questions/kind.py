"""What a kind of question is: a name, the form of its answer, and how a warm world answers it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from scheduler_core.world.trials.warm_world import WarmWorld

Document = Mapping[str, Any]
A = TypeVar("A", bound=msgspec.Struct)


class Progress(Protocol):
    """What whoever answers tells of how far it is, and asks now and then."""

    def tell(self, done: int, of: int) -> None:
        """Say that so many of so many things are done."""

    def is_unwanted(self) -> bool:
        """Return whether nobody wants the answer any more: a trial's `stop`."""


def counting(progress: Progress) -> Callable[[object], None]:
    """Return what is to hear of every decision: it tells how many there were, of nobody knows how many."""
    done = count(1)
    return lambda _: progress.tell(next(done), 0)


@dataclass(frozen=True)
class QuestionKind(Generic[A]):
    """A kind of question. `answers` are structs of this type; `form` counts what becomes of the type.

    `answer` is given the world, which it leaves as it was, what was asked, and whom to tell its progress.
    It raises BadInput where what was asked can't be.
    """

    name: str
    form: int
    answers: type[A]
    answer: Callable[[WarmWorld, Document, Progress], A]
