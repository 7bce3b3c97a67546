"""Answers by equivalence class, within a bound; each k-th that is given can be held against the plain one."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
A = TypeVar("A")


class KeptDiffers(AssertionError):
    """A kept answer is not the one that is given now."""


def classes_within(most_bytes: int, bytes_of_a_class: int) -> int:
    """Return how many classes fit into so many bytes, at least one."""
    return max(1, most_bytes // max(1, bytes_of_a_class))


class EquivalenceCache(Generic[K, A]):
    """What is kept for each class. The one that was asked for longest ago is forgotten first.

    `given` counts the answers that were given. Each `check_every`-th is to be checked (0: none is).
    """

    def __init__(self, check_every: int = 0) -> None:
        self._classes: OrderedDict[K, A] = OrderedDict()
        self._check_every = check_every
        self.given = 0

    def __len__(self) -> int:
        return len(self._classes)

    def find(self, known: K) -> A | None:
        """Return what is kept for a class that is asked for now."""
        found = self._classes.get(known)
        if found is not None:
            self._classes.move_to_end(known)
        return found

    def keep(self, known: K, answers: A, most: int) -> A:
        """Keep answers to a class, of no more than `most` classes, and return them."""
        self._classes[known] = answers
        while len(self._classes) > most:
            self._classes.popitem(last=False)
        return answers

    def drop(self, known: K) -> None:
        """Forget a class, if it is there."""
        self._classes.pop(known, None)

    def clear(self) -> None:
        """Forget all classes."""
        self._classes.clear()

    # -- the plain answers stay the measure ------------------------------------------------------------

    def count_given(self) -> bool:
        """Count an answer, and return whether it is to be checked."""
        self.given += 1
        return self.is_to_be_checked

    @property
    def is_to_be_checked(self) -> bool:
        """Whether the last answer that was given is to be checked."""
        return self._check_every > 0 and self.given % self._check_every == 0

    def require(self, same: bool, of: str) -> None:
        """Raise KeptDiffers where an answer is not the same; `of` names the pod."""
        if not same:
            raise KeptDiffers(f"an answer kept for {of} has changed")
