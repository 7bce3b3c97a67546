"""Contents packed by gzip, bzip2, xz or zstd: the stream that they unpack to, read piece by piece.

However much a content may grow to, no more of it is in memory than was asked for and what a decompressor
needs for itself, which is bounded too. Formats: RFC 1952 (gzip), RFC 8878 (zstd), the .xz file format 1.1.
"""

import bz2
import gzip
import io
import lzma
import zlib
from collections.abc import Iterator
from typing import Protocol

import zstandard

from dashboard.services.imports.archives.bounds import PIECE_BYTES, Meter
from dashboard.services.imports.archives.recognition import Packing, packing_of
from dashboard.services.imports.archives.tar_headers import BLOCK

XZ_MEMORY_BYTES = 128 * 1024 * 1024
"""`xz -9` needs 65 MiB to be unpacked."""
ZSTD_WINDOW_BYTES = 128 * 1024 * 1024
"""What `zstd --long` makes, and the most that `zstd -d` takes without being told to."""
ZSTD_INPUT_BYTES = 256
"""How much zstd is given at a time: from the 4 bytes of a block may come 128 KiB."""
INPUT_BYTES = 64 * 1024
LONGEST_START = 16
"""More than any packing needs to be recognised."""

_DAMAGED = "it is damaged, for what comes out is not what was packed"
_CUT_OFF = "it ends in the middle, as if it had been cut off"
_FOREIGN = "it does not begin as {0} does, or something else follows behind its end"
_OTHER = "format not supported"
_START = 2 * BLOCK
_PADDING = b"\0"
"""Behind a stream of xz."""
_FAULTS = (EOFError, OSError, ValueError, zlib.error, lzma.LZMAError, zstandard.ZstdError)


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Decompressor(Protocol):
    """Unpacks one member of a content: a stream of bzip2 or xz, a frame of zstd."""

    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    @property
    def needs_input(self) -> bool: ...

    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Zstd:
    """A frame of zstd; what comes out is bounded by how little it is given."""

    needs_input = True

    def __init__(self) -> None:
        self._frame = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES).decompressobj()

    @property
    def eof(self) -> bool:
        return self._frame.eof

    @property
    def unused_data(self) -> bytes:
        return self._frame.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        return self._frame.decompress(data)


class _Members:
    """A content of one or more members, unpacked one after another as their commands do.

    Raises EOFError where the last one is cut off.
    """

    def __init__(self, data: bytes, packing: Packing) -> None:
        self._packing = packing
        self._source = io.BytesIO(data)
        self._step = ZSTD_INPUT_BYTES if packing is Packing.ZSTD else INPUT_BYTES
        self._member = self._begin()
        self._rest = b""

    def _begin(self) -> _Decompressor:
        if self._packing is Packing.BZIP2:
            return bz2.BZ2Decompressor()
        if self._packing is Packing.XZ:
            return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=XZ_MEMORY_BYTES)
        return _Zstd()

    def read(self, size: int) -> bytes:
        """Return some bytes, none only at the end."""
        while True:
            if self._member.eof and not self._begin_next():
                return b""
            given = self._rest
            if self._member.needs_input and not given:
                given = self._source.read(self._step)
                if not given:
                    raise EOFError
            self._rest = b""
            piece = self._member.decompress(given, size)
            if piece:
                return piece

    def _begin_next(self) -> bool:
        """Begin the next member, if there is one. Raises ValueError for anything else."""
        rest = self._member.unused_data
        while len(rest) < LONGEST_START and (more := self._source.read(self._step)):
            rest = (rest + more).lstrip(_PADDING)
        if not rest.strip(_PADDING):
            return False
        if packing_of(rest, "") is not self._packing:
            raise ValueError(_OTHER)
        self._rest = rest
        self._member = self._begin()
        return True


class PackedStream:
    """What a packed content unpacks to; a broken or cut content is a BadInput."""

    def __init__(self, data: bytes, packing: Packing, meter: Meter) -> None:
        self._packing = packing
        self._source: _Readable = (
            gzip.GzipFile(fileobj=io.BytesIO(data)) if packing is Packing.GZIP else _Members(data, packing)
        )
        self._meter = meter
        self._ahead = b""

    def read(self, size: int, /) -> bytes:
        """Return up to `size` bytes, none only at the end. Raises BadInput."""
        try:
            piece = self._ahead or self._source.read(size)
        except _FAULTS as error:
            name = self._packing.value
            fault = packing_fault(error, name)
            raise self._meter.refusal("", f"is not readable as {name}: {fault}") from None
        self._ahead = piece[size:]
        return piece[:size]


def packing_fault(error: Exception, packing: str) -> str:
    """Return what is wrong with a content that could not be unpacked."""
    words = str(error).lower()
    if isinstance(error, EOFError):
        return _CUT_OFF
    if "memory" in words:  # of the window that the content asks for
        return "it needs more memory than is allowed: pack it again with the command's usual level"
    if "not a gzipped file" in words or _OTHER in words or "magic" in words:
        return _FOREIGN.format(packing)
    return _DAMAGED


class PackedFile:
    """One packed file (`pods.json.gz`). It is looked into when it is read."""

    def __init__(self, data: bytes, packing: Packing) -> None:
        self.file_count = 1
        self.left_out: list[str] = []
        self.packed: list[str] = []
        self._data = data
        self._packing = packing

    def read(self, meter: Meter) -> Iterator[tuple[str, bytes]]:
        """Yield the content. Raises BadInput."""
        stream = PackedStream(self._data, self._packing, meter)
        content = io.BytesIO()
        while piece := stream.read(PIECE_BYTES):
            meter.count_bytes(len(piece), "")
            content.write(piece)
        yield "", content.getvalue()


def unpacked_start(data: bytes, packing: Packing, meter: Meter) -> bytes:
    """Return the first bytes that a content unpacks to, enough to recognise them. Raises BadInput."""
    stream = PackedStream(data, packing, meter)
    start = b""
    while len(start) < _START and (piece := stream.read(_START - len(start))):
        start += piece
    return start
