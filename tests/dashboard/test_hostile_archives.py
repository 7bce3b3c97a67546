"""Hostile and broken archives: each is refused as a whole, by archive, entry and limit."""

import gzip
import lzma
import tarfile
import tracemalloc
import zipfile
from typing import Any

import pytest
import zstandard
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from dashboard.services.imports.archives import Allowance, Bounds, Meter, open_archive
from dashboard.services.imports.uploaded_cluster import read_picture
from scheduler_core.objects.problems import BadInput, Problem
from tests.dashboard.packing import (
    DUMP,
    MEGABYTE,
    NODES,
    PACKINGS,
    PODS,
    contents,
    encrypted,
    overlapping_zip,
    refusal,
    regular,
    special,
    tar_gz,
    tar_of,
    tar_packed,
    tarred,
    zip_with_link,
    zipped,
)
from tests.dashboard.rows import listing, node
from tests.portions import tries

OUTSIDE = [
    "../pods.json",
    "a/../../pods.json",
    "..\\pods.json",
    "/etc/pods.json",
    "\\pods.json",
    "C:\\pods.json",
]


@pytest.mark.parametrize("name", OUTSIDE)
@pytest.mark.parametrize("pack", [zipped, tarred, tar_gz])
def test_paths_that_lead_elsewhere_are_refused(pack: Any, name: str) -> None:
    problem = refusal(pack([("nodes.json", NODES), (name, PODS)]))
    assert problem.field == name
    assert "absolute" in problem.message or ".." in problem.message


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (tarfile.LNKTYPE, "hard link"), (tarfile.CHRTYPE, "device"),
        (tarfile.BLKTYPE, "device"), (tarfile.FIFOTYPE, "pipe"),
        (tarfile.GNUTYPE_SPARSE, "sparse"), (b"V", "unknown"),
    ],
)  # fmt: skip
def test_a_tar_with_anything_but_files_and_folders_is_refused(kind: bytes, words: str) -> None:
    problem = refusal(tar_of(regular("nodes.json", NODES), special("pods.json", kind, "/etc/passwd")))
    assert problem.field == "pods.json"
    assert words in problem.message


@pytest.mark.parametrize(
    "data",
    [
        tar_of(regular("nodes.json", NODES), special("pods.json", tarfile.SYMTYPE, "/etc/passwd")),
        zip_with_link("pods.json", "/etc/passwd", ("nodes.json", NODES)),
    ],
    ids=["tar", "zip"],
)
def test_a_symbolic_link_is_neither_followed_nor_read_and_is_named(data: bytes) -> None:
    assert contents(data) == {"nodes.json": NODES}
    archive = open_archive("dump", data, Allowance())
    assert archive is not None
    assert archive.left_out == ["pods.json (a symbolic link)"]


@pytest.mark.parametrize("name", OUTSIDE)
def test_a_symbolic_link_whose_own_name_leads_elsewhere_is_refused(name: str) -> None:
    for data in (zip_with_link(name, "nodes.json"), tar_of(special(name, tarfile.SYMTYPE, "nodes.json"))):
        problem = refusal(data)
        assert "absolute" in problem.message or ".." in problem.message


def test_an_encrypted_entry_is_refused() -> None:
    problem = refusal(encrypted(zipped([("pods.json", PODS)])))
    assert problem == Problem("dump", "pods.json", "is encrypted; pack it again without a password")


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_method_that_cannot_be_unpacked_by_pieces_is_refused(method: int) -> None:
    assert "only deflate and store" in refusal(zipped([("pods.json", PODS)], method)).message


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_a_bomb_is_refused_by_its_ratio_long_before_it_is_unpacked(pack: Any) -> None:
    bomb = pack([("nodes.json", NODES), ("pods.json", b" " * (100 * MEGABYTE))])
    assert len(bomb) < MEGABYTE
    seen: list[str] = []
    problem = refusal(bomb, watch=seen.append)
    assert problem.field == "pods.json"
    assert "200 times" in problem.message
    assert "SANDTABLE_ARCHIVE_RATIO_LIMIT" in problem.message
    assert len(seen) < 40


