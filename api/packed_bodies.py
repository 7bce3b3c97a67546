"""Bodies that come packed: `Content-Encoding: gzip`, unpacked while they are read, within the usual limit.

What is unpacked never exceeds the limit of any body, and nothing is unpacked before somebody reads it, which
is after the sign-in.
"""

import gzip
import io
import zlib
from typing import IO, Any

from django.conf import settings
from rest_framework.exceptions import ParseError

from api.problems import EncodingNotSpoken, TooLarge
from dashboard.body_limit import too_long_for_all
from dashboard.services.imports.archives.packed_stream import packing_fault

_GZIP = ("gzip", "x-gzip")
_PLAIN = ("", "identity")


def unpack_body(request: Any) -> None:
    """Let the body of Django's request be read unpacked, if it is packed by gzip."""
    if _encoding_of(request) in _GZIP:
        request._stream = io.BufferedReader(_Unpacked(request._stream, settings.BODY_LIMIT_BYTES))


def check_encoding(request: Any) -> None:
    """Raise EncodingNotSpoken for a body that is packed in any other way."""
    encoding = _encoding_of(request)
    if encoding not in (*_GZIP, *_PLAIN):
        raise EncodingNotSpoken(encoding)


def _encoding_of(request: Any) -> str:
    return str(request.headers.get("Content-Encoding", "")).strip().lower()


class _Unpacked(io.RawIOBase):
    """A stream of what a gzip stream unpacks to; reading it raises TooLarge, and ParseError for no gzip."""

    def __init__(self, source: IO[bytes], limit: int) -> None:
        self._file = gzip.GzipFile(fileobj=source)
        self._limit = limit
        self._left = limit

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            piece = self._file.read(len(buffer))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            sentence = "The body is not readable as gzip, which its Content-Encoding names"
            raise ParseError(f"{sentence}: {packing_fault(error, 'gzip')}.") from None
        self._left -= len(piece)
        if self._left < 0:
            raise TooLarge(too_long_for_all(self._limit))
        buffer[: len(piece)] = piece
        return len(piece)
