"""`sandtable came-true RUN`: what came of a run's prediction, asked of a running Sandtable."""

import sys

import click

from dashboard.command_line.printing import about, form, print_answer
from dashboard.command_line.questions import answer_in, cluster_at
from dashboard.command_line.server import Server, number_of, server_options

EXITS = {"came true": 0, "differs": 1, "can’t be told": 4}  # 3 is what `refusals` ends with


@click.command()
@click.argument("run", type=click.IntRange(1))
@click.option(
    "--snapshot", default="", metavar="NUMBER", help="Else the first reading that has all the run's changes."
)
@server_options
@form()
def command(run: int, snapshot: str, server: str, token: str, form: str) -> None:
    """Hold what RUN predicted against a later reading of its cluster.

    A running Sandtable is asked, as it keeps the readings; without --server the one on this machine.

    \b
    Exit codes:
      0  it came true
      1  it differs
      3  there is no later reading, the run has not finished, or a number is wrong
      4  it can't be told: not all changes were made, or the run decides about no pod
    """
    asked = Server(server, token)
    chosen = f"?snapshot={number_of(snapshot)}" if snapshot else ""
    told = asked.send(f"runs/{run}/came-true/{chosen}")
    seen_in = cluster_at(asked, str(told["held"]["snapshot"]))
    print_answer(answer_in(told), form, about(f"What came of run {run}", seen_in))
    sys.exit(EXITS[told["verdict"]])
