"""`sandtable headroom WORKLOAD… --snapshot FILE`: how many more pods fit."""

import sys
from urllib.parse import urlencode

import click

from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.live import cluster_options
from dashboard.command_line.printing import about, form, print_answer
from dashboard.command_line.questions import answer_in, cluster_at, found_here, scheduler_option, told_by
from dashboard.command_line.refusals import refusing
from dashboard.command_line.server import Server, server_options

FITS, NOT, UNSURE = 0, 1, 4  # 3 is what `refusals` ends with
MOST = 1_000


@click.command()
@click.argument("workload", nargs=-1)
@cluster_options
@scheduler_option
@click.option("--most", type=click.IntRange(1, 10_000), default=MOST, show_default=True, help="Of each.")
@click.option("--least", type=click.IntRange(1), help="Exit with 1 where fewer than so many more fit.")
@server_options
@form()
def command(
    workload: tuple[str, ...],
    snapshot: str,
    scheduler: str,
    most: int,
    least: int | None,
    server: str,
    token: str,
    form: str,
) -> None:
    """Say how many more pods fit like those of WORKLOAD, `Kind/namespace/name`.

    Without one it is said of the five workloads with most pods, each asked alone. Nothing is applied
    anywhere.

    \b
    Exit codes:
      0  it was counted
      1  fewer than --least more fit
      3  a workload, or the snapshot, is wrong
      4  with --least: not so many were counted before somebody ended it, or nothing was counted
    """
    if least is not None and least > most:
        most = least
    if server:
        query = urlencode([*(("workload", one) for one in workload), ("most", most)])
        asked_of = Server(server, token)
        told = told_by(asked_of, snapshot, f"headroom/?{query}", scheduler=scheduler)
        print_answer(answer_in(told), form, about("Headroom", cluster_at(asked_of, snapshot)))
        counts = [(int(room["fit"]), room["ended_by"]) for room in told["result"]["rooms"]]
        untried = told["result"]["untried"]
    else:
        with refusing(snapshot):
            opened = open_snapshot(snapshot)
        from dashboard.services.questions.of_snapshot import headroom_asked

        asked = headroom_asked(workload, most)
        with refusing():
            found = found_here(asked.kind, asked.of, opened, scheduler, moving=True)
        print_answer(asked.answer(found), form, about("Headroom", lambda: opened))
        counts, untried = [(room.fit, room.ended_by) for room in found.rooms], found.untried
    short = [ended_by for count, ended_by in counts if least is not None and count < least]
    if any(ended_by != "stopped" for ended_by in short):
        sys.exit(NOT)
    is_unknown = least is not None and (untried or not counts)
    sys.exit(UNSURE if short or is_unknown else FITS)
