"""A running Sandtable, asked over REST."""

import os
import re
import time
from collections.abc import Callable
from http import HTTPStatus
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

import click
import msgspec

from dashboard.command_line.progress import Shown
from dashboard.command_line.refusals import refuse

_TIMEOUT = 600.0


class _Stay(HTTPRedirectHandler):
    """Follows nobody to another address: the token is for this one."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Let a redirect be told as a refusal."""


_opener = build_opener(_Stay)


def server_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options `--server` and `--token`."""
    url = click.option(
        "--server", envvar="SANDTABLE_SERVER", default="", metavar="URL", help="A running Sandtable."
    )
    token = click.option(
        "--token", envvar="SANDTABLE_TOKEN", default="", help="Its token; else of DATA_DIR on this machine."
    )
    return url(token(command))


def number_of(snapshot: str) -> int:
    """Return the number of a server's snapshot; what is none is told and ends the command."""
    if not snapshot.isdigit():
        refuse("--snapshot: must be the number of a snapshot of the server; `sandtable import` prints it")
    return int(snapshot)


class Server:
    """A Sandtable; without a URL the one on this machine."""

    def __init__(self, url: str, token: str) -> None:
        url = url or f"http://127.0.0.1:{os.environ.get('PORT', '8000')}"
        if not url.startswith(("http://", "https://")):
            refuse(f"--server: {url} must begin with http:// or https://")
        self._url, self._token = url.rstrip("/"), token or _own_token()

    def asked(self, snapshot: str, path: str, body: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what a worker answers about a snapshot, which is asked again until it does."""
        number = number_of(snapshot)
        content, waits_for = None if body is None else msgspec.json.encode(body), ""
        with Shown() as shown:
            while True:
                told = self.send(f"snapshots/{number}/{path}", content)
                if told["state"] == "answered":
                    return told
                waits, _, _ = told["stage"].partition("; ")  # what follows is how long by now
                if waits != waits_for:
                    waits_for = waits
                    shown.say(told["stage"])
                if told.get("done"):
                    shown.tell(told["done"], told["of"])

    def send(self, path: str, body: bytes | None = None, form: str = "application/json") -> dict[str, Any]:
        """Return what the server answers; a refusal is told and ends the command."""
        return self._sent("GET" if body is None else "POST", path, body, form)

    def read(self, path: str, media_type: str) -> bytes:
        """Return a file as the server writes it; a refusal is told and ends the command."""
        return self._bytes("GET", path, None, {"Accept": media_type})

    def delete(self, path: str) -> None:
        """Delete what has this path; a refusal is told and ends the command."""
        self._sent("DELETE", path)

    def _sent(
        self, method: str, path: str, body: bytes | None = None, form: str = "application/json"
    ) -> dict[str, Any]:
        told = self._bytes(method, path, body, {"Content-Type": form})
        try:
            found: dict[str, Any] = msgspec.json.decode(told or b"{}")
        except msgspec.DecodeError:
            refuse(f"{self._url}: answers something that is no JSON: is it a Sandtable?")
        return found

    def _bytes(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> bytes:
        headers = {"Authorization": f"Bearer {self._token}", **headers}
        request = Request(f"{self._url}/api/v1/{path}", body, headers, method=method)  # noqa: S310
        until = time.monotonic() + _TIMEOUT
        while True:
            try:
                with _opener.open(request, timeout=_TIMEOUT) as response:
                    return bytes(response.read())
            except HTTPError as error:
                pause = _pause(error)
                if pause is None or time.monotonic() > until:
                    refuse(*_refusals(error, path))
                time.sleep(pause)
            except (URLError, OSError) as error:
                refuse(f"{self._url}: can't be reached: {getattr(error, 'reason', error)}")


def _pause(error: HTTPError) -> float | None:
    """Return the seconds after which to ask again for a reading that is brought back; None for others."""
    after = error.headers.get("Retry-After", "")
    return float(after) if error.code == HTTPStatus.CONFLICT and after.isdigit() else None


def _own_token() -> str:
    """Return the token that the first start of a Sandtable on this machine left in its data folder."""
    from dashboard import environment

    path = environment.data_path(environment.PROJECT) / "token"
    if not path.exists():
        refuse(f"--token: is needed; {path} is not there")
    return path.read_text().strip()


def _refusals(error: HTTPError, path: str) -> list[str]:
    missing = re.match(r"(snapshot|run|scenario)s/(\d+)/", path)
    try:
        document = msgspec.json.decode(error.read())
        if missing and "nothing at this address" in str(document):
            return [f"there is no {missing[1]} {missing[2]}"]
        problems = document.get("errors") or [{"message": document.get("detail") or document["title"]}]
        return list(map(said, problems))
    except (msgspec.DecodeError, AttributeError, KeyError):
        return [f"{error.code} {error.reason}"]


def said(problem: dict[str, Any]) -> str:
    """Return a problem in a line: object, field and reason."""
    return ": ".join(filter(None, (problem.get("object"), problem.get("field"), problem.get("message"))))
