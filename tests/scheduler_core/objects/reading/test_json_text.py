"""JSON from outside: bounded depth, and no key that silently stands twice."""

import json
import time
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput, dotted
from scheduler_core.objects.reading import json_text
from scheduler_core.objects.reading.json_text import NotJson, decode_json, repeated_keys, split_documents
from scheduler_core.objects.reading.object_lists import read_json, read_yaml
from scheduler_core.objects.reading.repeated_keys import RepeatedKey
from scheduler_core.objects.reading.texts import read_manifest

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
)


def depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max(map(depth, inner), default=0)


def places(data: bytes) -> list[str]:
    return [dotted(path) for path in repeated_keys(data, msgspec.json.decode(data))]


# --- depth ----------------------------------------------------------------------------------------------


@given(VALUES, st.integers(0, 5), st.booleans())
def test_what_is_nested_no_deeper_than_allowed_is_decoded_and_nothing_else(
    value: Any, limit: int, plain: bool
) -> None:
    data = json.dumps(value, ensure_ascii=plain).encode()
    if depth(value) <= limit:
        assert decode_json(data, limit) == msgspec.json.decode(data)
    else:
        with pytest.raises(BadInput, match=f"nested deeper than {limit} levels"):
            decode_json(data, limit)


def test_brackets_in_texts_do_not_count() -> None:
    value = ["[" * 50, '"' * 3 + "{" * 50, "\\" * 5, '\\"[[[[']
    assert decode_json(json.dumps(value).encode(), 1) == value


@pytest.mark.parametrize("data", [b"[" * 200, b'{"a":' * 200, b'"x" [[[' * 50, b"[}" * 20 + b"[" * 200])
def test_what_is_too_deep_never_reaches_the_decoder(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    decoded: list[bytes] = []
    monkeypatch.setattr(json_text.msgspec.json, "decode", lambda text, **_: decoded.append(text) or "")
    with pytest.raises(BadInput, match="nested deeper than 100 levels"):
        decode_json(data)
    assert data not in decoded


def test_a_text_that_breaks_off_within_a_string_is_no_json() -> None:
    with pytest.raises(NotJson):
        decode_json(b'[[[["' + b"[" * 300)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (rb'{"a": "x\ud800"}', r"\ud800 is half of a character (line 1)"),
        (rb'{"a": "x\ud800', "it was cut off"),
        (rb'{"a": "x\\ud800y', "it was cut off"),
        (rb'{"a": "x\\\ud800y"}', r"\ud800 is half of a character (line 1)"),
    ],
)
def test_half_a_character_is_no_text_that_breaks_off(text: bytes, said: str) -> None:
    with pytest.raises(NotJson) as caught:
        decode_json(text)
    assert caught.value.problems[0].message.endswith(said)


def test_why_a_large_text_breaks_off_is_told_as_fast_as_its_brackets_are_counted() -> None:
    text = b'["' + b'", "'.join([b"registry.example/app:1.4 and so on"] * 200_000)
    counting = min(_seconds(lambda: text.translate(None, b"abc")) for _ in range(3))

    def told() -> None:
        with pytest.raises(NotJson, match="cut off"):
            decode_json(text)

    decoding = min(_seconds(told) for _ in range(3))
    assert decoding < 40 * counting


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def test_a_text_that_is_too_deep_is_refused_with_field_and_limit() -> None:
    data = json.dumps({"spec": {"containers": [1, {"env": "x"}]}}).replace('"x"', "[" * 200 + "]" * 200)
    with pytest.raises(BadInput) as refused:
        decode_json(data.encode())
    [problem] = refused.value.problems
    assert problem.field == "spec.containers[1].env[0][0][0][0]…"
    assert problem.message == "nested deeper than 100 levels"


def test_aliases_do_not_make_yaml_deeper_than_allowed() -> None:
    """Each link of the chain is nested 60 deep, and holds the one before at its bottom."""
    lines = ["- &a0 " + "[" * 60 + "]" * 60]
    lines += [f"- &a{link} " + "[" * 60 + f"*a{link - 1}" + "]" * 60 for link in range(1, 30)]
    with pytest.raises(BadInput, match=r"nested deeper than 100 levels \(line 2\)"):
        read_yaml("\n".join(lines).encode())


