"""The order of a start: folder and port, broker, database, web, welcome, workers, reaper, samples."""

import asyncio
import contextlib
import fcntl
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from dashboard import environment
from dashboard.disk_room import settle_reserve
from dashboard.environment import write_private
from dashboard.supervisor import forking, parts
from dashboard.supervisor.broker import new_broker
from dashboard.supervisor.listening import PortUnavailable, is_loopback, take_port
from dashboard.supervisor.parts import Part
from dashboard.supervisor.supervision import StartFailed, Supervisor


@dataclass(frozen=True)
class Choices:
    """What the person who starts chose; empty addresses mean the embedded broker."""

    host: str
    port: int
    data_folder: Path
    broker_url: str
    channel_layer_url: str
    with_samples: bool

    @property
    def address(self) -> tuple[str, int]:
        """Where this machine itself reaches the web server."""
        unspecified = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104  compared, not bound
        return unspecified.get(self.host, self.host), self.port

    @property
    def base_url(self) -> str:
        """The address to print."""
        host = self.address[0]
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"


class FolderInUse(Exception):
    """Another start holds the data folder."""


@contextlib.contextmanager
def sole_use(folder: Path, mode: str = "w") -> Iterator[None]:
    """Hold the data folder against a second start; the lock goes with this process, however it ends.

    Opened with the mode "r", a folder that nobody has used yet stays as it is and raises FileNotFoundError.
    """
    with (folder / "up.lock").open(mode) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise FolderInUse(
                f"{folder} is in use by another start. Stop that one, or choose another: DATA_DIR=… make run"
            ) from error
        yield


def refuse_early() -> None:
    """Raise what ``up`` would refuse, without leaving a trace: call it before Django loads the settings.

    Those make the data folder with a secret and logs, which a start that is refused must not leave behind.
    Raises ImproperlyConfigured, FolderInUse or PortUnavailable.
    """
    host, port, folder = (
        environment.value("HOST"),
        environment.value("PORT"),
        environment.data_path(environment.PROJECT),
    )
    try:
        take_port(host, port).close()
    except PortUnavailable:
        with contextlib.suppress(OSError), sole_use(folder, "r"):
            pass  # if another start holds the folder, it holds the port as well, and its name helps more
        raise
    # From here on it may be made, and is refused if it cannot be.
    environment.data_folder(environment.PROJECT)


def up(choices: Choices, say: Callable[[str], None]) -> None:
    """Start everything and serve until a signal; raises FolderInUse, PortUnavailable or StartFailed."""
    with sole_use(choices.data_folder), take_port(choices.host, choices.port) as listener:
        settle_reserve()
        asyncio.run(_serve(choices, listener, say))


async def _serve(choices: Choices, listener: socket.socket, say: Callable[[str], None]) -> None:
    supervisor = Supervisor(say)
    supervisor.listen_to_signals()
    stop_asked = asyncio.ensure_future(supervisor.stop_asked.wait())
    with tempfile.TemporaryDirectory(prefix="sandtable-") as scratch:
        starting = asyncio.ensure_future(_start_all(supervisor, choices, listener, Path(scratch)))
        try:
            await asyncio.wait({starting, stop_asked}, return_when=asyncio.FIRST_COMPLETED)
            if starting.done():
                starting.result()
                await stop_asked
        finally:
            starting.cancel()
            await asyncio.wait({starting})
            await supervisor.stop()
            (choices.data_folder / "broker_url").unlink(missing_ok=True)
            say("Stopped.")


async def _start_all(
    supervisor: Supervisor, choices: Choices, listener: socket.socket, scratch: Path
) -> None:
    broker_url = await _start_broker(supervisor, choices, scratch)
    await supervisor.run_step(parts.step("prepare", *_prepare_options(choices)))
    await supervisor.start(parts.web(listener, choices.address))
    welcome = parts.step("welcome", choices.base_url)
    await _try_step(
        supervisor, welcome, f"Sandtable is ready: {choices.base_url}/, but no link could be made"
    )
    await supervisor.start(
        parts.worker(scratch / "worker-ready", broker_url),
        parts.importer(scratch / "importer-ready", broker_url),
        parts.answerer(scratch / "answerer-ready", broker_url),
        parts.reaper(),
    )
    if choices.with_samples:
        samples = parts.step("load_samples", "--gently", "--verbosity", "0")
        await _try_step(supervisor, samples, "The samples could not be loaded")


async def _start_broker(supervisor: Supervisor, choices: Choices, scratch: Path) -> str:
    """Start the embedded broker unless both addresses are given, and the import of what all other parts need.

    Returns the broker's address.
    """
    if choices.broker_url:
        _begin_import(choices, choices.broker_url)
        return choices.broker_url
    embedded = new_broker(scratch)
    _begin_import(choices, embedded.url)
    await supervisor.start(parts.broker(embedded, choices.data_folder / "logs"))
    note_broker(choices.data_folder, embedded.url)
    return embedded.url


def _begin_import(choices: Choices, broker_url: str) -> None:
    forking.begin(
        {
            "DATA_DIR": str(choices.data_folder),
            "SANDTABLE_BROKER_URL": broker_url,
            "SANDTABLE_CHANNEL_LAYER_URL": choices.channel_layer_url or broker_url,
        }
    )


def note_broker(folder: Path, broker_url: str) -> None:
    """Tell commands run by hand meanwhile; StartFailed where there is no room even for that."""
    try:
        write_private(folder / "broker_url", broker_url)
    except OSError as error:
        raise StartFailed(f"Nothing can be written to {folder}: {error.strerror}.") from error


def _prepare_options(choices: Choices) -> list[str]:
    return [] if is_loopback(choices.host) else ["--public"]


async def _try_step(supervisor: Supervisor, step: Part, otherwise: str) -> None:
    """Run a step that is a help, not a condition: without it the product still serves, on a full disk too."""
    try:
        await supervisor.run_step(step)
    except StartFailed as failure:
        supervisor.say(f"  {otherwise}: {failure}")
