"""`sandtable export`: a snapshot as a file, or a run's answer as one page of HTML."""

from pathlib import Path

import click
import msgspec

from dashboard.command_line.embedded import open_snapshot, stored_run
from dashboard.command_line.live import context_options, live_of, refuse_both
from dashboard.command_line.progress import Shown
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.server import Server, number_of, server_options
from dashboard.command_line.sources import FILE


@click.command()
@click.argument("snapshot", type=FILE, default="")
@context_options
@click.option(
    "--run", type=click.IntRange(1), metavar="NUMBER", help="A run's answer, instead of a snapshot."
)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file; else the standard output.")
@click.option(
    "--format", "form", type=click.Choice(["json", "yaml"]), default="json", show_default=True,
    help="Of a snapshot.",
)  # fmt: skip
@click.option("--anonymise", is_flag=True, help="Under other names; always JSON.")
@click.option("--key", default="", help="The same key gives the same names; else they are drawn.")
@server_options
@click.pass_context
def command(
    ctx: click.Context,
    snapshot: str,
    run: int | None,
    output: Path | None,
    form: str,
    anonymise: bool,
    key: str,
    server: str,
    token: str,
) -> None:
    """Write SNAPSHOT, a file or a number, or the cluster of a context, as a List that kubectl reads.

    What must not be stored is left out: Secrets, commands, values of environment variables and the like.

    With --run, write what came of a run as one page of HTML that is read without Sandtable. Other commands
    write their answers so with `--format html`.
    """
    if snapshot or run:
        refuse_both(ctx)
    else:
        snapshot = live_of(ctx) or ""
    if bool(snapshot) == bool(run):
        raise click.UsageError("Name a SNAPSHOT, a --context, or a run by --run: one of them.")
    if server:
        asked = Server(server, token)
        data = _run_of(asked, run) if run else _snapshot_of(asked, snapshot, form, anonymise, key)
    else:
        data = _run(run) if run else _snapshot(snapshot, form, anonymise, key)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        refuse(f"{output}: {error.strerror or error}")


def _snapshot(snapshot: str, form: str, anonymise: bool, key: str) -> bytes:
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    if anonymise:
        from dashboard.services.workspace.anonymising import anonymised, anonymised_file, secret_of

        with Shown() as shown:
            return anonymised_file(anonymised(opened, secret_of(key), shown.tell))
    from dashboard.services.workspace.snapshots import export_json, export_yaml

    return export_json(opened) if form == "json" else export_yaml(opened)


def _snapshot_of(server: Server, snapshot: str, form: str, anonymise: bool, key: str) -> bytes:
    number = number_of(snapshot)
    if not anonymise:
        return server.read(f"snapshots/{number}/export/?format={form}", "*/*")
    told = server.send(f"snapshots/{number}/anonymised/", msgspec.json.encode({"key": key}))
    with Shown() as shown:
        while told.get("state") == "computing":
            shown.tell(told["done"], told["of"])
            told = server.send(f"snapshots/{number}/anonymised/{told['file']}/")
    return msgspec.json.encode(told)


def _run(number: int) -> bytes:
    run = stored_run(number)
    from dashboard.errors import NotYet
    from dashboard.services.results.run_answers import answer_now
    from dashboard.services.results.saved_answers import file_of_run

    try:
        answer = answer_now(run)
    except NotYet as reason:
        refuse(str(reason))
    return file_of_run(run, answer).encode()


def _run_of(server: Server, number: int) -> bytes:
    return server.read(f"runs/{number}/answer/", "text/html")
