"""`sandtable consolidate NODE… --snapshot FILE`: which nodes can be given back for good."""

import sys
from typing import Any

import click

from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.printing import about, form, print_answer
from dashboard.command_line.questions import (
    answer_in,
    cluster_at,
    found_here,
    nodes_option,
    plan_of,
    scheduler_option,
    told_by,
)
from dashboard.command_line.refusals import refusing
from dashboard.command_line.server import Server, server_options
from dashboard.command_line.sources import FILE, text_of

FOUND, NONE, UNSURE = 0, 1, 4  # 3 is what `refusals` ends with
EXITS = {"not": NONE, "unsure": UNSURE}


@click.command()
@nodes_option
@click.option(
    "--prices", type=FILE, metavar="FILE", help="Prices an hour: a line `label=value: 0.768` each, or CSV."
)
@click.option(
    "--seconds", type=click.IntRange(min=1), help="So long nodes are tried: 120, an hour at the most."
)
@click.option("--local-storage", is_flag=True, help="The data of emptyDir volumes may be lost.")
@scheduler_option
@server_options
@form()
def command(
    snapshot: str,
    scheduler: str,
    server: str,
    token: str,
    form: str,
    node: tuple[str, ...],
    prices: str | None,
    local_storage: bool,
    seconds: int | None,
    **chosen: Any,
) -> None:
    """Say which nodes can be given back for good, in which order, and what that saves.

    Each NODE is tried, or those of a --selector or a --group, else all. Their pods are placed by the
    scheduler itself; nobody is evicted for them. Nothing is applied anywhere.

    \b
    Exit codes:
      0  at least one node can be given back
      1  none can
      3  the nodes, the prices, or the snapshot, are wrong
      4  none of those tried can, and others were not tried
    """
    plan = plan_of(node, chosen)
    priced = text_of(prices) if prices else ""
    if server:
        body = {**plan, "price_lines": priced, "local_storage": local_storage}
        if seconds is not None:
            body["seconds"] = seconds
        asked_of = Server(server, token)
        answer = answer_in(told_by(asked_of, snapshot, "consolidation/", body, scheduler=scheduler))
        cluster = cluster_at(asked_of, snapshot)
    else:
        with refusing(snapshot):
            opened = open_snapshot(snapshot)
        from dashboard.answers.consolidated import answer_of
        from dashboard.services.questions.consolidation import KIND
        from dashboard.services.workspace.consolidating import asked_for

        with refusing():
            asked = asked_for(plan or None, priced, local_storage=local_storage, seconds=seconds)
            found = found_here(KIND, asked, opened, scheduler, driver="instant", moving=True)
        answer, cluster = answer_of(found, opened.pk), lambda: opened
    print_answer(answer, form, about("Nodes to give back", cluster))
    sys.exit(EXITS.get(answer.verdict, FOUND))
