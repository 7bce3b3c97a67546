"""Starts the parts one after another, keeps them running, and stops them all.

1. Start the parts group by group, each when the one before it is ready; a part that ends or stays silent
   meanwhile stops the start as a whole, with its name.
2. Afterwards a part that dies is reported and started again, after a pause that doubles up to half a minute;
   so is one that could not be started again, and one that lives and does not answer for SILENT_SECONDS.
3. The first SIGINT, SIGTERM or SIGHUP stops all parts backwards, gently; one that comes more than a second
   later ends them at once. Either way nothing that was started here is left running.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import Awaitable, Callable, Coroutine
from functools import partial
from subprocess import SubprocessError
from typing import Any

import structlog

from dashboard.supervisor.children import Child
from dashboard.supervisor.parts import Part

log = structlog.get_logger(__name__)

READY_SECONDS = 90
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60
ASK_SECONDS = 5.0
SILENT_SECONDS = 45.0
SAME_SIGNAL_SECONDS = 1.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StartFailed(Exception):
    """A part did not start; the message says which and how."""


class Supervisor:
    """Holds the children of one start; ``say`` prints a line for the person who started it."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.children: list[Child] = []  # lasting parts, in the order of their start
        self.current_step: Child | None = None
        self.watchers: list[asyncio.Task[None]] = []
        self.stop_asked = asyncio.Event()
        self.stop_asked_at = 0.0

    async def start(self, *parts: Part) -> None:
        """Start lasting parts together, wait until all are ready, and watch them; or raise StartFailed."""
        try:
            async with asyncio.TaskGroup() as group:
                for part in parts:
                    group.create_task(self._start_one(part))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    async def _start_one(self, part: Part) -> None:
        child = Child(part)
        self.children.append(child)
        started = time.monotonic()
        await _start_process(child)
        await self._until_ready(child)
        self.say(f"  {part.name:<9} ready after {time.monotonic() - started:.1f} s")
        self._keep_on(part, self._watch(child))
        if part.alive is not None:
            self._keep_on(part, _end_when_silent(child, part.alive))

    def _keep_on(self, part: Part, watching: Coroutine[Any, Any, None]) -> None:
        watcher = asyncio.create_task(watching)
        watcher.add_done_callback(partial(_tell_if_watched_no_longer, part))
        self.watchers.append(watcher)

    async def run_step(self, part: Part) -> None:
        """Run a step to its end; raise StartFailed if it fails."""
        self.current_step = Child(part)
        await _start_process(self.current_step)
        code = await self.current_step.wait()
        self.current_step = None
        if code != 0:
            raise StartFailed(f"The step '{part.name}' failed ({_how_it_ended(code)}).")

    def listen_to_signals(self) -> None:
        """From now on a signal asks for the stop instead of ending this process."""
        loop = asyncio.get_running_loop()
        for number in STOP_SIGNALS:
            loop.add_signal_handler(number, self._ask_to_stop, number)

    async def stop(self) -> None:
        """Stop the step under way and then the parts, the first of them last."""
        for watcher in self.watchers:
            watcher.cancel()
        if self.current_step is not None:
            await self.current_step.stop()
        await asyncio.gather(*(child.stop() for child in self.children[1:]))
        await asyncio.gather(*(child.stop() for child in self.children[:1]))

    def _ask_to_stop(self, number: signal.Signals) -> None:
        now = time.monotonic()
        if not self.stop_asked.is_set():
            self.stop_asked_at = now
            self.stop_asked.set()
            self.say(f"Stopping ({number.name})…")
        elif now - self.stop_asked_at > SAME_SIGNAL_SECONDS:
            for child in [*self.children, *([self.current_step] if self.current_step else [])]:
                child.kill()
            self.say(f"Ending all parts at once ({number.name})…")

    async def _until_ready(self, child: Child) -> None:
        if child.part.ready is None:
            return
        ready = asyncio.ensure_future(child.part.ready())
        ended = asyncio.ensure_future(child.wait())
        try:
            await asyncio.wait({ready, ended}, timeout=READY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                where = f" Its last words are in {child.part.output}." if child.part.output else ""
                how = _how_it_ended(ended.result())
                raise StartFailed(f"The part '{child.part.name}' ended ({how}).{where}")
            if not ready.done():
                raise StartFailed(f"The part '{child.part.name}' was not ready after {READY_SECONDS} s.")
            if fault := ready.exception():
                raise StartFailed(
                    f"The part '{child.part.name}' cannot be asked whether it is ready: {fault}."
                ) from fault
        finally:
            ready.cancel()
            ended.cancel()

    async def _watch(self, child: Child) -> None:
        """Start the child again whenever it dies."""
        pause = FIRST_PAUSE_SECONDS
        while True:
            started = time.monotonic()
            code = await child.wait()
            child.kill()  # what the dead process left behind in its group
            if time.monotonic() - started > STEADY_SECONDS:
                pause = FIRST_PAUSE_SECONDS
            log.error("part died", part=child.part.name, how=_how_it_ended(code), starting_again_in=pause)
            pause = await self._start_again(child, pause)
            await self._report_ready(child)

    async def _start_again(self, child: Child, pause: float) -> float:
        """Start the child after the pause, and again if that fails; the pause before the next start."""
        while True:
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_SECONDS)
            try:
                await _start_process(child)
            except StartFailed as failure:
                log.error(
                    "part not started", part=child.part.name, reason=str(failure), trying_again_in=pause
                )
            else:
                return pause

    async def _report_ready(self, child: Child) -> None:
        try:
            await self._until_ready(child)
        except StartFailed as failure:
            log.error("part not ready", part=child.part.name, reason=str(failure))
        else:
            log.warning("part runs again", part=child.part.name)


async def _start_process(child: Child) -> None:
    """Start the child; StartFailed if its log cannot be opened, its program is gone, or there is no room."""
    try:
        await child.start()
    except (OSError, SubprocessError) as error:
        child.kill()
        raise StartFailed(f"The part '{child.part.name}' could not be started: {error}.") from error


def _tell_if_watched_no_longer(part: Part, watcher: asyncio.Task[None]) -> None:
    """A watcher ends by being cancelled, or else by a fault of ours, which must not pass unseen."""
    if not watcher.cancelled():
        log.error("part is watched no longer", part=part.name, exc_info=watcher.exception())


async def _end_when_silent(
    child: Child, ask: Callable[[], Awaitable[bool | None]], clock: Callable[[], float] = time.monotonic
) -> None:
    """End the child whenever it has lived for long without an answer; its watcher starts it again.

    What can't be asked (a worker while the broker is away) counts neither way.
    """
    heard, process = clock(), child.process
    while True:
        await asyncio.sleep(ASK_SECONDS)
        alive = await ask()
        if alive is not False or child.process is not process or not child.is_running:
            heard, process = clock(), child.process
        elif clock() - heard > SILENT_SECONDS:
            log.error("part lives but does not work", part=child.part.name, silent_seconds=SILENT_SECONDS)
            child.kill()
            heard = clock()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"by {signal.Signals(-code).name}"
    return f"by signal {-code}"
