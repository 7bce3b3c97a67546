"""A List in JSON, read item by item: the same objects, keys and refusals as when it is read as a whole."""

import json
from typing import Any

import msgspec
import pytest

from scheduler_core.objects.problems import BadInput
from scheduler_core.objects.reading.json_list import take_items, text_of
from scheduler_core.objects.reading.object_lists import read_json
from scheduler_core.objects.reading.repeated_keys import RepeatedKey
from scheduler_core.objects.reading.texts import take_text

POD = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"priority": 1}}
LIST = {"apiVersion": "v1", "items": [POD, {**POD, "metadata": {"name": 'b "{['}}], "kind": "List"}


def taken(text: bytes, repeated: list[RepeatedKey] | None = None) -> list[Any] | None:
    return take_items(text, repeated, lambda document, source: (document, source), lambda done, total: None)


@pytest.mark.parametrize("indent", [None, 4])
@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b" \n"])
def test_each_item_comes_with_its_part_of_the_text(indent: int | None, start: bytes) -> None:
    found = taken(start + json.dumps(LIST, indent=indent).encode())
    assert found is not None
    assert [document for document, _ in found] == LIST["items"]
    assert [msgspec.json.decode(text_of(source)) for _, source in found] == LIST["items"]


@pytest.mark.parametrize("indent", [None, 4])
def test_items_of_a_typed_list_are_read_one_by_one_as_what_they_are(indent: int | None) -> None:
    items = [{"metadata": {"name": "a"}, "spec": {"priority": 1}}, {"metadata": {"name": "kind"}}]
    text = json.dumps({"kind": "PodList", "apiVersion": "v1", "metadata": {}, "items": items}, indent=indent)
    found = taken(text.encode())
    assert found is not None
    assert [document for document, _ in found] == read_json(text.encode())
    assert [list(document)[:2] for document, _ in found] == [["apiVersion", "kind"]] * 2
    assert [msgspec.json.decode(text_of(source)) for _, source in found] == read_json(text.encode())


def test_progress_is_told_for_each_item() -> None:
    told: list[tuple[int, int]] = []
    take_text(json.dumps(LIST).encode(), None, lambda *_: None, lambda *numbers: told.append(numbers))
    assert told == [(0, 2), (1, 2)]


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"[]",
        b'{"kind":"Pod"}',
        b'{"kind":"List","items":[]}',
        b'{"kind":"PodList","items":[{"metadata":{"name":"a"}}]}',
        b'{"kind":"PodList","apiVersion":"v1","items":[{"kind":"Pod","metadata":{"name":"a"}}]}',
        b'{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{"apiVersion":"v2"}]}',
        b'{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},{ }]}',
        b'{"kind":"PodList","apiVersion":"v1","items":[{"metadata":{"name":"a"}},7]}',
        b'{"kind":"PodList","apiVersion":"v1","items":[{"items":[{"metadata":{}}],"metadata":[}]}',
        b'{"kind":"Podlist","apiVersion":"v1","items":[{"metadata":{"name":"a"}}]}',
        b'{"kind":"List","items":[7]}',
        b'{"kind":"List","items":[{"kind":"List","items":[{"kind":"Pod"}]}]}',
        b'{"kind":"List","items":[{"nodes":[{"metadata":{"name":"a"}}]}]}',
        b'{"kind":"List","items":[{"kind":"Pod"},{"kind":]}',
        b'{"kind":"List","items":[{"kind":"Pod"}]} {}',
        b'{"kind":"List","kind":"List","items":[{"kind":"Pod"}]}',
        b'{"kind":"List","items":[{"kind":"Pod"}],"items":[{"kind":"Pod"}]}',
        b'{"kind":"List","items":[{"kind":"Pod"}],"x":[{"kind":"Pod"}],"x":[{"kind":"Pod"}]}',
        b'{"kind":"List","items":[{"kind":"Pod","a":"\xff"}]}',
        b'{"kind":"List","items":[{"kind":"Pod","a":' + b"[" * 99 + b"]" * 99 + b"}]}",
        b'{"kind":"List","items":[{"kind":"Pod"}],"a":' + b"[" * 200 + b"]" * 200 + b"}",
        b'{"kind":"List","items":[' + b"[" * 100_000,
    ],
)
def test_any_other_text_is_left_to_those_who_read_it_as_a_whole(text: bytes) -> None:
    assert taken(text, []) is None


def test_the_bound_on_depth_counts_the_list_around_an_item() -> None:
    def nested(levels: int) -> bytes:
        inner = b"[" * levels + b"]" * levels
        return b'{"kind":"List","items":[{"kind":"Pod","a":' + inner + b"}]}"

    assert taken(nested(97)) is not None
    assert len(read_json(nested(97))) == 1
    assert taken(nested(98)) is None
    with pytest.raises(BadInput, match="nested deeper than 100 levels"):
        take_text(nested(98), None, lambda document, _: document)


def test_keys_that_stand_twice_are_told_as_of_the_whole_text() -> None:
    text = (
        b'{"kind":"List","items":[{"kind":"Pod","a":1},{"kind":"Pod","a":{"b":1,"b":2},"a":{"b":1,"b":2}}]}'
    )
    whole: list[RepeatedKey] = []
    read_json(text, whole)
    single: list[RepeatedKey] = []
    assert taken(text, single) is not None
    assert single == whole
    assert len(single) == 3
    assert taken(text, None) is None
