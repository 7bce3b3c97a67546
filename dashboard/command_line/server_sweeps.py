"""A sweep that a running Sandtable plays."""

import time
from typing import Any, Self

import click
import msgspec

from dashboard.command_line.progress import Shown
from dashboard.command_line.server import Server, number_of
from dashboard.shapes.swept import Dimension

_SECONDS = 0.3
Document = dict[str, Any]


class ServerSweep:
    """A scenario of the server's that is made for a sweep; it goes again where none came of it."""

    def __init__(self, server: Server, snapshot: str, edits: list[Any], given: Document) -> None:
        number = number_of(snapshot)
        self._server, self._sweep = server, ""
        fields = {**given, "scheduler": {"profile": given["scheduler"]}} if "scheduler" in given else given
        body = {"name": "sweep", "snapshot": number, "edits": edits, **fields}
        made = server.send("scenarios/", msgspec.json.encode(body))
        self._address = f"scenarios/{made['id']}/"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if not self._sweep:
            self._server.delete(self._address)
        elif kind is not None and issubclass(kind, KeyboardInterrupt):
            self._server.send(f"{self._sweep}cancel/", b"{}")

    @property
    def dimensions(self) -> list[Dimension]:
        """All that can vary."""
        return msgspec.convert(self._server.send(f"{self._address}sweeps/")["choices"], list[Dimension])

    def played(self, dimensions: list[Document]) -> Document:
        """Have it played, and return all that is told of it at its end."""
        body = msgspec.json.encode({"dimensions": dimensions})
        told = self._server.send(f"{self._address}sweeps/", body)
        self._sweep = f"sweeps/{told['id']}/"
        click.echo(f"Sweep {told['id']} of scenario {told['scenario']}", err=True)
        with Shown() as shown:
            while told["state"] == "playing":
                shown.tell(told["done"], told["of"])
                time.sleep(_SECONDS)
                told = self._server.send(self._sweep)
        return told
