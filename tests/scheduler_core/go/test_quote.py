"""Quotes and numbers as Go's strconv has them."""

import re

import pytest

from scheduler_core.go.parse import atoi, parse_float
from scheduler_core.go.quote import quote


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("plain", '"plain"'),
        ('say "a\\b"', '"say \\"a\\\\b\\""'),
        ("line\n\ttab", '"line\\n\\ttab"'),
        ("\x00\x7f", '"\\x00\\x7f"'),
        ("ä 漢", '"ä 漢"'),
        ("\u200b\ufeff", '"\\u200b\\ufeff"'),
    ],
)
def test_a_text_is_quoted(text: str, quoted: str) -> None:
    assert quote(text) == quoted


@pytest.mark.parametrize(
    ("text", "number"), [("1", 1.0), (".5", 0.5), ("5.", 5.0), ("1e3", 1e3), ("0x1p-2", 0.25), ("-2", -2.0)]
)
def test_floats_are_read(text: str, number: float) -> None:
    assert parse_float(text) == number


@pytest.mark.parametrize(
    ("text", "number"), [("1_0", 10.0), ("1_0.5_0e1_0", 1.05e11), ("0x_1p0", 1.0), ("0xe_5p0", 229.0)]
)
def test_underscores_between_digits_are_left_out(text: str, number: float) -> None:
    """strconv.ParseFloat, atof.go: readFloat, underscoreOK."""
    assert parse_float(text) == number


@pytest.mark.parametrize("text", ["", "x", "1 ", "0x1", "١", "1e", ".", "_1", "1_", "1__0", "1_e5", "1_.5"])
def test_what_is_no_float_is_told_in_gos_words(text: str) -> None:
    words = f"strconv.ParseFloat: parsing {quote(text)}: invalid syntax"
    with pytest.raises(ValueError, match=f"^{re.escape(words)}$"):
        parse_float(text)


def test_what_is_out_of_range_is_told_as_such() -> None:
    with pytest.raises(ValueError, match='parsing "1e999": value out of range'):
        parse_float("1e999")
    with pytest.raises(ValueError, match='Atoi: parsing "99999999999999999999": value out of range'):
        atoi("99999999999999999999")
    with pytest.raises(ValueError, match="value out of range"):
        atoi("9" * 5000)
    assert atoi("-007") == -7
    assert atoi("0" * 30 + "7") == 7
