"""How many imports the web process takes in at a time; the others wait, with their bodies on disk.

Whoever has a slot holds the whole body in memory, packs or reads it, and stores it, so the slots bound the
process's memory however many imports come in at once.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus

from rest_framework.exceptions import APIException

from dashboard.outages import RETRY_SECONDS

SLOTS = 2
WAIT_SECONDS = 30

_slots = threading.BoundedSemaphore(SLOTS)


class TooManyImports(APIException):
    """503: no slot became free in time; nothing was done."""

    status_code = HTTPStatus.SERVICE_UNAVAILABLE
    default_detail = "Too many imports come in at once, and this one was not taken. Try again in a moment."
    wait = RETRY_SECONDS


@contextmanager
def import_slot() -> Iterator[None]:
    """Hold a slot, waiting for it at most `WAIT_SECONDS`. Raises TooManyImports."""
    if not _slots.acquire(timeout=WAIT_SECONDS):
        raise TooManyImports
    try:
        yield
    finally:
        _slots.release()
