"""A single file packed by gzip (`pods.json.gz`), and the stream that gzip unpacks to."""

import gzip
import io
import zlib
from collections.abc import Iterator

from dashboard.services.archives.bounds import PIECE_BYTES, Meter
from dashboard.services.archives.tar_headers import BLOCK


def gzip_fault(error: Exception) -> str:
    """Return what is wrong with a content that gzip could not unpack."""
    if isinstance(error, EOFError):
        return "it ends in the middle, as if it had been cut off"
    if not str(error).startswith("Not a gzipped file"):
        return "it is damaged, for what comes out is not what was packed"
    return "it does not begin as gzip does, or something else follows behind its end"


class GzipStream:
    """What a gzip content unpacks to, read piece by piece; a broken or cut content is a BadInput."""

    def __init__(self, data: bytes, meter: Meter) -> None:
        self._file = gzip.GzipFile(fileobj=io.BytesIO(data))
        self._meter = meter

    def read(self, size: int) -> bytes:
        """Return up to `size` bytes, fewer only at the end. Raises BadInput."""
        try:
            return self._file.read(size)
        except (EOFError, OSError, zlib.error) as error:
            raise self._meter.refusal("", f"is not readable as gzip: {gzip_fault(error)}") from None


class GzipFile:
    """One packed file. It is looked into when it is read."""

    def __init__(self, data: bytes) -> None:
        self.file_count = 1
        self.left_out: list[str] = []
        self._data = data

    def read(self, meter: Meter) -> Iterator[tuple[str, bytes]]:
        """Yield the content. Raises BadInput."""
        stream = GzipStream(self._data, meter)
        pieces = []
        while piece := stream.read(PIECE_BYTES):
            meter.count_bytes(len(piece), "")
            pieces.append(piece)
        yield "", b"".join(pieces)


def unpacked_start(data: bytes, meter: Meter) -> bytes:
    """Return the first bytes that a gzip content unpacks to, enough to recognise them. Raises BadInput."""
    return GzipStream(data, meter).read(BLOCK)
