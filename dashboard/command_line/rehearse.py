"""`sandtable rehearse NODE… --snapshot FILE`: how an upgrade of nodes would go."""

import sys
from typing import Any

import click

from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.printing import FORMATS, about, form, print_answer
from dashboard.command_line.questions import answer_in, cluster_at, found_here, nodes_option, plan_of, told_by
from dashboard.command_line.refusals import refusing
from dashboard.command_line.server import Server, server_options

ALL, NOT, UNSURE = 0, 1, 4  # 3 is what `refusals` ends with


@click.command()
@nodes_option
@click.option("--together", type=click.IntRange(1), help="So many nodes at a time; else one by one.")
@click.option("--order", type=click.Choice(["given", "zone", "name"]), help="In which order.")
@click.option("--surge", type=click.IntRange(0), help="So many new nodes, like the first one, come before.")
@click.option("--timeout", type=float, help="Seconds after which a node is given up.")
@click.option("--back", type=float, help="Seconds from when a node is empty until it is back.")
@click.option("--ready-seconds", type=float, help="Seconds until a copy is Ready whose probes don't say.")
@server_options
@form((*FORMATS, "runbook"))
def command(snapshot: str, server: str, token: str, form: str, node: tuple[str, ...], **asked: Any) -> None:
    """Say how an upgrade would go of each NODE, or of a --selector or a --group, one after the other.

    Nodes are drained under budgets by the clock, evictions are asked for again, and copies become ready. What
    would change it is played too. The form `runbook` is Markdown for whoever does it. Nothing is applied.

    \b
    Exit codes:
      0  all nodes are emptied, and no pod stays down for it
      1  some are not: a budget, or the time; or pods are pending at the end, or gone for good
      3  the nodes, or the snapshot, are wrong
      4  it was ended before its last decision
    """
    plan = plan_of(node, asked)
    if server:
        asked_of = Server(server, token)
        told = told_by(asked_of, snapshot, "rehearsal/", plan)
        answer, book, cluster = answer_in(told), told["runbook"], cluster_at(asked_of, snapshot)
    else:
        with refusing(snapshot):
            opened = open_snapshot(snapshot)
        from dashboard.answers.rehearsed import answer_of
        from dashboard.answers.runbook import runbook
        from dashboard.services.questions.rehearsal import KIND

        clock = {name: plan.pop(name) for name in ("ready_seconds",) if name in plan}
        with refusing():
            found = found_here(KIND, plan, opened, driver="timed", moving=True, **clock)
        answer = answer_of(found, opened.pk)
        book = runbook(found, opened.name, opened.content_hash)
        cluster = lambda: opened  # noqa: E731
    if form == "runbook":
        click.echo(book, nl=False)
    else:
        print_answer(answer, form, about("A rehearsal", cluster))
    sys.exit({"fits": ALL, "unsure": UNSURE}.get(answer.verdict, NOT))
