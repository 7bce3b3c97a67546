"""Lists of objects as they are stored, and how an older one is told from a newer one, object by object.

A difference names runs of objects that the newer List has too, and holds the others whole: they are
compressed with the newer states of the same objects as a dictionary, so that each costs what it differs by.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec
import zstandard

HEAD, END = b'{"apiVersion":"v1","kind":"List","items":[', b"]}"
LARGEST_TABLE = 24


class _Listed(msgspec.Struct):
    items: list[msgspec.Raw]


class _Metadata(msgspec.Struct):
    name: str = ""
    namespace: str = ""


class _Named(msgspec.Struct):
    kind: str = ""
    api_version: str = msgspec.field(name="apiVersion", default="")
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


class _Difference(msgspec.Struct, array_like=True):
    """The older List, in its order.

    runs: (place, number): so many objects of the newer one from a place on, or the next own ones where the
    place is -1. like: the places whose objects are the dictionary. own: what is own, packed.
    """

    runs: list[tuple[int, int]]
    like: list[int]
    own: bytes


def split(data: bytes) -> list[bytes]:
    """Return the JSON of each object of a stored List."""
    return list(map(bytes, msgspec.json.decode(data, type=_Listed).items))


def join(texts: Iterable[bytes]) -> bytes:
    """Return the stored List of objects, each as JSON."""
    return b"".join((HEAD, b",".join(texts), END))


def difference(older: Sequence[bytes], newer: Sequence[bytes]) -> bytes:
    """Return what makes the older List of the newer one; both as `split` returns them."""
    places = {text: place for place, text in enumerate(newer)}
    own = [text for text in older if text not in places]
    both = set(older)
    named = {_name(text): place for place, text in enumerate(newer) if text not in both}
    like = [named[name] for name in map(_name, own) if name in named]
    packed = _pack(msgspec.msgpack.encode(own), _dictionary(like, newer))
    return msgspec.msgpack.encode(_Difference(_runs(older, places), like, packed))


def apply(found: bytes, newer: Sequence[bytes]) -> list[bytes]:
    """Return the older List that a difference makes of the newer one."""
    told = msgspec.msgpack.decode(found, type=_Difference)
    unpacked = _unpack(told.own, _dictionary(told.like, newer))
    own = iter(msgspec.msgpack.decode(unpacked, type=list[bytes]))
    older: list[bytes] = []
    for place, number in told.runs:
        older += newer[place : place + number] if place >= 0 else _next(own, number)
    return older


def _runs(older: Sequence[bytes], places: dict[bytes, int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for text in older:
        place = places.get(text, -1)
        begin, number = runs[-1] if runs else (-2, 0)
        if (place < 0 and begin == -1) or (place >= 0 and begin >= 0 and place == begin + number):
            runs[-1] = begin, number + 1
        else:
            runs.append((place, 1))
    return runs


def _next(own: Iterator[bytes], number: int) -> list[bytes]:
    return [next(own) for _ in range(number)]


def _name(text: bytes) -> tuple[str, str, str, str]:
    found = msgspec.json.decode(text, type=_Named)
    return found.api_version, found.kind, found.metadata.namespace, found.metadata.name


def _dictionary(like: Iterable[int], newer: Sequence[bytes]) -> zstandard.ZstdCompressionDict:
    text = b"".join(newer[place] for place in like)
    return zstandard.ZstdCompressionDict(text, dict_type=zstandard.DICT_TYPE_RAWCONTENT)


def _pack(data: bytes, like: zstandard.ZstdCompressionDict) -> bytes:
    """Compress with a table that has room for all of the dictionary, else only its end is found again."""
    size = len(data) + len(like)
    parameters = zstandard.ZstdCompressionParameters(
        window_log=max(10, min(31, size.bit_length())),
        hash_log=max(10, min(LARGEST_TABLE, size.bit_length())),
        min_match=7,
        strategy=zstandard.STRATEGY_FAST,
    )
    return zstandard.ZstdCompressor(compression_params=parameters, dict_data=like).compress(data)


def _unpack(packed: bytes, like: zstandard.ZstdCompressionDict) -> bytes:
    return zstandard.ZstdDecompressor(dict_data=like, max_window_size=2**31).decompress(packed)
