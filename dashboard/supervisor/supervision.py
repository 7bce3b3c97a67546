"""Starts the parts one after another, keeps them running, and stops them all.

1. Start the parts group by group, each when the one before it is ready; a part that ends or stays silent
   meanwhile stops the start as a whole, with its name.
2. Afterwards a part that dies is reported and started again, after a pause that doubles up to half a minute;
   so is one that could not be started again, one that isn't ready in time, and one that was ready and
   answers no more. Silence counts from readiness, and each ending doubles the patience with the next life.
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
from dashboard.supervisor.patience import Patience

log = structlog.get_logger(__name__)

LOADING_SECONDS = 600.0
LONGEST_LOADING_SECONDS = 3600.0
STILL_STARTING_SECONDS = 60.0
FIRST_PAUSE_SECONDS = 1.0
LONGEST_PAUSE_SECONDS = 30.0
STEADY_SECONDS = 60
ASK_SECONDS = 10.0
SILENT_SECONDS = 45.0
LONGEST_SILENT_SECONDS = 900.0
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
        slowly = asyncio.create_task(self._say_while_starting(part, started))
        try:
            await self._until_ready(child, LOADING_SECONDS)
        finally:
            slowly.cancel()
        self.say(f"  {part.name:<9} ready after {time.monotonic() - started:.1f} s")
        self._keep_on(part, self._watch(child))
        if part.alive is not None:
            self._keep_on(part, _end_when_silent(child, part.alive))

    async def _say_while_starting(self, part: Part, started: float) -> None:
        while True:
            await asyncio.sleep(STILL_STARTING_SECONDS)
            self.say(f"  {part.name:<9} is still starting after {time.monotonic() - started:.0f} s")

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

    async def _until_ready(self, child: Child, seconds: float) -> None:
        """Wait until the child is ready; StartFailed if it ends, can't be asked, or takes longer."""
        if child.part.ready is not None:
            await self._wait_for(child, asyncio.ensure_future(child.part.ready()), seconds)
        child.is_ready = True

    async def _wait_for(self, child: Child, ready: asyncio.Future[None], seconds: float) -> None:
        ended = asyncio.ensure_future(child.wait())
        try:
            await asyncio.wait({ready, ended}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
            if ended.done():
                where = f" Its last words are in {child.part.output}." if child.part.output else ""
                how = _how_it_ended(ended.result())
                raise StartFailed(f"The part '{child.part.name}' ended ({how}).{where}")
            if not ready.done():
                raise StartFailed(f"The part '{child.part.name}' was not ready after {seconds:g} s.")
            if fault := ready.exception():
                raise StartFailed(
                    f"The part '{child.part.name}' cannot be asked whether it is ready: {fault}."
                ) from fault
        finally:
            ready.cancel()
            ended.cancel()

    async def _watch(self, child: Child) -> None:
        """Start the child again whenever it dies, or does not become ready in time."""
        pause = Patience(FIRST_PAUSE_SECONDS, LONGEST_PAUSE_SECONDS)
        loading = Patience(LOADING_SECONDS, LONGEST_LOADING_SECONDS)
        while True:
            ready_at = time.monotonic()
            code = await child.wait()
            child.kill()  # what the dead process left behind in its group
            if child.is_ready and time.monotonic() - ready_at > STEADY_SECONDS:
                pause.begin_anew()
                loading.begin_anew()
            log.error(
                "part died", part=child.part.name, how=_how_it_ended(code), starting_again_in=pause.seconds
            )
            await self._start_again(child, pause)
            await self._ready_or_ended(child, loading)

    async def _start_again(self, child: Child, pause: Patience) -> None:
        """Start the child after the pause, and after a longer one if that fails."""
        while True:
            await asyncio.sleep(pause.seconds)
            pause.grow()
            try:
                return await _start_process(child)
            except StartFailed as failure:
                log.error(
                    "part not started",
                    part=child.part.name,
                    reason=str(failure),
                    trying_again_in=pause.seconds,
                )

    async def _ready_or_ended(self, child: Child, loading: Patience) -> None:
        """Wait until the child is ready; end one that isn't in time, which then has longer the next time."""
        try:
            await self._until_ready(child, loading.seconds)
        except StartFailed as failure:
            log.error("part not ready", part=child.part.name, reason=str(failure))
            loading.grow()
            child.kill()
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
    """End the child whenever it was ready and has given no answer for long; its watcher starts it again.

    Not while it loads, which has a limit of its own. What can't be asked (a worker while the broker is away)
    counts neither way. On a busy machine an ending makes the next answer later still, so each one doubles
    how long the next silence may last, until the part has answered for a while.
    """
    silence = Patience(SILENT_SECONDS, LONGEST_SILENT_SECONDS)
    process, heard, answers_since = child.process, clock(), clock()
    while True:
        await asyncio.sleep(ASK_SECONDS)
        answer = await ask() if child.is_ready else None
        if child.process is not process or not child.is_ready or not child.is_running:
            process, heard, answers_since = child.process, clock(), clock()
        elif answer is not False:
            heard = clock()
            if clock() - answers_since > STEADY_SECONDS:
                silence.begin_anew()
        elif clock() - heard > silence.seconds:
            log.error("part lives but does not work", part=child.part.name, silent_seconds=silence.seconds)
            child.kill()
            silence.grow()
            heard = answers_since = clock()
        else:
            answers_since = clock()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"exit code {code}"
    with contextlib.suppress(ValueError):
        return f"by {signal.Signals(-code).name}"
    return f"by signal {-code}"
