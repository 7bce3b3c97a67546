"""One child process: started in a process group of its own, ended with all that it started itself.

The terminal's signals go to the supervisor alone (each child has a session of its own). Should the supervisor
be killed, its children end with it (``lifeline``).
"""

import asyncio
import contextlib
import os
import signal
from functools import partial

from dashboard.supervisor.forking import Forked, fork
from dashboard.supervisor.lifeline import end_with_parent
from dashboard.supervisor.parts import Part


class Child:
    """The running process of one part.

    is_ready: whether this process, since it was started, has been found to serve.
    """

    def __init__(self, part: Part) -> None:
        self.part = part
        self.process: asyncio.subprocess.Process | Forked | None = None
        self.is_ready = False

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.returncode is None

    async def start(self) -> None:
        """Start the process, again if it ran before; OSError if that fails."""
        self.process, self.is_ready = None, False
        part = self.part
        if part.program:
            self.process = await _execute(part)
        else:
            self.process = await fork(part.name, part.entry, part.arguments, part.environment)

    async def wait(self) -> int:
        """The exit code, once the process has ended; negative for a signal."""
        if self.process is None:
            raise RuntimeError(f"{self.part.name} was never started")
        return await self.process.wait()

    async def stop(self) -> None:
        """Ask the process to end, wait as long as its part may take, then end the whole group."""
        if self.process is None:
            return
        if self.is_running:
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGTERM)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.process.wait(), self.part.stop_seconds)
        self.kill()
        await self.process.wait()

    def kill(self) -> None:
        """End the process and all of its group at once; what a dead process left behind as well."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            with contextlib.suppress(ProcessLookupError):
                self.process.send_signal(signal.SIGKILL)  # one that has no group yet


async def _execute(part: Part) -> asyncio.subprocess.Process:
    """Start a program of its own, and hand it its input."""
    with part.output.open("ab") if part.output else contextlib.nullcontext() as output:
        process = await asyncio.create_subprocess_exec(
            *part.program,
            stdin=asyncio.subprocess.PIPE if part.stdin else asyncio.subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=partial(end_with_parent, os.getpid()),
        )
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            process.stdin.write(part.stdin.encode())
            await process.stdin.drain()
        process.stdin.close()
    return process
