"""An answer that is no JSON, or of another shape, is complained of in the words of Go's decoder."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.go.json_syntax import MAX_DEPTH, GoJsonError, Members, first_value
from scheduler_core.kube.extenders import wire
from scheduler_core.kube.extenders.extender import ExtenderError


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "EOF"),
        (b"[1", "unexpected EOF"),
        (b"oops", "invalid character 'o' looking for beginning of value"),
        (b"{'a':1}", r"invalid character '\'' looking for beginning of object key string"),
        (b'{"a" 1}', "invalid character '1' after object key"),
        (b'{"a":tru3}', "invalid character '3' in literal true (expecting 'e')"),
        (b'{"a":-}', "invalid character '}' in numeric literal"),
        (b'{"a":"x\ny"}', r"invalid character '\n' in string literal"),
        (b'"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"),
    ],
)
def test_a_fault_of_syntax_is_named_as_go_names_it(body: bytes, words: str) -> None:
    with pytest.raises(GoJsonError) as fault:
        first_value(body)
    assert str(fault.value) == words


def test_what_follows_the_first_value_is_not_looked_at() -> None:
    assert first_value(b' {"a": [1, "\\u00e9\\ud83d\\ude00"]} }') == Members(
        [("a", ["1", "\u00e9\U0001f600"])]
    )


def test_a_text_that_is_too_deep_is_refused_and_not_followed() -> None:
    with pytest.raises(GoJsonError, match="exceeded max depth"):
        first_value(b"[" * (MAX_DEPTH + 2))


@given(st.binary(max_size=60))
def test_no_answer_whatever_it_holds_is_more_than_an_error_of_its_extender(body: bytes) -> None:
    for reader in (wire.FILTER_RESULT, wire.HOST_PRIORITIES, wire.PREEMPTION_RESULT, wire.BINDING_RESULT):
        with suppress(ExtenderError):
            wire.read(body, reader)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b'{"Error": 5}', "number into Go struct field ExtenderFilterResult.Error of type string"),
        (b"[]", "array into Go value of type v1.ExtenderFilterResult"),
        (b'{"nodenames": [{}]}', "object into Go struct field ExtenderFilterResult.NodeNames of type string"),
    ],
)
def test_a_value_of_another_kind_is_named_with_its_place(body: bytes, words: str) -> None:
    with pytest.raises(ExtenderError) as fault:
        wire.read(body, wire.FILTER_RESULT)
    assert str(fault.value) == f"json: cannot unmarshal {words}"
