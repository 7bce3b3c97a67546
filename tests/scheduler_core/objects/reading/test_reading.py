"""Reading JSON and YAML: what kubectl would read, nothing that breaks, a clear word otherwise."""

import json
import time
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.object_lists import read_json, read_yaml
from tests.builders import node, pod


def refusal(read: Any, data: bytes) -> str:
    with pytest.raises(BadInput) as refused:
        read(data)
    return str(refused.value)


def scalar(text: str) -> Any:
    return read_yaml(f"kind: Test\nvalue: {text}\n".encode())[0]["value"]


def test_a_single_object_is_a_list_of_one() -> None:
    assert read_json(json.dumps(node("a")).encode()) == [node("a")]


def test_a_byte_order_mark_is_read_over() -> None:
    for read, text in ((read_json, json.dumps(node("a"))), (read_yaml, yaml.safe_dump(node("a")))):
        assert read(b"\xef\xbb\xbf" + text.encode()) == [node("a")]


def test_lists_are_opened_in_order_also_nested_ones() -> None:
    inner = {"apiVersion": "v1", "kind": "List", "items": [pod("b"), pod("c")]}
    outer = {"apiVersion": "v1", "kind": "List", "items": [pod("a"), inner, pod("d")]}
    assert [item["metadata"]["name"] for item in read_json(json.dumps(outer).encode())] == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_items_of_a_typed_list_get_its_kind_and_version() -> None:
    bare = {key: value for key, value in node("a").items() if key not in ("kind", "apiVersion")}
    data = {"apiVersion": "v1", "kind": "NodeList", "metadata": {"resourceVersion": "1"}, "items": [bare]}
    (read,) = read_json(json.dumps(data).encode())
    assert (read["kind"], read["apiVersion"]) == ("Node", "v1")


def test_a_list_without_items_is_empty() -> None:
    assert read_json(b'{"kind": "List", "apiVersion": "v1", "items": null}') == []


def test_items_that_are_no_objects_are_named_by_place() -> None:
    assert "items[1]" in refusal(read_json, b'{"kind": "List", "items": [{"kind": "Pod"}, 3]}')


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "not readable"),
        (b"{", "not readable"),
        (b"NaN", "not readable"),
        (b'{"a": 1e999}', "not readable"),
        (b"\xff\xfe\x00", "not readable"),
        (b'"text"', "expected a Kubernetes object"),
        (b"[" * 200_000, "nested deeper"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "nested deeper"),
    ],
)
def test_broken_json_is_refused_with_a_reason(data: bytes, word: str) -> None:
    assert word in refusal(read_json, data)


def test_brackets_within_strings_are_no_nesting() -> None:
    assert read_json(json.dumps({"kind": "X", "text": '[{"' * 500 + "\\"}).encode())


def test_documents_of_a_yaml_file_are_joined_and_empty_ones_skipped() -> None:
    text = b"---\nkind: A\n---\n---\n# nothing\n---\nkind: List\nitems:\n- kind: B\n- kind: C\n"
    assert [item["kind"] for item in read_yaml(text)] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("yes", True),
        ("on", True),
        ("y", True),
        ("Off", False),
        ("no", False),
        ('"yes"', "yes"),
        ("010", 8),
        ("0o10", 8),
        ("08", 8.0),
        ("0x1F", 31),
        ("-0b11", -3),
        ("1_000", 1000),
        ("+12", 12),
        ("1:30", "1:30"),
        ("2026-06-01T00:00:00Z", "2026-06-01T00:00:00Z"),
        ("2026-06-01", "2026-06-01"),
        ("1e3", 1000.0),
        (".5", 0.5),
        ("100m", "100m"),
        ("1.2.3", "1.2.3"),
        ("~", None),
        ("", None),
        ("=", "="),
        ("18446744073709551615", 18446744073709551615),
        ("99999999999999999999", 1e20),
        ("!!str 5", "5"),
        ("!!float 5", 5.0),
        ("|\n  1\n", "1\n"),
    ],
)
def test_scalars_mean_what_they_mean_to_kubectl(text: str, value: Any) -> None:
    read = scalar(text)
    assert read == value
    assert type(read) is type(value)


