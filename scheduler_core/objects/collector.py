"""Python's garbage collector, and when it only gets in the way.

While millions of objects come into being that all stay, collections find nothing and take half the time.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from threading import Lock

SELDOM = 20_000
"""So many more objects than before make a collection due, instead of 700: some megabytes."""


class _WhileAny:
    """Something that is so while any block runs, of whichever thread."""

    def __init__(self, begin: Callable[[], None], end: Callable[[], None]) -> None:
        self._begin, self._end = begin, end
        self._lock = Lock()
        self._blocks = 0

    @contextmanager
    def block(self) -> Iterator[None]:
        """Count one more block while it runs."""
        with self._lock:
            self._blocks += 1
            if self._blocks == 1:
                self._begin()
        try:
            yield
        finally:
            with self._lock:
                self._blocks -= 1
                if not self._blocks:
                    self._end()


def _first_threshold(number: int) -> None:
    _, second, third = gc.get_threshold()
    gc.set_threshold(number, second, third)


_often, _, _ = gc.get_threshold()
_at_rest = _WhileAny(gc.disable, gc.enable)
_seldom = _WhileAny(lambda: _first_threshold(SELDOM), lambda: _first_threshold(_often))


def collector_at_rest() -> AbstractContextManager[None]:
    """Let no collection begin while the block runs, nor while that of another thread does."""
    return _at_rest.block()


def collector_seldom() -> AbstractContextManager[None]:
    """Let collections begin less often while such blocks run, which make and drop many objects."""
    return _seldom.block()
