"""`sandtable would-fit NAME --snapshot FILE`: what would make pods fit that wait."""

import sys
from urllib.parse import urlencode

import click

from dashboard.command_line.asking import answer_in, found_here, scheduler_option, snapshot_option, told_by
from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.printing import form, print_answer
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.server import Server, server_options

FOUND, NOTHING = 0, 1  # 3 is what `refusals` ends with


@click.command()
@click.argument("name")
@snapshot_option
@scheduler_option
@click.option("--job", is_flag=True, help="NAME is a pod group.")
@server_options
@form()
def command(name: str, snapshot: str, scheduler: str, job: bool, server: str, token: str, form: str) -> None:
    """Say what would make the waiting pods of NAME fit: each change was tried.

    NAME is a pod, `namespace/name`, or a workload, `Kind/namespace/name`.

    \b
    Exit codes:
      0  a change was found, or all fit as it is
      1  no small change was found
      3  no pod of NAME waits, or the snapshot is wrong
    """
    whom = {"job" if job else "workload" if name.count("/") == 2 else "pod": name}
    if server:
        told = told_by(Server(server, token), snapshot, f"would-fit/?{urlencode(whom)}", scheduler=scheduler)
        print_answer(answer_in(told), form)
        result = told["result"]
        sys.exit(FOUND if result["proposals"] or result["placed"] == result["pods"] else NOTHING)
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    from dashboard.errors import NoSuchPod
    from dashboard.services.questions.of_snapshot import fitting_asked

    try:
        asked = fitting_asked(opened, **whom)
    except NoSuchPod as error:
        refuse(str(error))
    with refusing():
        found = found_here(asked.kind, asked.of, opened, scheduler)
    print_answer(asked.answer(found), form)
    sys.exit(FOUND if found.proposals or found.placed == found.pods else NOTHING)