def test_keys_become_text() -> None:
    (read,) = read_yaml(b"kind: Test\n5: a\non: b\n0.5: c\n")
    assert read == {"kind": "Test", "5": "a", "true": "b", "0.5": "c"}


def test_anchors_and_merges_are_followed() -> None:
    text = b"kind: Test\nbase: &b {a: 1, b: 2}\nmerged:\n  <<: *b\n  b: 3\nlist:\n  <<: [{a: 9}, *b]\n"
    (read,) = read_yaml(text)
    assert read["merged"] == {"a": 1, "b": 3}
    assert read["list"] == {"a": 9, "b": 2}


@pytest.mark.parametrize(
    ("data", "word"),
    [
        (b"", "nothing in it"),
        (b"a: [", "not readable"),
        (b"a: *x", "alias"),
        (b"a: &x [*x]", "alias"),
        (b"a: .nan", "no number"),
        (b"a: .inf", "no number"),
        (b"a: !!python/object x", "tag"),
        (b"a: !!int x", "no int"),
        (b"? [a]\n: 1", "key"),
        (b"~: 1", "key"),
        (b"x: 1\n<<: 3", "merged"),
        (b"just text", "expected a Kubernetes object"),
        (b"[" * 50_000, "nested deeper"),
        (b"- " * 50_000 + b"a", "nested deeper"),
    ],
)
def test_broken_or_dangerous_yaml_is_refused_with_a_reason(data: bytes, word: str) -> None:
    assert word in refusal(read_yaml, data)


def test_a_bomb_of_aliases_is_refused_before_it_grows() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    start = time.thread_time()
    assert "aliases" in refusal(read_yaml, "\n".join(lines).encode())
    assert time.thread_time() - start < 1


def test_a_bomb_of_one_long_text_is_refused_too() -> None:
    text = f"kind: Test\na: &a {'x' * 100_000}\nb: [{', '.join(['*a'] * 20_000)}]\n"
    assert "aliases" in refusal(read_yaml, text.encode())


texts = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=["Cs"]), max_size=8)
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    texts,
)
values = st.recursive(
    plain,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=12,
)


@given(values)
def test_what_json_says_yaml_says_too(value: Any) -> None:
    data = json.dumps({"kind": "Test", "value": value}).encode()
    assert read_yaml(data) == read_json(data)


def test_what_other_tools_write_is_read_back() -> None:
    written = yaml.safe_dump({"kind": "List", "items": [pod("a", on="one"), node("one")]}).encode()
    assert read_yaml(written) == [pod("a", on="one"), node("one")]


def test_a_fault_of_yaml_says_where_it_is_and_nothing_of_strings() -> None:
    with pytest.raises(BadInput) as refused:
        read_yaml(b"kind: {")
    message = refused.value.problems[0].message
    assert message.endswith("did not find expected node content at line 2, column 1")


@pytest.mark.parametrize(("kind", "meant"), [("list", "List"), ("LIST", "List"), ("Podlist", "PodList")])
def test_a_list_with_wrong_capitals_is_refused_in_place_of_being_taken_for_an_object(kind, meant) -> None:
    misspelt = {"apiVersion": "v1", "kind": kind, "items": [node("a")]}
    outer = {"apiVersion": "v1", "kind": "List", "items": [node("b"), misspelt]}
    for document, place in ((misspelt, ""), (outer, "items[1]")):
        for read, write in ((read_json, json.dumps), (read_yaml, yaml.safe_dump)):
            with pytest.raises(BadInput) as refused:
                read(write(document).encode())
            problem = Problem(place, "kind", f"{kind} is an unknown kind; did you mean {meant}?")
            assert refused.value.problems == [problem]


def test_an_object_of_somebody_s_own_kind_may_have_items() -> None:
    own = {"apiVersion": "example.com/v1", "kind": "list", "metadata": {"name": "a"}, "items": []}
    assert read_json(json.dumps(own).encode()) == [own]
