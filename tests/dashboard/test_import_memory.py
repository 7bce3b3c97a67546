"""How much memory the reading of an upload takes beside its text, whatever form it has, packed or plain."""

import ctypes
import json
import tracemalloc
from typing import Any

import pytest

from dashboard import memory
from dashboard.models import Snapshot
from dashboard.services.background import importing
from dashboard.services.imports.uploaded_cluster import read_picture
from dashboard.services.workspace.snapshots import begin_import
from tests.dashboard.packing import PACKINGS, tar_packed, zipped
from tests.dashboard.rows import listing, node, pod

MEGABYTE = 1024 * 1024


def padded(document: dict[str, Any]) -> dict[str, Any]:
    """The object with 40 kB that are not stored, as managed fields are."""
    document["metadata"]["managedFields"] = [{"manager": "m" * 40_000}]
    return document


OBJECTS = [padded(node("node-1")), *(padded(pod(f"cart-{number}")) for number in range(200))]
LIST = listing(*OBJECTS)
UNTYPED = [
    {key: value for key, value in one.items() if key not in ("kind", "apiVersion")} for one in OBJECTS[1:]
]
APPENDED = (
    json.dumps({"items": OBJECTS[:100], "kind": "List"})
    + "\n"
    + json.dumps({"items": OBJECTS[100:], "kind": "List"})
)
FORMS = {
    "a list": LIST,
    "gzip": PACKINGS["gzip"](LIST),
    "zstd": PACKINGS["zstd"](LIST),
    "tar.zst": tar_packed([("all.json", LIST)], "zstd"),
    "zip": zipped([("all.json", LIST)]),
    "JSON lines": b"\n".join(json.dumps(one).encode() for one in OBJECTS),
    "lists in a row": APPENDED.encode(),
    "an array without kinds": json.dumps(UNTYPED).encode(),
    "a typed list": json.dumps({"kind": "PodList", "apiVersion": "v1", "items": UNTYPED}).encode(),
    "a list between warnings": b"Warning: x\n" + LIST + b"\nError from server (Forbidden): y\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_there_is_never_more_in_memory_than_the_unpacked_text_and_little_beside_it(
    form: str,
) -> None:
    data = FORMS[form]
    is_packed = len(data) < len(LIST) / 2
    tracemalloc.start()
    try:
        picture = read_picture([("all", data)])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(picture.objects) >= 200
    beside = peak - (len(LIST) if is_packed else 0)
    assert beside < 0.4 * len(LIST), f"{peak / MEGABYTE:.1f} MiB for {len(LIST) / MEGABYTE:.1f} MiB"


@pytest.mark.django_db
def test_memory_is_given_back_after_an_import(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[str] = []
    monkeypatch.setattr(importing, "give_back", lambda: given.append(Snapshot.objects.get().status))
    importing.import_uploads(begin_import(None, "x", [("", listing(node("node-1")))]).pk)
    importing.import_uploads(Snapshot.objects.get().pk)
    assert given == ["ready"]


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="the C library has no such call")
def test_what_is_given_back_is_no_longer_in_use() -> None:
    def resident() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * 4096

    kept = [bytes(1000) for _ in range(100_000)]
    pinned = bytearray(1000)
    before = resident()
    kept.clear()
    memory.give_back()
    assert before - resident() > 50 * MEGABYTE
    assert pinned