def test_a_bomb_of_plain_gzip_is_refused_by_its_ratio() -> None:
    assert "200 times" in refusal(gzip.compress(b" " * (100 * MEGABYTE))).message


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_the_unpacked_bytes_are_counted_over_all_entries(pack: Any) -> None:
    data = pack([(f"{number}.json", bytes(MEGABYTE)) for number in range(10)])
    problem = refusal(data, Bounds(unpacked_bytes=5 * MEGABYTE))
    assert problem.field in ("4.json", "5.json")
    assert "5,242,880 bytes unpacked" in problem.message


def test_the_unpacked_bytes_are_counted_over_all_files_of_an_upload(settings: Any) -> None:
    dump = zipped(DUMP)
    settings.UNPACKED_LIMIT_BYTES = 2 * (len(NODES) + len(PODS))
    assert read_picture([("a.zip", dump), ("b.zip", dump)]).objects
    settings.UNPACKED_LIMIT_BYTES -= 1
    with pytest.raises(BadInput, match=r"b\.zip"):
        read_picture([("a.zip", dump), ("b.zip", dump)])


def test_a_declared_size_is_not_believed() -> None:
    honest = zipped([("pods.json", PODS)])
    lying = bytearray(honest)
    for place in (22, honest.index(b"PK\x01\x02") + 24):
        lying[place : place + 4] = (10).to_bytes(4, "little")
    assert "CRC" in refusal(bytes(lying)).message


def test_entries_that_share_their_bytes_are_refused() -> None:
    bomb = overlapping_zip([f"{number}.json" for number in range(50)], PODS)
    problem = refusal(bomb)
    assert "overlaps" in problem.message
    assert problem.field == "1.json"


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_more_than_ten_thousand_entries_are_refused_before_one_is_read(pack: Any) -> None:
    problem = refusal(pack((f"{number}.json", b"") for number in range(10_001)))
    assert "10,000 entries" in problem.message
    assert "SANDTABLE_ARCHIVE_ENTRY_LIMIT" in problem.message


def test_entries_are_counted_over_all_archives_of_an_upload(settings: Any) -> None:
    settings.ARCHIVE_ENTRY_LIMIT = 4
    assert read_picture([("a.zip", zipped(DUMP)), ("b.tgz", tar_gz(DUMP))]).objects
    settings.ARCHIVE_ENTRY_LIMIT = 3
    with pytest.raises(BadInput, match=r"b\.tgz.*3 entries"):
        read_picture([("a.zip", zipped(DUMP)), ("b.tgz", tar_gz(DUMP))])


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_folders_are_read_to_a_depth(pack: Any) -> None:
    assert len(contents(pack([("f/" * 16 + "nodes.json", NODES)]))) == 1
    problem = refusal(pack([("f/" * 17 + "nodes.json", NODES)]))
    assert "17 folders deep; at most 16" in problem.message
    assert "SANDTABLE_ARCHIVE_DEPTH_LIMIT" in problem.message


@pytest.mark.parametrize("pack", [zipped, tar_gz])
def test_the_name_of_a_refused_entry_is_shortened(pack: Any) -> None:
    assert len(refusal(pack([("f/" * 5000 + "nodes.json", NODES)])).field) < 200


@pytest.mark.parametrize("name", ["inner.zip", "inner.tar.gz", "inner.json.gz", "shop/inner.json"])
@pytest.mark.parametrize("pack", [zipped, tar_gz])
@pytest.mark.parametrize("inner", [zipped(DUMP), tarred(DUMP), tar_gz(DUMP)], ids=["zip", "tar", "tar.gz"])
def test_what_is_packed_within_an_archive_stays_packed_and_is_named(
    pack: Any, inner: bytes, name: str
) -> None:
    picture = read_picture([("dump", pack([("nodes.json", NODES), (name, inner)]))])
    assert len(picture.objects) == 2
    assert picture.left_out == [
        f"1 packed file was left out of dump, unpack objects of the cluster before: {name}."
    ]
    with pytest.raises(BadInput, match="dump: there is no JSON or YAML file in it"):
        read_picture([("dump", pack([(name, inner)]))])


@pytest.mark.parametrize("inner", [zipped(DUMP), gzip.compress(NODES)], ids=["zip", "gzip"])
def test_an_archive_within_gzip_is_refused(inner: bytes) -> None:
    assert "archives within archives" in refusal(gzip.compress(inner)).message


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("pack", [zipped, tar_gz])
@pytest.mark.parametrize("again", ["pods.json", "./pods.json", "shop//../pods.json"])
def test_a_name_may_come_only_once(pack: Any, again: str) -> None:
    problem = refusal(pack([("pods.json", PODS), (again, PODS)]))
    assert problem.field == again
    assert "twice" in problem.message or ".." in problem.message


