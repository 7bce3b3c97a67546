"""Tar archives, plain or packed as a whole, read as a stream from front to back, twice: to look and to read.

Unlike the reader of the standard library this one builds nothing whose size the archive dictates, follows
no links, and refuses an archive that was cut off.
"""

import io
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from dashboard.services.imports.archives.bounds import PIECE_BYTES, Meter
from dashboard.services.imports.archives.entry_names import EntryName, Names, shown
from dashboard.services.imports.archives.packed_stream import PackedStream
from dashboard.services.imports.archives.recognition import Packing, is_packed
from dashboard.services.imports.archives.tar_headers import (
    BLOCK,
    EXTENSIONS,
    FILES,
    FOLDER,
    GLOBAL_PAX,
    LONG_NAME,
    PAX,
    REFUSED_KINDS,
    SYMBOLIC_LINK,
    ZERO_BLOCK,
    Header,
    decode,
    read_header,
    read_pax,
    size_of,
)

EXTENSION_BYTES = 1024 * 1024
"""Longest extended header; names need kilobytes, attributes of some systems more."""
EXTENSIONS_OF_AN_ENTRY = 4


class TarArchive:
    """A tar that was looked through: see Archive."""

    def __init__(self, data: bytes, meter: Meter, packing: Packing | None) -> None:
        self._data = data
        self._packing = packing
        self.left_out: list[str] = []
        self.packed: list[str] = []
        self.file_count = 0
        for name, _size, _stream in self._entries(meter):
            if name.is_read:
                self.file_count += 1
            else:
                (self.packed if name.is_packed else self.left_out).append(name.shown)

    def read(self, meter: Meter) -> Iterator[tuple[str, bytes]]:
        """Yield the wanted files in the archive's order. Raises BadInput."""
        for name, size, stream in self._entries(meter):
            if not name.is_read:
                continue
            data = stream.take(size, name.shown)
            if is_packed(data):
                self.packed.append(name.shown)
                continue
            yield name.shown, data

    def _entries(self, meter: Meter) -> Iterator[tuple[EntryName, int, "_Stream"]]:
        """Yield each file's name and size, and the stream, of which as much may be taken. Raises BadInput."""
        source = PackedStream(self._data, self._packing, meter) if self._packing else io.BytesIO(self._data)
        stream = _Stream(source, meter)
        names = Names(meter)
        shared: dict[str, str] = {}
        while (entry := _next_entry(stream, shared, meter)) is not None:
            if entry.kind == FOLDER or (entry.kind in FILES and entry.name.endswith("/")):
                names.check_folder(entry.name)
            elif entry.kind in (*FILES, SYMBOLIC_LINK):
                is_link = entry.kind == SYMBOLIC_LINK
                name = names.check_link(entry.name) if is_link else names.check_file(entry.name)
                end = stream.position + -(-entry.size // BLOCK) * BLOCK
                yield name, entry.size, stream
                stream.skip_to(end, name.shown)
            else:
                message = REFUSED_KINDS.get(entry.kind, f"is of the unknown kind {entry.kind!r}")
                raise meter.refusal(shown(entry.name), message)
        stream.skip_rest()


class _Readable(Protocol):
    def read(self, size: int, /) -> bytes: ...


class _Stream:
    """The bytes of a tar from front to back, all of them counted."""

    def __init__(self, source: _Readable, meter: Meter) -> None:
        self.position = 0
        self._source = source
        self._meter = meter

    def take(self, size: int, entry: str) -> bytes:
        """Return exactly `size` bytes. Raises BadInput."""
        content = io.BytesIO()
        for piece in self._pieces(size, entry):
            content.write(piece)
        return content.getvalue()

    def skip_to(self, position: int, entry: str) -> None:
        """Pass over everything before a position. Raises BadInput."""
        for _piece in self._pieces(position - self.position, entry):
            pass

    def skip_rest(self) -> None:
        """Read on to the end, since the packing's checksum stands there. Raises BadInput."""
        while piece := self._source.read(PIECE_BYTES):
            self._meter.count_bytes(len(piece), "")

    def _pieces(self, size: int, entry: str) -> Iterator[bytes]:
        while size:
            piece = self._source.read(min(size, PIECE_BYTES))
            if not piece:
                raise self._meter.refusal(entry, "the archive ends in the middle of it: it was cut off")
            self._meter.count_bytes(len(piece), entry)
            self.position += len(piece)
            size -= len(piece)
            yield piece


@dataclass
class _Extension:
    """What extended headers say about the next entry; None leaves its own word."""

    name: str | None = None
    size: int | None = None


def _next_entry(stream: _Stream, shared: dict[str, str], meter: Meter) -> Header | None:
    """Return the next entry with its extensions applied, None at the end. Raises BadInput.

    shared: the fields of global pax headers so far, which hold for all entries to come.
    """
    extension = _Extension()
    for _ in range(EXTENSIONS_OF_AN_ENTRY + 1):
        block = stream.take(BLOCK, "")
        if block == ZERO_BLOCK:
            return None
        try:
            header = read_header(block)
            if header.kind not in EXTENSIONS:
                meter.count_entries(1, shown(header.name))
                return _extended(header, extension, shared)
            if header.size > EXTENSION_BYTES:
                raise ValueError(f"has an extended header of more than {EXTENSION_BYTES:,} bytes")
            content = stream.take(-(-header.size // BLOCK) * BLOCK, shown(header.name))[: header.size]
            _extend(extension, header.kind, content, shared)
        except ValueError as error:
            raise meter.refusal("", str(error)) from None
    raise meter.refusal("", f"has more than {EXTENSIONS_OF_AN_ENTRY} extended headers before an entry")


def _extend(extension: _Extension, kind: bytes, content: bytes, shared: dict[str, str]) -> None:
    if kind == LONG_NAME:
        extension.name = decode(content.partition(b"\0")[0])
    elif kind == GLOBAL_PAX:
        shared.update(read_pax(content))
    elif kind == PAX:
        fields = read_pax(content)
        extension.name = fields.get("path", extension.name)
        extension.size = size_of(fields["size"]) if "size" in fields else extension.size


def _extended(header: Header, extension: _Extension, shared: dict[str, str]) -> Header:
    name = header.name if extension.name is None else extension.name
    size = header.size if extension.size is None else extension.size
    if "size" in shared or "path" in shared:
        raise ValueError("gives one name or size to all of its entries")
    return Header(header.kind, name, size)
