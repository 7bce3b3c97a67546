"""What services and queries refuse, each with a sentence for the reader; the API maps them to statuses."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import msgspec

from dashboard.shapes.problems import ProblemDocument
from scheduler_core.objects.problems import BadInput, Problem

if TYPE_CHECKING:
    from dashboard.models import Snapshot

Entry = TypeVar("Entry")

LISTED_PROBLEMS = 200
"""How many problems are stored or shown; one more line says how many there are besides."""


def listed(entries: Sequence[Entry], say: Callable[[str], Entry]) -> list[Entry]:
    """Return the entries; of too many the first, and what `say` makes of the number of the others."""
    more = len(entries) - LISTED_PROBLEMS
    if more <= 1:
        return list(entries)
    return [*entries[:LISTED_PROBLEMS], say(f"and {more:,} more")]


def listed_problems(problems: Sequence[Problem]) -> list[Problem]:
    """Return the first problems, and how many more there are."""
    return listed(problems, lambda words: Problem("", "", words))


def problem_documents(problems: Sequence[Problem]) -> list[ProblemDocument]:
    """Return the first problems as they are stored and shown."""
    return [msgspec.to_builtins(problem) for problem in listed_problems(problems)]


def sentence_of(problem: Problem) -> str:
    """Say a problem with its place."""
    place = " ".join(part for part in (problem.object, problem.field) if part)
    return f"{place}: {problem.message}" if place else problem.message


def sentences_of(error: BadInput) -> str:
    """Say the first problems with their places, and how many more there are, in one line."""
    return "; ".join(map(sentence_of, listed_problems(error.problems)))


class Refused(Exception):
    """Base of all refusals; `str()` is a sentence for the reader."""


class VersionConflict(Refused):
    """An update named another version of a scenario than the present one (412)."""

    def __init__(self, named: int, present: int) -> None:
        super().__init__(f"The scenario is at version {present}, the change was made to version {named}.")
        self.named = named
        self.present = present


class HasDependents(Refused):
    """A deletion was refused because something depends on the object (409)."""

    def __init__(self, thing: str, dependents: Sequence[str]) -> None:
        super().__init__(f"{thing} is used by {', '.join(dependents)}; delete them too with cascade.")
        self.dependents = list(dependents)


class OthersInTheWay(HasDependents):
    """A deletion would take along what others made; only an admin may do that (403)."""

    def __init__(self, dependents: Sequence[str]) -> None:
        Refused.__init__(self, f"This would also delete {', '.join(dependents)}; that needs the role admin.")
        self.dependents = list(dependents)


class NotPossibleNow(Refused):
    """The object's status doesn't allow this (409): a run that has ended, a snapshot still importing."""


class WaitedTooLong(Refused):
    """Others, or a slow database, kept the request from its turn; nothing was done (503): try again."""


class NotYet(Refused):
    """What was asked for isn't stored yet (409): a later attempt may find it."""


class PutAway(NotYet):
    """A reading of a cluster is stored as a delta (409): whoever tells it brings it back first.

    snapshot: its row.
    """

    def __init__(self, snapshot: "Snapshot") -> None:
        super().__init__(
            f"Snapshot {snapshot.pk}, {snapshot.name}, is stored as a delta and is being brought back:"
            " ask again in some seconds."
        )
        self.snapshot = snapshot


class AlreadyDeleted(Refused):
    """What was to be deleted is gone (404): somebody else has just deleted it."""

    def __init__(self, thing: str) -> None:
        super().__init__(f"{thing} was deleted meanwhile.")


class NoSuchDecision(Refused):
    """The log has no decision of that number (404)."""

    def __init__(self, seq: int, last: int) -> None:
        super().__init__(f"There is no decision {seq}; the log reaches {last}.")


class NoSuchNode(Refused):
    """The state before the decision has no node of that name (404)."""


class NotInSession(Refused):
    """The decision is no step of a session, or what was named takes no part in it (404)."""


class NoCards(Refused):
    """The run has no cards that HAMi would share."""


class NoSuchPod(Refused):
    """The state after the decision has no such pod (404)."""


class RecordedByOtherEngine(Refused):
    """The engine of today doesn't repeat the stored log (409): never a mixture of the two."""

    def __init__(self, engine_version: str) -> None:
        super().__init__(f"Recorded by engine {engine_version}; run again to look into its decisions.")
        self.engine_version = engine_version


class ReplayTooLong(Refused):
    """A request would have replayed for too long, since no checkpoint near can be read (503): ask again."""

    def __init__(self, at: int, wanted: int) -> None:
        super().__init__(
            f"Decision {wanted} is far from any checkpoint that can be read: the replay has come to {at}"
            " in the time that a question may take. Ask again: explanations go on from there."
        )


class LeaseLost(Exception):
    """Another worker has taken the work over, or it is gone; the present one must stop at once."""
