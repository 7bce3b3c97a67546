"""Which packing a content has, by its first bytes alone: names and media types may say anything."""

import enum
import re

from dashboard.services.imports.archives.tar_headers import BLOCK, has_valid_checksum
from scheduler_core.objects.problems import BadInput, Problem


class Packing(enum.Enum):
    """What is unpacked here."""

    ZIP = "zip"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    ZSTD = "zstd"
    TAR = "tar"


STARTS = {
    b"PK\x03\x04": Packing.ZIP,
    b"PK\x05\x06": Packing.ZIP,
    b"\x1f\x8b": Packing.GZIP,
    b"\xfd7zXZ\x00": Packing.XZ,
    b"\x28\xb5\x2f\xfd": Packing.ZSTD,
}
"""The second is a zip without entries."""
BZIP2 = re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)")
"""With a block, or empty."""
FOREIGN_STARTS = {
    b"PK\x07\x08": "a zip in several parts",
    b"\x04\x22\x4d\x18": "lz4",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
}


def packing_of(data: bytes, name: str) -> Packing | None:
    """Return the content's packing, None if it is not packed. Raises BadInput for one that is not read."""
    if known := _known_packing_of(data):
        return known
    foreign = foreign_packing_of(data)
    if foreign:
        message = f"is packed as {foreign}; zip, tar, and what gzip, bzip2, xz or zstd packed are read"
        raise BadInput([Problem(name or "the upload", "", message)])
    return None


def _known_packing_of(data: bytes) -> Packing | None:
    for start, packing in STARTS.items():
        if data.startswith(start):
            return packing
    if BZIP2.match(data):
        return Packing.BZIP2
    return Packing.TAR if has_valid_checksum(data[:BLOCK]) or _is_empty_tar(data) else None


def _is_empty_tar(data: bytes) -> bool:
    """Tell whether this is a tar without entries: zeros alone, at least two blocks of them."""
    return len(data) >= 2 * BLOCK and len(data) % BLOCK == 0 and not data[:BLOCK].strip(b"\0")


def foreign_packing_of(data: bytes) -> str:
    """Return what is packed here that cannot be unpacked, else an empty text."""
    return next((words for start, words in FOREIGN_STARTS.items() if data.startswith(start)), "")


def is_packed(data: bytes) -> bool:
    """Tell whether a content is packed in any way, also in one that is not read."""
    return _known_packing_of(data) is not None or bool(foreign_packing_of(data))
