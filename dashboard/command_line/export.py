"""`sandtable export SNAPSHOT`: a snapshot as a file, without what an import never stores."""

from pathlib import Path

import click

from dashboard.command_line.embedded import open_snapshot
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.sources import FILE


@click.command()
@click.argument("snapshot", type=FILE)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file; else the standard output.")
@click.option("--format", "form", type=click.Choice(["json", "yaml"]), default="json", show_default=True)
@click.option("--anonymise", is_flag=True, help="Under other names; always JSON.")
@click.option("--key", default="", help="The same key gives the same names; else they are drawn.")
def command(snapshot: str, output: Path | None, form: str, anonymise: bool, key: str) -> None:
    """Write SNAPSHOT, a file or a number, as a List that kubectl and imports read.

    What must not be stored is left out: Secrets, commands, values of environment variables and the like.
    """
    with refusing(snapshot):
        opened = open_snapshot(snapshot)
    from dashboard.services.workspace.snapshots import export_json, export_yaml

    if anonymise:
        from dashboard.services.workspace.anonymising import anonymised, anonymised_file, secret_of

        data = anonymised_file(anonymised(opened, secret_of(key)))
    else:
        data = export_json(opened) if form == "json" else export_yaml(opened)
    if output is None:
        click.echo(data, nl=False)
        return
    try:
        output.write_bytes(data)
    except OSError as error:
        refuse(f"{output}: {error.strerror or error}")
