"""Connections to API servers whose answers begin in time.

A socket's own timeout counts from byte to byte, so that headers that come drop by drop never end.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Timer
from typing import TYPE_CHECKING

from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool

if TYPE_CHECKING:
    from urllib3 import HTTPResponse, PoolManager


class _Plain(HTTPConnection):
    def getresponse(self) -> HTTPResponse:  # type: ignore[override]
        """Return the answer, once its headers are there. Raises TimeoutError."""
        with _ended(self.sock, self.timeout):
            return super().getresponse()


class _Secured(_Plain, HTTPSConnection):
    """The same over TLS."""


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _Plain


class _SecuredPool(HTTPSConnectionPool):
    ConnectionCls = _Secured


def bound(manager: PoolManager) -> None:
    """Let all headers of an answer take no longer than the timeout of a read."""
    manager.pool_classes_by_scheme = {"http": _PlainPool, "https": _SecuredPool}


@contextmanager
def _ended(used: socket.socket, seconds: float | None) -> Iterator[None]:
    """End a connection after some seconds, whatever still comes. Raises TimeoutError."""
    is_over = list[bool]()

    def end() -> None:
        is_over.append(True)
        with suppress(OSError):  # which is closed already
            socket.socket.shutdown(used, socket.SHUT_RDWR)

    watchdog = Timer(seconds or 0, end)
    watchdog.daemon = True
    if seconds:
        watchdog.start()
    try:
        yield
    except Exception:
        if is_over:
            raise TimeoutError("its answer does not begin") from None
        raise
    finally:
        watchdog.cancel()
