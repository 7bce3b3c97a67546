"""Python's garbage collector, and when it only gets in the way.

While millions of objects come into being that all stay, collections find nothing and take half the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

SELDOM = 20_000
"""So many more objects than before make a collection due, instead of 700: some megabytes."""
_lock = Lock()
_builders = 0


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Let no collection begin while the block runs, nor while that of another thread does."""
    global _builders
    with _lock:
        _builders += 1
        gc.disable()
    try:
        yield
    finally:
        with _lock:
            _builders -= 1
            if not _builders:
                gc.enable()


@contextmanager
def collector_seldom() -> Iterator[None]:
    """Let collections begin less often while the block runs, which makes and drops many objects."""
    first, second, third = gc.get_threshold()
    gc.set_threshold(SELDOM, second, third)
    try:
        yield
    finally:
        gc.set_threshold(first, second, third)
