"""Python's garbage collector, and when it only gets in the way.

While millions of objects come into being that all stay, collections find nothing and take half the time.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

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
