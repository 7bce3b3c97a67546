"""Parts of Python's are forked from one process that has imported the project: one import for all of them.

The standard library's fork server does it. It begins while the supervisor still does other things, imports
`imported`, and forks a process for each part, each time that one starts. Where there is none (macOS), each
process imports for itself. Whoever ends with whom: a part with the fork server, that one with the supervisor.
"""

import asyncio
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from multiprocessing.process import BaseProcess
from typing import Any

from setproctitle import setproctitle

from dashboard.environment import PROJECT, value
from dashboard.logs import configure
from dashboard.supervisor.lifeline import end_with_parent

SUPERVISOR = "SANDTABLE_SUPERVISOR"
SERVER = "SANDTABLE_FORK_SERVER"
"""Numbers of processes, for those that are to end with them."""
HAS_SERVER = sys.platform == "linux"

_one_at_a_time = threading.Lock()


def begin(environment: Mapping[str, str]) -> None:
    """Let the fork server import the project in this environment, without waiting for it."""
    paths = [str(PROJECT), *filter(None, [os.environ.get("PYTHONPATH")])]
    os.environ.update(environment)
    own = {"PYTHONPATH": os.pathsep.join(paths), SUPERVISOR: str(os.getpid()), "SPT_NOENV": "1"}
    os.environ.update(own)  # the last keeps what processes are called out of the room of their environment
    if HAS_SERVER:
        _context().set_forkserver_preload(["dashboard.supervisor.imported"])
        forkserver.ensure_running()


class Forked:
    """The running process of one part, as asyncio's own processes are asked."""

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self._loop = asyncio.get_running_loop()
        self._ended = self._loop.create_future()
        self._loop.add_reader(process.sentinel, self._note_end)

    @property
    def pid(self) -> int:
        """The process' number, which is that of its group as well."""
        return self._process.ident or 0

    @property
    def returncode(self) -> int | None:
        """How it ended; negative for a signal. None while it runs."""
        return self._ended.result() if self._ended.done() else None

    async def wait(self) -> int:
        """Wait for its end; return how it ended."""
        return await asyncio.shield(self._ended)

    def send_signal(self, number: int) -> None:
        """Send it a signal. Raises ProcessLookupError if it has ended."""
        if self.returncode is not None:
            raise ProcessLookupError
        os.kill(self.pid, number)

    def _note_end(self) -> None:
        self._loop.remove_reader(self._process.sentinel)
        code = self._process.exitcode
        self._ended.set_result(255 if code is None else code)


def title(part: str) -> str:
    """What the process of a part is called, as `ps` shows it; Celery calls its workers otherwise."""
    return f"sandtable: {part}"


async def fork(
    name: str, target: Callable[..., None], arguments: tuple[Any, ...], environment: Mapping[str, str]
) -> Forked:
    """Start a process in a group of its own that calls the target. Raises OSError."""
    own = {**environment, "SANDTABLE_PART": name}
    process = _context().Process(name=name, target=_run, args=(target, arguments, own))  # type: ignore[attr-defined]
    if HAS_SERVER:
        forkserver.ensure_running()  # by this thread, with which the server would end
    starting = asyncio.ensure_future(asyncio.to_thread(_start, process))
    try:
        await asyncio.shield(starting)
    except asyncio.CancelledError:
        await starting
        process.kill()
        raise
    except EOFError as error:
        raise OSError("the process that starts parts has ended") from error
    return Forked(process)


def _context() -> BaseContext:
    return multiprocessing.get_context("forkserver" if HAS_SERVER else "spawn")


def _start(process: BaseProcess) -> None:
    with _one_at_a_time:
        process.start()


def _run(target: Callable[..., None], arguments: tuple[Any, ...], environment: Mapping[str, str]) -> None:
    """Begin a part's own life: its group, its end, its environment, its log."""
    os.setsid()
    end_with_parent(int(os.environ.get(SERVER, os.getppid())))
    os.environ.update(environment)
    setproctitle(title(environment["SANDTABLE_PART"]))
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from django.conf import settings  # loads the settings, where no fork server has

    configure(settings.DATA_DIR / "logs", value("SANDTABLE_LOG_LEVEL"))
    try:
        target(*arguments)
    except Exception:
        sys.excepthook(*sys.exc_info())
        sys.exit(1)
