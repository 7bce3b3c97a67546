"""How far a command is, on a terminal only, and beside the answer: on the stream for errors."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Self

import click

Advance = Callable[[object], None]


def _stay(step: object) -> None:
    """Nobody watches."""


class Shown:
    """Shows on a terminal how far an answer is, in a line that goes when it is there."""

    def __enter__(self) -> Self:
        self._is_seen = sys.stderr.isatty()
        return self

    def __exit__(self, *_: object) -> None:
        self._clear()

    def tell(self, done: int, of: int) -> None:
        """Say that so many of so many things are done; `of` is 0 where that isn't known."""
        if self._is_seen:
            self._clear()
            sys.stderr.write(f"{done:,} of {of:,}" if of else f"{done:,}")
            sys.stderr.flush()

    def tell_of(self, what: str, number: int) -> None:
        """Say of what so many have been read."""
        if self._is_seen:
            self._clear()
            sys.stderr.write(f"{number:,} {what}")
            sys.stderr.flush()

    def say(self, line: str) -> None:
        """Say what is waited for, also where nobody watches: it stays in a job's log."""
        self._clear()
        if line:
            click.echo(line, err=True)

    def _clear(self) -> None:
        if self._is_seen:
            sys.stderr.write("\r\033[K")  # not by click: without colours it would leave this out

    def is_unwanted(self) -> bool:
        """Return False: Ctrl-C ends the command."""
        return False


@contextmanager
def progress(label: str, steps: int) -> Iterator[Advance]:
    """Give what is told of each step; `steps` is about how many there will be."""
    if not sys.stderr.isatty():
        yield _stay
        return
    with click.progressbar(length=max(steps, 1), label=label, file=sys.stderr) as bar:
        yield lambda step: bar.update(1) if bar.pos < bar.length - 1 else None
