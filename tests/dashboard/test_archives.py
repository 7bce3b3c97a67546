"""Archives: zip, tar, tar.gz and gz are read whole, like the files in them, and faults are named by file."""

import gzip
import io
import json
import os
import random
import tarfile
import zipfile
from typing import Any

import pytest
import yaml

from dashboard.services.imports.archives import Allowance, open_archive
from dashboard.services.imports.uploaded_cluster import Picture, read_picture
from scheduler_core.objects.problems import BadInput
from tests.dashboard.packing import (
    DUMP,
    MEGABYTE,
    NODES,
    PACKINGS,
    PODS,
    contents,
    refusal,
    regular,
    tar_gz,
    tar_of,
    tar_packed,
    tarred,
    zipped,
)
from tests.dashboard.rows import listing, node, pod


def names(picture: Picture) -> list[str]:
    return [item["metadata"]["name"] for item in picture.objects]


# What is read


@pytest.mark.parametrize(
    "data",
    [
        zipped(DUMP),
        zipped(DUMP, zipfile.ZIP_STORED),
        tar_gz(DUMP),
        tar_packed(DUMP, "bzip2"),
        tar_packed(DUMP, "xz"),
        tar_packed(DUMP, "zstd"),
        tarred(DUMP, tarfile.PAX_FORMAT),
        tarred(DUMP, tarfile.GNU_FORMAT),
        tarred(DUMP, tarfile.USTAR_FORMAT),
    ],
    ids=[
        "deflated zip",
        "stored zip",
        "tar.gz",
        "tar.bz2",
        "tar.xz",
        "tar.zst",
        "pax tar",
        "gnu tar",
        "ustar tar",
    ],
)
def test_each_packing_is_recognised_by_its_content_and_gives_its_files(data: bytes) -> None:
    assert contents(data) == dict(DUMP)


