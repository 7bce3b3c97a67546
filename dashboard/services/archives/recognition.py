"""Which packing a content has, by its first bytes alone: names and media types may say anything."""

import enum

from dashboard.services.archives.tar_headers import BLOCK, has_valid_checksum
from scheduler_core.objects.problems import BadInput, Problem


class Packing(enum.Enum):
    """What is unpacked here."""

    ZIP = "zip"
    GZIP = "gzip"
    TAR = "tar"


STARTS = {b"PK\x03\x04": Packing.ZIP, b"PK\x05\x06": Packing.ZIP, b"\x1f\x8b": Packing.GZIP}
"""The second is a zip without entries."""
FOREIGN_STARTS = {
    b"PK\x07\x08": "a zip in several parts",
    b"BZh91AY&SY": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"\x04\x22\x4d\x18": "lz4",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
}


def packing_of(data: bytes, name: str) -> Packing | None:
    """Return the content's packing, None if it is not packed. Raises BadInput for one that is not read."""
    for start, packing in STARTS.items():
        if data.startswith(start):
            return packing
    if has_valid_checksum(data[:BLOCK]):
        return Packing.TAR
    foreign = foreign_packing_of(data)
    if foreign:
        message = f"is packed as {foreign}; zip, tar, tar.gz and gz are read"
        raise BadInput([Problem(name or "the upload", "", message)])
    return None


def foreign_packing_of(data: bytes) -> str:
    """Return what is packed here that cannot be unpacked, else an empty text."""
    return next((words for start, words in FOREIGN_STARTS.items() if data.startswith(start)), "")


def is_packed(data: bytes) -> bool:
    """Tell whether a content is packed in any way, also in one that is not read."""
    known = data.startswith(tuple(STARTS)) or has_valid_checksum(data[:BLOCK])
    return known or bool(foreign_packing_of(data))
