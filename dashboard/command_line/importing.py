"""`sandtable import FILE…`: sends files to a running Sandtable, which makes a snapshot of them."""

import io
import os
import tarfile
import time
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import click
import msgspec

from dashboard.command_line.progress import progress
from dashboard.command_line.refusals import refuse
from dashboard.command_line.sources import payloads_of

_SECONDS = 0.3
_TIMEOUT = 600.0


@click.command()
@click.argument("file", nargs=-1, required=True)
@click.option("--name", default="", help="The snapshot's name; else the first file's.")
@click.option(
    "--server",
    envvar="SANDTABLE_SERVER",
    default="",
    metavar="URL",
    help="Else the one on this machine (PORT).",
)
@click.option(
    "--token", envvar="SANDTABLE_TOKEN", default="", help="Else the first administrator's (DATA_DIR)."
)
def command(file: tuple[str, ...], name: str, server: str, token: str) -> None:
    """Send files, archives or folders to a Sandtable, and print the number of the snapshot."""
    payloads = payloads_of(file)
    asked = _Server(server or f"http://127.0.0.1:{os.environ.get('PORT', '8000')}", token or _own_token())
    called = name or Path(payloads[0][0]).name
    snapshot = asked.send(f"snapshots/?{urlencode({'name': called})}", _packed(payloads))
    with progress("Importing", 100) as advance:
        while snapshot.get("status") == "importing":
            time.sleep(_SECONDS)
            snapshot = asked.send(f"snapshots/{snapshot['id']}/")
            advance(snapshot)
    if snapshot.get("status") == "failed":
        refuse(*map(_said, snapshot.get("problems") or [{"message": "the import failed"}]))
    click.echo(snapshot["id"])


def _own_token() -> str:
    """Return the token that the first start of a Sandtable on this machine left in its data folder."""
    from dashboard import environment

    path = environment.data_path(environment.PROJECT) / "token"
    if not path.exists():
        refuse(f"--token: is needed; {path} is not there")
    return path.read_text().strip()


def _packed(payloads: list[tuple[str, bytes]]) -> bytes:
    """Return the files as one archive, in order."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for position, (name, data) in enumerate(payloads):
            entry = tarfile.TarInfo(f"{position:04}/{Path(name).name}")
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    return packed.getvalue()


class _Server:
    """A Sandtable's REST."""

    def __init__(self, url: str, token: str) -> None:
        if not url.startswith(("http://", "https://")):
            refuse(f"--server: {url} must begin with http:// or https://")
        self._url, self._token = url.rstrip("/"), token

    def send(self, path: str, body: bytes | None = None) -> dict[str, Any]:
        """Return what the server answers; a refusal is told and ends the command."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/gzip"}
        request = Request(f"{self._url}/api/v1/{path}", body, headers)  # noqa: S310
        try:
            with urlopen(request, timeout=_TIMEOUT) as response:  # noqa: S310
                found: dict[str, Any] = msgspec.json.decode(response.read())
        except HTTPError as error:
            refuse(*_refusals(error))
        except (URLError, OSError) as error:
            refuse(f"{self._url}: can't be reached: {getattr(error, 'reason', error)}")
        except msgspec.DecodeError:
            refuse(f"{self._url}: answers something that is no JSON: is it a Sandtable?")
        return found


def _refusals(error: HTTPError) -> list[str]:
    try:
        document = msgspec.json.decode(error.read())
        problems = document.get("errors") or [{"message": document.get("detail") or document["title"]}]
        return list(map(_said, problems))
    except (msgspec.DecodeError, AttributeError, KeyError):
        return [f"{error.code} {error.reason}"]


def _said(problem: dict[str, Any]) -> str:
    return ": ".join(filter(None, (problem.get("object"), problem.get("field"), problem.get("message"))))
