"""How far a command is, on a terminal only, and beside the answer: on the stream for errors."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click

Advance = Callable[[object], None]


def _stay(step: object) -> None:
    """Nobody watches."""


@contextmanager
def progress(label: str, steps: int) -> Iterator[Advance]:
    """Give what is told of each step; `steps` is about how many there will be."""
    if not sys.stderr.isatty():
        yield _stay
        return
    with click.progressbar(length=max(steps, 1), label=label, file=sys.stderr) as bar:
        yield lambda step: bar.update(1) if bar.pos < bar.length - 1 else None
