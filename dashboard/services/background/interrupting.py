"""Lets a reader's cancel reach a worker in the middle of computing, which looks at nothing by itself.

Building a large run takes the engine minutes on a busy machine, and so may one step of it. The engine stays
without a clock and without input: a thread beside it looks at the row, and a signal of this process to itself
raises Interrupted between two steps of the interpreter. What was being computed is of no use afterwards.
Only in the main thread, where Python handles signals, and only inside `computing`: no write is cut off.
"""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Self

from django.db import connection

from dashboard.database_faults import is_passing

LOOK_SECONDS = 0.5
SIGNAL = signal.SIGUSR2

logger = logging.getLogger(__name__)


class Interrupted(BaseException):
    """Computing was given up, since nobody wants it any more; no Exception, which an engine might catch."""


class Interrupter:
    """While entered and computing, looks every LOOK_SECONDS whether that is still wanted.

    is_unwanted: asked in a thread with a database connection of its own.
    """

    def __init__(self, is_unwanted: Callable[[], bool]) -> None:
        self._is_unwanted = is_unwanted
        self._computing = False
        self._asked = False
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look_on, name="interrupter", daemon=True)

    def __enter__(self) -> Self:
        if threading.current_thread() is threading.main_thread():
            self._before = signal.signal(SIGNAL, self._interrupt)
            self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._thread.ident is not None:
            self._over.set()
            self._thread.join()
            signal.signal(SIGNAL, self._before)

    @contextmanager
    def computing(self) -> Iterator[None]:
        """Allow the block to be cut off at any point by Interrupted."""
        self._computing = True
        try:
            yield
        finally:
            self._computing = False
        if self._asked:  # something in the block has caught it
            raise Interrupted

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if self._computing:
            self._computing = False
            raise Interrupted

    def _look_on(self) -> None:
        try:
            while not self._over.wait(LOOK_SECONDS):
                if self._computing and not self._asked and self._looks_unwanted():
                    self._asked = True
                    os.kill(os.getpid(), SIGNAL)
        finally:
            connection.close()

    def _looks_unwanted(self) -> bool:
        try:
            return self._is_unwanted()
        except Exception as error:
            if not is_passing(error):
                logger.exception("It could not be asked whether the work is still wanted")
            return False
