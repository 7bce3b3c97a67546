"""What the command says of input that it can't take: object, field and reason, a line each; exit code 3."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import click

from scheduler_core.objects.problems import BadInput

WRONG = 3
"""The exit code of what can't be read, or names what isn't there."""


def refuse(*lines: str) -> NoReturn:
    """Say what is wrong, on the stream for errors, and end."""
    for line in lines:
        click.secho(f"Error: {line}", fg="red", err=True)
    sys.exit(WRONG)


@contextmanager
def refusing(of: str = "") -> Iterator[None]:
    """Tell of bad input what it is, after the name of what it is `of`, unless it begins with that itself."""
    name = "standard input" if of == "-" else of
    try:
        yield
    except BadInput as error:
        said = map(str, error.problems)
        refuse(*(one if one.startswith(name) else f"{name}: {one}" for one in said))
