"""`sandtable import FILE…`: sends files to a running Sandtable, which makes a snapshot of them."""

import io
import tarfile
import time
from pathlib import Path
from urllib.parse import urlencode

import click

from dashboard.command_line.progress import progress
from dashboard.command_line.refusals import refuse
from dashboard.command_line.server import Server, said, server_options
from dashboard.command_line.sources import FILE, payloads_of

_SECONDS = 0.3


@click.command()
@click.argument("file", nargs=-1, required=True, type=FILE)
@click.option("--name", default="", help="The snapshot's name; else the first file's.")
@server_options
def command(file: tuple[str, ...], name: str, server: str, token: str) -> None:
    """Send files, archives or folders to a Sandtable, and print the number of the snapshot."""
    payloads = payloads_of(file)
    asked = Server(server, token)
    called = name or Path(payloads[0][0]).name
    snapshot = asked.send(f"snapshots/?{urlencode({'name': called})}", _packed(payloads), "application/gzip")
    with progress("Importing", 100) as advance:
        while snapshot.get("status") == "importing":
            time.sleep(_SECONDS)
            snapshot = asked.send(f"snapshots/{snapshot['id']}/")
            advance(snapshot)
    if snapshot.get("status") == "failed":
        refuse(*map(said, snapshot.get("problems") or [{"message": "the import failed"}]))
    click.echo(snapshot["id"])


def _packed(payloads: list[tuple[str, bytes]]) -> bytes:
    """Return the files as one archive, in order."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for position, (name, data) in enumerate(payloads):
            entry = tarfile.TarInfo(f"{position:04}/{Path(name).name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()