def test_an_alias_may_stand_where_there_is_room_for_it() -> None:
    text = "a: &a " + "[" * 60 + "]" * 60 + "\nb: " + "[" * 39 + "*a" + "]" * 39
    assert depth(read_yaml(text.encode())[0]) == 100


# --- keys that stand twice ------------------------------------------------------------------------------


@given(VALUES)
def test_a_text_without_repeats_has_none(value: Any) -> None:
    for data in (json.dumps(value, indent=1).encode(), msgspec.json.encode(value)):
        assert repeated_keys(data, msgspec.json.decode(data)) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('{"a": 1, "a": 1}', ["a"]),
        ('{"a": 1, "\\u0061": 2}', ["a"]),
        ('{"spec": {"x": [1, {"b": "c", "b": "c"}]}, "b": {}}', ["spec.x[1].b"]),
        ('[{"a": {}, "b": [], "a": {"a": 1}}, {"a": 1}]', ["[0].a"]),
        ('{"a\\"b": "\\\\", "c": "\\\\\\"", "a\\"b": 2}', ['a"b']),
        ('{"a": 1, "a": 2, "a": 3}', ["a", "a"]),
        ('{"a": "a", "b": {"a": "b"}, "c": ["a", "a"]}', []),
    ],
)
def test_a_key_that_stands_twice_is_found_by_its_place(text: str, found: list[str]) -> None:
    assert places(text.encode()) == found


def test_a_list_of_repeats_has_an_end() -> None:
    data = b'{"a": 1' + b', "a": 1' * 1000 + b"}"
    assert len(places(data)) == json_text.MAX_REPEATED_KEYS


TWICE_IN_A_POD = """
apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: Node, metadata: {name: n}}
- apiVersion: v1
  kind: Pod
  metadata: {name: cart, namespace: shop}
  spec:
    containers: [{name: c}, {name: d, image: a, image: b}]
"""


def twice_in_json() -> bytes:
    [node, pod] = read_yaml(TWICE_IN_A_POD.encode(), [])
    text = json.dumps({"apiVersion": "v1", "kind": "List", "items": [node, pod]})
    return text.replace('"image": "b"', '"image": "a", "image": "b"').encode()


@pytest.mark.parametrize(
    ("read", "data", "line"),
    [(read_yaml, TWICE_IN_A_POD.encode(), " (line 10)"), (read_json, twice_in_json(), "")],
)
def test_a_repeated_key_is_told_with_its_object_or_refused(read: Any, data: bytes, line: str) -> None:
    repeated: list[RepeatedKey] = []
    objects = read(data, repeated)
    assert objects[1]["spec"]["containers"][1]["image"] == "b"
    [problem] = [key.problem("") for key in repeated]
    assert problem.object == "Pod shop/cart"
    assert problem.field == "spec.containers[1].image"
    assert problem.message == f"the key stands twice{line}"
    with pytest.raises(BadInput, match="the key stands twice"):
        read(data)


def test_an_edits_manifest_with_a_repeated_key_is_refused() -> None:
    with pytest.raises(BadInput, match=r"Pod shop/cart.*image.*the key stands twice"):
        read_manifest(TWICE_IN_A_POD)


def test_a_key_that_overrides_a_merged_one_stands_once() -> None:
    text = "base: &base {a: 1, b: 2}\nlater: {<<: *base, a: 3}\nwrong: {<<: *base, a: 3, a: 4}\n"
    repeated: list[RepeatedKey] = []
    [document] = read_yaml(text.encode(), repeated)
    assert document["later"] == {"a": 3, "b": 2}
    assert [dotted(key.path) for key in repeated] == ["wrong.a"]


TRICKY = st.text('}{[]"\\ x', max_size=6)
DOCUMENTS = st.dictionaries(TRICKY, TRICKY | st.lists(TRICKY, max_size=2), max_size=3) | st.lists(
    TRICKY, max_size=3
)


@given(
    st.lists(DOCUMENTS, min_size=1, max_size=5),
    st.sampled_from([b"", b"\n", b" \r\n\t"]),
    st.sampled_from([1, 2, 3, 1024]),
)
def test_documents_in_a_row_are_taken_apart_whatever_stands_in_their_texts(
    values: list[Any], gap: bytes, piece: int
) -> None:
    documents = [msgspec.json.encode(value) for value in values]
    with patch.object(json_text, "_PIECE_BYTES", piece):
        apart = [bytes(document).strip() for document in split_documents(gap.join(documents))]
    assert apart == documents