@pytest.mark.parametrize("pack", [zipped, tarred, tar_gz])
@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_an_archive_that_was_cut_off_is_refused_and_not_read_in_part(pack: Any, share: float) -> None:
    whole = pack([(f"{number}.json", listing(node(f"node-{number}"))) for number in range(40)])
    whole = whole[:-10_240] if pack is tarred else whole
    assert refusal(whole[: int(len(whole) * share)]).message


def test_a_tar_without_its_end_is_refused_also_at_the_border_of_an_entry() -> None:
    one = tarred([("nodes.json", NODES)], tarfile.USTAR_FORMAT)
    end = 512 + -(-len(NODES) // 512) * 512
    assert not one[end:].strip(b"\0")
    assert "cut off" in refusal(one[:end]).message


def test_a_gzip_with_a_wrong_checksum_is_refused() -> None:
    broken = bytearray(tar_gz(DUMP))
    broken[-6] ^= 0xFF
    assert "it is damaged" in refusal(bytes(broken)).message


@pytest.mark.parametrize(
    ("start", "words"),
    [(b"\x04\x22\x4d\x18", "lz4"), (b"7z\xbc\xaf\x27\x1c", "7z"), (b"Rar!\x1a\x07", "rar")],
)
def test_other_packings_are_named_and_refused(start: bytes, words: str) -> None:
    assert words in refusal(start + bytes(100)).message


@pytest.mark.parametrize("packing", PACKINGS)
def test_what_was_cut_off_or_damaged_within_a_packing_is_refused(packing: str) -> None:
    for whole in (tar_packed(DUMP, packing), PACKINGS[packing](NODES)):
        assert f"not readable as {packing}: it ends in the middle" in refusal(whole[:-4]).message
        damaged = bytearray(whole)
        damaged[len(whole) // 2] ^= 0xFF
        assert "not readable" in refusal(bytes(damaged)).message
        assert "something else follows" in refusal(whole + b"trailer").message


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_bomb_of_any_packing_is_refused_by_its_ratio_long_before_it_is_unpacked(packing: str) -> None:
    bomb = PACKINGS[packing](b" " * (100 * MEGABYTE))
    seen: list[str] = []
    tracemalloc.start()
    try:
        problem = refusal(bomb, watch=seen.append)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert "200 times" in problem.message
    assert peak < 60 * MEGABYTE


def test_a_window_beyond_all_reason_is_refused() -> None:
    long = zstandard.ZstdCompressionParameters.from_level(3, window_log=30)
    data = zstandard.ZstdCompressor(compression_params=long).compressobj()
    assert "more memory" in refusal(data.compress(NODES) + data.flush()).message
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 1024 * MEGABYTE}]
    assert "more memory" in refusal(lzma.compress(NODES, filters=filters)).message


def test_endless_extended_headers_of_a_tar_are_refused() -> None:
    header = tarfile.TarInfo("x")
    header.type = tarfile.XHDTYPE
    many = header.tobuf(tarfile.USTAR_FORMAT) * 20
    assert "extended headers" in refusal(many + bytes(1024)).message
    header.size = 2**33
    assert "extended header" in refusal(header.tobuf(tarfile.GNU_FORMAT) + bytes(1024)).message


def test_nothing_is_written_to_disk(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for data in (zipped(DUMP), tar_gz(DUMP)):
        contents(data)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("whole", [zipped(DUMP), tarred(DUMP), tar_gz(DUMP)], ids=["zip", "tar", "tar.gz"])
@given(data=st.data())
@hypothesis_settings(max_examples=tries(300))
def test_a_broken_archive_is_bad_input_whatever_is_broken_in_it(whole: bytes, data: Any) -> None:
    broken = bytearray(whole)
    for place in data.draw(st.lists(st.integers(4, len(whole) - 1), min_size=1, max_size=6)):
        broken[place] = data.draw(st.integers(0, 255))
    try:
        archive = open_archive("dump", bytes(broken), Allowance())
        found = dict(archive.read(Meter("dump", len(broken), Allowance()))) if archive else {}
    except BadInput as refused:
        found = {str(problem): b"" for problem in refused.problems}
    assert [name for name in found if len(name) > 400 or not name.encode()] == []