def test_a_zip_that_was_written_as_a_stream_is_read() -> None:
    """Such a zip has its sizes behind each entry, and room for 64 bits in its headers."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            self.written += bytes(data)
            return len(data)

    pipe = Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in DUMP:
            with archive.open(name, "w", force_zip64=True) as file:
                file.write(data)
    assert contents(pipe.written) == dict(DUMP)


def test_an_archive_is_read_like_its_files_in_name_order() -> None:
    as_files = read_picture([("nodes.json", NODES), ("pods.json", PODS)])
    assert names(as_files) == ["node-1", "node-2", "cart-1", "cart-2"]
    for data in (zipped(DUMP), tar_gz(DUMP)):
        assert read_picture([("dump", data)]) == as_files


def test_json_and_yaml_in_folders_may_be_mixed_and_sent_beside_plain_files() -> None:
    pods = yaml.safe_dump(json.loads(PODS)).encode()
    dump = zipped([("shop/PODS.YML", pods), ("shop/empty.yaml", listing())])
    picture = read_picture([("nodes.json", NODES), ("shop.zip", dump), ("more.yaml.gz", gzip.compress(pods))])
    assert names(picture) == ["node-1", "node-2", "cart-1", "cart-2"]


def test_what_kubectl_prints_of_a_whole_cluster_passes_the_ratio() -> None:
    pods = [pod(f"cart-{number}") for number in range(20_000)]
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": pods}, indent=4).encode()
    assert len(text) > 10 * MEGABYTE
    assert contents(tar_gz([("pods.json", text)])) == {"pods.json": text}


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_packed_file_of_several_members_is_one_text(packing: str) -> None:
    pack = PACKINGS[packing]
    data = pack(NODES[:50]) + pack(b"") + pack(NODES[50:])
    assert names(read_picture([("nodes.json.gz", data)])) == ["node-1", "node-2"]


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_large_packed_file_is_read_whole(packing: str) -> None:
    text = b"".join(random.Random(number).randbytes(MEGABYTE // 8).hex().encode() for number in range(24))
    assert contents(PACKINGS[packing](text)) == {"": text}


@pytest.mark.parametrize("form", [tarfile.PAX_FORMAT, tarfile.GNU_FORMAT])
def test_names_too_long_for_a_tar_header_are_read_from_its_extension(form: int) -> None:
    name = f"{'n' * 120}/{'p' * 20}.json"
    assert contents(tarred([(name, NODES)], form)) == {name: NODES}


def test_files_of_other_kinds_are_left_out_and_said() -> None:
    others = [
        ("README.txt", b"hello"),
        ("__MACOSX/._nodes.json", b"\0\5"),
        (".DS_Store", b"\0"),
        ("nodes", NODES),
    ]
    for data in (zipped([*DUMP, *others]), tar_gz([*DUMP, *others])):
        picture = read_picture([("dump", data)])
        assert len(picture.objects) == 4
        assert picture.left_out == [
            "4 files were left out of dump: .DS_Store, README.txt, __MACOSX/._nodes.json, nodes."
        ]


def test_only_some_of_many_left_out_names_are_listed_and_none_looks_like_a_command() -> None:
    others = [(f"run: kubectl delete {number}.txt", b"") for number in range(8)]
    [sentence] = read_picture([("dump.zip", zipped([*DUMP, *others]))]).left_out
    assert sentence.startswith("8 files were left out of dump.zip: ")
    assert sentence.endswith(" and 3 more.")
    assert ": kubectl " not in sentence.removeprefix("8 files were left out of dump.zip: ")


def test_names_in_utf_8_are_read_also_from_zips_that_do_not_say_so() -> None:
    told = zipped([("städte/knoten.json", NODES)])
    untold = bytearray(told)
    untold[7] &= 0xF7
    untold[told.index(b"PK\x01\x02") + 9] &= 0xF7
    assert contents(bytes(untold)) == contents(told) == {"städte/knoten.json": NODES}


def test_names_that_are_not_utf_8_are_read_and_shown_with_replacements() -> None:
    raw = os.fsdecode(b"caf\xe9.json")
    entry = tar_of(regular(raw, NODES), form=tarfile.GNU_FORMAT)
    assert contents(entry) == {"caf\ufffd.json": NODES}
    told = bytearray(zipped([("cafö.json", NODES)]))
    for place in (30, told.index(b"PK\x01\x02") + 46):
        told[place + 3] = 0xFF
    assert "utf-8" in refusal(bytes(told)).message


def test_control_characters_in_names_do_not_reach_the_screen() -> None:
    [name] = contents(zipped([("a\n\x1b[31m\u202eb.json", NODES)]))
    assert name == "a\ufffd\ufffd[31m\ufffdb.json"


# Whose fault it is


def test_a_broken_file_is_named_within_its_archive() -> None:
    for data in (zipped([*DUMP, ("dump/x.yaml", b"a: {")]), tar_gz([*DUMP, ("dump/x.yaml", b"a: {")])):
        with pytest.raises(BadInput) as refused:
            read_picture([("dump.zip", data)])
        assert refused.value.problems[0].object == "dump.zip/dump/x.yaml"


def test_all_files_that_cannot_be_read_are_named_at_once() -> None:
    dump = zipped([*DUMP, ("x.yaml", b"a: {"), ("y.json", b"{")])
    with pytest.raises(BadInput) as refused:
        read_picture([("first.yaml", b"- ["), ("dump.zip", dump), ("nodes.json", NODES)])
    broken = [problem.object for problem in refused.value.problems]
    assert broken == ["first.yaml", "dump.zip/x.yaml", "dump.zip/y.json"]


def test_all_archives_that_are_broken_are_named_at_once() -> None:
    broken = zipped(DUMP)[:-30]
    payloads = [("a.zip", broken), ("nodes.json", NODES), ("b.zip", broken), ("c.tgz", tar_gz(DUMP)[:-30])]
    with pytest.raises(BadInput) as refused:
        read_picture(payloads)
    assert [problem.object for problem in refused.value.problems] == ["a.zip", "b.zip", "c.tgz"]
    nothing = zipped([("README.txt", b"hello")])
    with pytest.raises(BadInput) as refused:
        read_picture([("a.zip", nothing), ("x.yaml", b"a: {"), ("b.zip", nothing)])
    assert [problem.object for problem in refused.value.problems] == ["a.zip", "x.yaml", "b.zip"]


def test_nothing_is_looked_through_once_the_upload_is_too_large(settings: Any) -> None:
    settings.ARCHIVE_ENTRY_LIMIT = 1
    with pytest.raises(BadInput) as refused:
        read_picture([("a.zip", zipped(DUMP)), ("b.zip", zipped(DUMP))])
    assert [problem.object for problem in refused.value.problems] == ["a.zip"]


def test_files_without_anything_in_them_are_left_out_of_an_archive_and_named() -> None:
    empty = [("a.yaml", b"# nothing yet\n"), ("b.json", b""), ("c.yaml", b"---\n---\n")]
    picture = read_picture([("dump.zip", zipped([*DUMP, *empty])), ("x.tgz", tar_gz([*DUMP, empty[0]]))])
    assert picture.left_out[-2:] == [
        "3 empty files were left out of dump.zip: a.yaml, b.json, c.yaml.",
        "1 empty file was left out of x.tgz: a.yaml.",
    ]
    with pytest.raises(BadInput, match="no Kubernetes objects"):
        read_picture([("dump.zip", zipped(empty))])


def test_yaml_in_flow_style_and_a_byte_order_mark_are_read() -> None:
    flow = b"{apiVersion: v1, kind: Namespace, metadata: {name: shop}}"
    assert names(read_picture([("", flow)])) == ["shop"]
    assert names(read_picture([("", b"\xef\xbb\xbf" + NODES)])) == ["node-1", "node-2"]
    assert names(read_picture([("", b"\xef\xbb\xbf" + flow)])) == ["shop"]
    for neither in (b"{kind: [", b'{"kind": "Node"'):
        with pytest.raises(BadInput, match="not readable as JSON"):
            read_picture([("", neither)])


def test_a_faulty_object_is_named_with_its_file_within_the_archive() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    bad = listing(secret, pod("cart-1"), pod("cart-9", cpu="lots"))
    with pytest.raises(BadInput) as refused:
        read_picture([("dump.tgz", tar_gz([("shop/pods.json", bad), ("nodes.json", NODES)]))])
    [problem] = refused.value.problems
    assert problem.object == "dump.tgz/shop/pods.json: Pod shop/cart-9"
    assert problem.field.endswith("requests.cpu")


def test_a_faulty_object_without_a_name_is_named_by_its_place_in_its_file() -> None:
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s"}}
    nameless = {"apiVersion": "v1", "kind": "Node", "metadata": {}}
    dump = zipped([("a.json", NODES), ("b.json", listing(secret, nameless))])
    with pytest.raises(BadInput) as refused:
        read_picture([("dump.zip", dump)])
    assert refused.value.problems[0].object == "dump.zip/b.json: items[1] (Node)"


def test_an_object_that_two_files_tell_differently_is_named_with_both() -> None:
    dump = zipped([("a.json", listing(node("node-1"))), ("b.json", listing(node("node-1", cpu="8")))])
    with pytest.raises(BadInput) as refused:
        read_picture([("dump.zip", dump)])
    assert refused.value.problems[0].object == "dump.zip/a.json and dump.zip/b.json: Node node-1"


def test_an_archive_without_a_cluster_is_refused_with_what_is_in_it() -> None:
    with pytest.raises(BadInput, match=r"dump\.zip: there is no JSON or YAML file in it \(README\.txt\)"):
        read_picture([("dump.zip", zipped([("README.txt", b"hello")]))])
    for empty in (zipped([]), tarred([]), tar_gz([]), tar_packed([], "xz")):
        with pytest.raises(BadInput, match=r"dump: the archive is empty"):
            read_picture([("dump", empty)])


def test_a_plain_text_is_no_archive() -> None:
    for text in (NODES, b"kind: Node\n", b"", bytes(1000), b"PK"):
        assert open_archive("plain", text, Allowance()) is None
