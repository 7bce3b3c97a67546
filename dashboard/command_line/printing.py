"""Prints an answer in the form that was asked for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import click
import msgspec

from dashboard.answers.answer import Answer, Verdict
from dashboard.answers.printers.markdown import markdown
from dashboard.answers.printers.text import text
from dashboard.answers.printers.words import plain

if TYPE_CHECKING:
    from dashboard.models import Snapshot

FORMATS = ("text", "markdown", "html", "json")
File = Callable[[Answer], str]
"""Makes of an answer one HTML file that is read without a server."""
_COLOURS: dict[Verdict, str] = {"fits": "green", "partly": "yellow", "not": "red", "unsure": "yellow"}


def form(formats: Sequence[str] = FORMATS) -> Callable[[click.Command], click.Command]:
    """Return the option `--format`."""
    return click.option(
        "--format", "form", type=click.Choice(formats), default="text", show_default=True, help="Its form."
    )


def about(title: str, cluster: Callable[[], "Snapshot"]) -> File:
    """Return how an answer about a cluster becomes a file; `title` says what the answer is."""

    def file(answer: Answer) -> str:
        from dashboard.services.results.saved_answers import file_of_answer

        return file_of_answer(title, cluster(), answer)

    return file


def print_answer(answer: Answer, form: str, file: File) -> None:
    """Print an answer; on a terminal its first sentence has the colour of the verdict."""
    if form == "json":
        click.echo(msgspec.json.format(msgspec.json.encode(answer)).decode())
    elif form == "html":
        click.echo(file(answer), nl=False)
    elif form == "markdown":
        click.echo(markdown(answer), nl=False)
    else:
        lead = plain(answer.lead)
        colour = _COLOURS.get(answer.verdict)
        click.secho(lead, fg=colour, bold=True)
        click.echo(text(answer).removeprefix(f"{lead}\n"), nl=False)
