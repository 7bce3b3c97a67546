"""Archives for tests, honest and hostile, built in memory; what is read of them, or why not."""

import bz2
import gzip
import io
import lzma
import stat
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from functools import partial

import pytest
import zstandard

from dashboard.services.imports.archives import Allowance, Bounds, Meter, open_archive
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.rows import listing, node, pod

Files = Iterable[tuple[str, bytes]]
NODES = listing(node("node-1"), node("node-2"))
PODS = listing(pod("cart-1"), pod("cart-2"))
DUMP = [("dump/pods.json", PODS), ("dump/nodes.json", NODES)]
MEGABYTE = 1024 * 1024
Watch = Callable[[str], None]


def nobody(entry: str) -> None:
    """Nobody watches."""


def contents(data: bytes, bounds: Bounds = Bounds(), watch: Watch = nobody) -> dict[str, bytes]:  # noqa: B008
    """The files that are read from an archive."""
    archive = open_archive("dump", data, Allowance(bounds), watch)
    assert archive is not None
    files = dict(archive.read(Meter("dump", len(data), Allowance(bounds), watch)))
    assert len(files) <= archive.file_count
    return files


def refusal(data: bytes, bounds: Bounds = Bounds(), watch: Watch = nobody) -> Problem:  # noqa: B008
    """The one problem for which an archive is refused."""
    with pytest.raises(BadInput) as refused:
        contents(data, bounds, watch)
    [problem] = refused.value.problems
    assert problem.object == "dump"
    return problem


def zipped(files: Files, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of the files in their order."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in files:
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return buffer.getvalue()


def tarred(files: Files, form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar of the files in their order, in one of tarfile's formats."""
    return tar_of(*(regular(name, data) for name, data in files), form=form)


def tar_gz(files: Files) -> bytes:
    """A tar of the files within gzip."""
    return gzip.compress(tarred(files), mtime=0)


def tar_packed(files: Files, packing: str) -> bytes:
    """A tar of the files within a packing."""
    return PACKINGS[packing](tarred(files))


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, mtime=0),
    "bzip2": bz2.compress,
    "xz": partial(lzma.compress, preset=0),  # the default is ten times as slow
    "zstd": zstandard.ZstdCompressor(write_checksum=True).compress,
}


def regular(name: str, data: bytes) -> tuple[tarfile.TarInfo, bytes]:
    """A file as an entry of a tar."""
    info = tarfile.TarInfo(name)
    info.size = len(data)
    return info, data


def special(name: str, kind: bytes, target: str = "") -> tuple[tarfile.TarInfo, bytes]:
    """A link, device or pipe as an entry of a tar."""
    info = tarfile.TarInfo(name)
    info.type = kind
    info.linkname = target
    return info, b""


def tar_of(*entries: tuple[tarfile.TarInfo, bytes], form: int = tarfile.PAX_FORMAT) -> bytes:
    """A tar of any entries."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=form) as archive:
        for info, data in entries:
            archive.addfile(info, io.BytesIO(data))
    return buffer.getvalue()


def zip_with_link(name: str, target: str, *files: tuple[str, bytes]) -> bytes:
    """A zip that holds a symbolic link, and files behind it."""
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(info, target)
        for file, data in files:
            archive.writestr(file, data)
    return buffer.getvalue()


def encrypted(archive: bytes) -> bytes:
    """The zip with the mark of encryption on its (single) entry, in both of its headers."""
    changed = bytearray(archive)
    changed[6] |= 1
    changed[archive.index(b"PK\x01\x02") + 8] |= 1
    return bytes(changed)


def overlapping_zip(names: list[str], data: bytes) -> bytes:
    """A zip whose entries all point at the same packed bytes, each under its own name in the directory."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(names[0], data)
        first = archive.infolist()[0]
        for name in names[1:]:
            again = zipfile.ZipInfo(name)
            for field in ("header_offset", "compress_type", "CRC", "compress_size", "file_size"):
                setattr(again, field, getattr(first, field))
            archive.filelist.append(again)
            archive.NameToInfo[name] = again
        archive._didModify = True
    return buffer.getvalue()
