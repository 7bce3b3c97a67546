"""Zip archives: the central directory is checked as a whole, then the wanted entries are unpacked one by one.

Python's zipfile reads the structures (zip64 included). What it would take on trust is checked here: how many
entries there are, that no two share bytes, that none is encrypted or packed by a method whose unpacking
cannot be done piece by piece. Symbolic links are left out unread.
"""

import contextlib
import io
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator

from dashboard.services.imports.archives.bounds import PIECE_BYTES, Meter
from dashboard.services.imports.archives.entry_names import Names, shown
from dashboard.services.imports.archives.recognition import is_packed

ENTRY_SIGNATURE = b"PK\x01\x02"
LOCAL_HEADER_BYTES = 30
UTF8_NAME = 0x800
ENCRYPTED = 0x1 | 0x40 | 0x2000
"""Bits of the general purpose flag: encrypted, strongly encrypted, directory encrypted (APPNOTE 4.4.4)."""
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
FAULTS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError, NotImplementedError, RuntimeError,
    ValueError, OverflowError, IndexError,
)  # fmt: skip
"""What zipfile raises on broken archives."""


class ZipArchive:
    """A zip that was looked through: see Archive."""

    def __init__(self, data: bytes, meter: Meter) -> None:
        # Each entry of the directory begins with the signature: a million of them are refused unbuilt.
        meter.count_entries(data.count(ENTRY_SIGNATURE), "")
        with _broken_is_refused(meter, ""):
            self._zip = zipfile.ZipFile(io.BytesIO(data))
        self._wanted: list[tuple[str, zipfile.ZipInfo]] = []
        self.left_out: list[str] = []
        self.packed: list[str] = []
        names = Names(meter)
        for info in self._zip.infolist():
            self._look_at(info, names, meter)
        _refuse_overlaps(self._zip, meter)
        self.file_count = len(self._wanted)

    def read(self, meter: Meter) -> Iterator[tuple[str, bytes]]:
        """Yield the wanted files in the directory's order. Raises BadInput."""
        for name, info in self._wanted:
            data = self._unpack(info, name, meter)
            if is_packed(data):
                self.packed.append(name)
                continue
            yield name, data

    def _look_at(self, info: zipfile.ZipInfo, names: Names, meter: Meter) -> None:
        raw = _name_of(info)
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind == stat.S_IFLNK:
            self.left_out.append(names.check_link(raw).shown)
            return
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise meter.refusal(shown(raw), "is a device or a pipe, not a file")
        if info.flag_bits & ENCRYPTED:
            raise meter.refusal(shown(raw), "is encrypted; pack it again without a password")
        if raw.endswith("/") or kind == stat.S_IFDIR:
            names.check_folder(raw)
            return
        name = names.check_file(raw)
        if name.is_packed:
            self.packed.append(name.shown)
        elif not name.is_read:
            self.left_out.append(name.shown)
        elif info.compress_type not in METHODS:
            methods: dict[int, str] = zipfile.compressor_names  # type: ignore[attr-defined]
            method = methods.get(info.compress_type, f"number {info.compress_type}")
            raise meter.refusal(
                name.shown, f"is packed by the method {method}; only deflate and store are read"
            )
        else:
            self._wanted.append((name.shown, info))

    def _unpack(self, info: zipfile.ZipInfo, name: str, meter: Meter) -> bytes:
        content = io.BytesIO()
        with _broken_is_refused(meter, name), self._zip.open(info) as file:
            while piece := file.read(PIECE_BYTES):
                meter.count_bytes(len(piece), name)
                content.write(piece)
        return content.getvalue()


def _name_of(info: zipfile.ZipInfo) -> str:
    """Return the name; many programs write UTF-8 without saying so, which zipfile takes for code page 437."""
    if info.flag_bits & UTF8_NAME:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _refuse_overlaps(archive: zipfile.ZipFile, meter: Meter) -> None:
    """Refuse entries that share bytes, by which a small archive could hold the same content many times."""
    end = 0
    for info in sorted(archive.infolist(), key=lambda info: info.header_offset):
        if info.header_offset < end:
            raise meter.refusal(shown(_name_of(info)), "overlaps another entry")
        end = info.header_offset + LOCAL_HEADER_BYTES + info.compress_size
    if end > archive.start_dir:
        raise meter.refusal("", "is broken: an entry reaches into the directory of the archive")


@contextlib.contextmanager
def _broken_is_refused(meter: Meter, entry: str) -> Iterator[None]:
    """Turn what zipfile raises on a broken archive into a refusal."""
    try:
        yield
    except FAULTS as error:
        raise meter.refusal(
            entry, f"is not readable as zip: {shown(str(error) or type(error).__name__)}"
        ) from None
