"""`sandtable sweep --snapshot FILE --vary NAME=VALUES`: a cluster under every combination of settings."""

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import msgspec

from dashboard.command_line.embedded import open_snapshot, scenario_of
from dashboard.command_line.live import cluster_options
from dashboard.command_line.printing import FORMATS, about, form, print_answer
from dashboard.command_line.progress import Shown
from dashboard.command_line.questions import cluster_at, edits_option, scheduler_option
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.server import Server, server_options
from dashboard.command_line.server_sweeps import ServerSweep
from dashboard.command_line.sources import list_of
from dashboard.command_line.varied import documents_of, listed

if TYPE_CHECKING:
    from dashboard.answers.answer import Answer
    from dashboard.models import Snapshot

ALL, BETTER, UNSURE = 0, 1, 4  # 3 is what `refusals` ends with
Dimensions = list[dict[str, Any]]
CSV = "csv"


class Played(NamedTuple):
    """A sweep that was played.

    runs: its runs as CSV. better: how many settings are ranked above today's, None where these are not
    ranked. is_whole: whether all runs were played to their end.
    """

    answer: "Answer"
    runs: str
    better: int | None
    is_whole: bool


@click.command()
@cluster_options
@click.option("--vary", multiple=True, metavar="NAME=VALUES", help="What varies, over values with commas.")
@click.option("--list", "lists", is_flag=True, help="Say what can vary, and end.")
@edits_option
@scheduler_option
@click.option("--driver", type=click.Choice(["instant", "timed"]), help="Without a clock or with one.")
@click.option("--seed", type=int, help="Draws between equal nodes; else the first by name is taken.")
@click.option("--keep-today", is_flag=True, help="Exit with 1 where a setting is better than today's.")
@server_options
@form((*FORMATS, CSV))
def command(
    snapshot: str,
    vary: tuple[str, ...],
    lists: bool,
    edits: str,
    keep_today: bool,
    server: str,
    token: str,
    form: str,
    **fields: Any,
) -> None:
    """Play a cluster, with edits or without, under every combination of some values, and rank the settings.

    NAME is a title or a path that --list prints, as `scheduler`, `seed` or `edits.0.count`. At most three
    things vary, in at most 200 runs. With --server the sweep stays there, with its runs. --format csv prints
    a line for each run, with every figure.

    \b
    Exit codes:
      0  every setting was played
      1  with --keep-today: a setting is better than today's
      3  what varies, an edit, or the snapshot, is wrong
      4  some settings were not played to their end
    """
    if not vary and not lists:
        refuse("--vary: is needed; --list says what can vary")
    asked: list[Any] = list_of(edits, "edits") if edits else []
    given = {name: value for name, value in fields.items() if value not in (None, "")}
    if server:
        asked_of = Server(server, token)
        cluster = cluster_at(asked_of, snapshot)
        played = _played_there(asked_of, snapshot, asked, given, vary, lists, form)
    else:
        with refusing(snapshot):
            opened = open_snapshot(snapshot)
        cluster = lambda: opened  # noqa: E731
        played = _played_here(opened, asked, given, vary, lists)
    if form == CSV:
        click.echo(played.runs, nl=False)
    else:
        print_answer(played.answer, form, about("A sweep", cluster))
    sys.exit(UNSURE if not played.is_whole else BETTER if keep_today and played.better else ALL)


def _played_here(
    snapshot: "Snapshot", edits: list[Any], given: dict[str, Any], vary: tuple[str, ...], lists: bool
) -> Played:
    from dashboard.answers.swept import answer_of_sweep
    from dashboard.answers.swept_file import runs_file
    from dashboard.services.results.sweeps_here import swept_here
    from dashboard.services.workspace.sweeps.choices import choices_of

    scheduler = given.pop("scheduler", "")
    with refusing():
        scenario = scenario_of(snapshot, edits, scheduler, **given)
        dimensions = [one.dimension for one in choices_of(scenario)]
        if lists:
            _list(dimensions)
        with Shown() as shown:
            found = swept_here(scenario, documents_of(vary, dimensions), shown.tell)
    is_whole = found.played == len(found.points)
    return Played(answer_of_sweep(found), runs_file(found), found.better, is_whole)


def _played_there(
    server: Server,
    snapshot: str,
    edits: list[Any],
    given: dict[str, Any],
    vary: tuple[str, ...],
    lists: bool,
    form: str,
) -> Played:
    from dashboard.answers.answer import Answer

    with ServerSweep(server, snapshot, edits, given) as sweep:
        if lists:
            _list(sweep.dimensions)
        told = sweep.played(documents_of(vary, sweep.dimensions))
    runs = server.read(f"sweeps/{told['id']}/", "text/csv").decode() if form == CSV else ""
    is_whole = all(point["state"] == "played" for point in told["points"])
    return Played(msgspec.convert(told["answer"], Answer), runs, told["better"], is_whole)


def _list(dimensions: list[Any]) -> None:
    click.echo(listed(dimensions), nl=False)
    sys.exit(ALL)
