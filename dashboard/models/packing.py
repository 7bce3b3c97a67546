"""How the larger contents are stored: UTF-8 JSON, compressed with zstd.

What comes in and goes out are bytes; only ours are ever unpacked, so their size is bounded by what was
accepted when they were stored.
"""

from collections.abc import Iterable

import zstandard

LEVEL = 3
PIECE_BYTES = 2**20


def pack(data: bytes) -> bytes:
    """Compress bytes for storage."""
    packed = zstandard.ZstdCompressor(level=LEVEL).compress(data)
    return bytes(memoryview(packed))  # without the room that it keeps for what can't be compressed


def pack_pieces(pieces: Iterable[bytes], size: int) -> bytes:
    """Compress bytes that come piece by piece, `size` of them, so that `unpack` returns them as one."""
    compressor = zstandard.ZstdCompressor(level=LEVEL).compressobj(size=size)
    packed = [compressor.compress(piece) for piece in pieces]
    return b"".join([*packed, compressor.flush()])


def contains(packed: bytes | memoryview, text: bytes) -> bool:
    """Return whether `text` is in what `pack` was given, of which there is a piece at a time in memory."""
    kept = b""
    for piece in zstandard.ZstdDecompressor().read_to_iter(bytes(packed), write_size=PIECE_BYTES):
        if text in kept + piece:
            return True
        kept = (kept + piece)[-len(text) :]
    return False


def unpack(packed: bytes | memoryview) -> bytes:
    """Return what `pack` was given; PostgreSQL hands out memoryviews, SQLite bytes."""
    return zstandard.ZstdDecompressor().decompress(bytes(packed))
