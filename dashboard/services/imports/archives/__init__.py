"""Archives of an upload: zip, tar, and tars and single files packed by gzip and its like, told by content.

`open_archive` looks through an upload and refuses it if anything in it is amiss, before a file of it is
read; `read` then hands out the files one by one. Nothing is written to disk, no declared size is believed,
and every refusal is a BadInput whose object is the archive and whose field is the entry. Formats: APPNOTE.TXT
(zip), POSIX pax and ustar with GNU's long names (tar); those of `packed_stream`.
"""

from collections.abc import Callable, Iterator
from typing import Protocol

from dashboard.services.imports.archives.bounds import Allowance, Bounds, Meter
from dashboard.services.imports.archives.packed_stream import PackedFile, unpacked_start
from dashboard.services.imports.archives.recognition import Packing, is_packed, packing_of
from dashboard.services.imports.archives.tar_archive import TarArchive
from dashboard.services.imports.archives.zip_archive import ZipArchive

__all__ = ["Allowance", "Archive", "Bounds", "Meter", "is_packed", "open_archive", "packing_of"]


class Archive(Protocol):
    """An upload with files in it, looked through and found harmless.

    file_count: how many files `read` yields. left_out: the names of those that it does not. packed: the names
    of those that are packed themselves, and not unpacked; some are known only after `read`.
    """

    file_count: int
    left_out: list[str]
    packed: list[str]

    def read(self, meter: Meter) -> Iterator[tuple[str, bytes]]:
        """Yield name and content of every file, in the order that costs least. Raises BadInput.

        The name is empty where the upload is a single packed file.
        """


def open_archive(
    name: str, data: bytes, allowance: Allowance, watch: Callable[[str], None] = lambda entry: None
) -> Archive | None:
    """Look through an upload; None if it is not packed at all. Raises BadInput.

    allowance: what the whole upload may hold. watch: called again and again with the entry's name; may raise.
    """
    packing = packing_of(data, name)
    if packing is None:
        return None
    meter = Meter(name, len(data), allowance, watch)
    if packing is Packing.ZIP:
        return ZipArchive(data, meter)
    if packing is Packing.TAR:
        return TarArchive(data, meter, None)
    inner = packing_of(unpacked_start(data, packing, meter), name)
    if inner is Packing.TAR:
        return TarArchive(data, meter, packing)
    if inner is not None:
        message = f"is a {inner.value} file within {packing.value}; archives within archives are not read"
        raise meter.refusal("", message)
    return PackedFile(data, packing)
