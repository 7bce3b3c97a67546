"""Who looks on while a pod is placed on a node: for explanations, which tell of every card that was tried.

Vendors that choose among all cards at once (kunlun, XPU, several AWS Neurons) try none by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from scheduler_core.hami.rules.cards import Request, Taken, Usage


class Watch(Protocol):
    """Sees containers in the order in which they are placed, and the cards that each tries."""

    def asks(self, container: int, request: Request, cards: Sequence[Usage], cores: Sequence[int]) -> None:
        """A container asks for a vendor's cards: init containers come first.

        Cards are tried from the end. `cores`: how many each card has for this pod.
        """

    def tries(self, usage: Usage, reason: str) -> None:
        """A card is tried; `reason` is what stands against it, or empty."""

    def gets(self, taken: Sequence[Taken] | None, reason: str) -> None:
        """The container gets these cards, with the slices that are cut for it, or None for this reason."""


_WATCH: ContextVar[Watch | None] = ContextVar("watch", default=None)


def watcher() -> Watch | None:
    """Return who looks on, None where nobody does."""
    return _WATCH.get()


@contextmanager
def watched_by(watch: Watch) -> Iterator[None]:
    """Let somebody look on while the block runs."""
    before = _WATCH.set(watch)
    try:
        yield
    finally:
        _WATCH.reset(before)
