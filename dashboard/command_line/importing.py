"""`sandtable import FILE…`: sends files, or a cluster, to a running Sandtable, which makes a snapshot."""

import io
import tarfile
import time
from pathlib import Path
from urllib.parse import urlencode

import click

from dashboard.command_line.live import context_options, live_of, refuse_both
from dashboard.command_line.progress import progress
from dashboard.command_line.refusals import refuse, refusing
from dashboard.command_line.server import Server, said, server_options
from dashboard.command_line.sources import FILE, payloads_of

_SECONDS = 0.3


@click.command()
@click.argument("file", nargs=-1, type=FILE)
@context_options
@click.option("--name", default="", help="The snapshot's name; else the first file's.")
@server_options
@click.pass_context
def command(ctx: click.Context, file: tuple[str, ...], name: str, server: str, token: str) -> None:
    """Send files, archives or folders, or a context's cluster, to a Sandtable; print its number."""
    if file:
        refuse_both(ctx)
    live = None if file else live_of(ctx)
    if not file and live is None:
        raise click.UsageError("Name a FILE, or a --context.")
    asked = Server(server, token)
    with refusing(live or ""):
        payloads = live.read()[0] if live is not None else payloads_of(file)
    called = name or str(live or Path(payloads[0][0]).name)
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
