"""What the command says of input that it can't take: object, field and reason, a line each; exit code 3."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NoReturn

import click

from scheduler_core.objects.problems import BadInput

WRONG = 3
"""The exit code of what can't be read, or names what isn't there."""


class Refusal(SystemExit):
    """The end of a command that has said what is wrong; `lines` are what it said."""

    def __init__(self, lines: Sequence[str]) -> None:
        super().__init__(WRONG)
        self.lines = lines


def refuse(*lines: str) -> NoReturn:
    """Say what is wrong, on the stream for errors, and end."""
    for line in lines:
        click.secho(f"Error: {line}", fg="red", err=True)
    raise Refusal(lines)


@contextmanager
def refusing(of: str = "") -> Iterator[None]:
    """Tell of bad input what it is, after the name of what it is `of`, unless it begins with that itself."""
    name = "standard input" if of == "-" else of
    try:
        yield
    except BadInput as error:
        said = map(str, error.problems)
        refuse(*(one if one.startswith(name) else f"{name}: {one}" for one in said))
