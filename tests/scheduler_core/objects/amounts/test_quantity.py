"""Quantities, held to an independent reading in fractions and to figures of the original."""

import contextlib
import math
import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.amounts.go_quantity import resource_amount
from scheduler_core.objects.amounts.quantity import (
    QuantityError,
    parse_quantity,
)

DECIMAL = {"n": -9, "u": -6, "m": -3, "": 0, "k": 3, "M": 6, "G": 9, "T": 12, "P": 15, "E": 18}
BINARY = {"Ki": 1, "Mi": 2, "Gi": 3, "Ti": 4, "Pi": 5, "Ei": 6}
LARGEST = 2**63 - 1

digits = st.text("0123456789", min_size=1, max_size=22)
numbers = st.one_of(digits, st.tuples(digits, digits).map(".".join), digits.map(lambda text: f".{text}"))
suffixes = st.one_of(
    st.sampled_from([*DECIMAL, *BINARY]),
    st.tuples(st.sampled_from("eE"), st.integers(-25, 25)).map(lambda parts: f"{parts[0]}{parts[1]}"),
)


def exact(number: str, suffix: str) -> Fraction:
    """The amount as a fraction, without the rules on precision and size."""
    value = Fraction(number)
    if suffix in DECIMAL:
        return value * Fraction(10) ** DECIMAL[suffix]
    if suffix in BINARY:
        return value * 1024 ** BINARY[suffix]
    return value * Fraction(10) ** int(suffix[1:])


@given(numbers, suffixes)
def test_every_quantity_is_the_exact_amount_rounded_up_once(number: str, suffix: str) -> None:
    expected = Fraction(math.ceil(exact(number, suffix) * 10**9), 10**9)
    if suffix in BINARY:
        expected = min(expected, Fraction(LARGEST))
    quantity = parse_quantity(number + suffix)
    assert Fraction(quantity.nanos, 10**9) == expected
    for unit, answer in ((1, quantity.value), (1000, quantity.milli_value)):
        if math.ceil(expected * unit) <= LARGEST:
            assert answer() == math.ceil(expected * unit)
        else:
            with pytest.raises(QuantityError):
                answer()


def lowest(number: int) -> int:
    """The lowest 64 bits."""
    return int.from_bytes(number.to_bytes(32, "little")[:8], "little", signed=True)


@given(numbers, suffixes)
def test_what_64_bits_hold_is_counted_exactly(number: str, suffix: str) -> None:
    amount = Fraction(math.ceil(exact(number, suffix) * 10**9), 10**9)
    if suffix in BINARY:
        amount = min(amount, Fraction(LARGEST))
    for resource, unit in (("memory", 1), ("cpu", 1000)):
        if math.ceil(amount * unit) <= LARGEST:
            assert resource_amount(resource, number + suffix) == math.ceil(amount * unit)


@pytest.mark.parametrize(
    ("text", "whole", "milli"),
    [
        ("1E", 10**18, 0),
        ("10E", 0, 0),
        ("9223372036854776", 9223372036854776, lowest(9223372036854776000)),
        ("5Ei", 5 * 2**60, (5 * 2**60 * 1000 + 2**63) % 2**64 - 2**63),
        (
            "9999999999999999999",
            9999999999999999999 - 2**64,
            (9999999999999999999000 + 2**63) % 2**64 - 2**63,
        ),
    ],
)
def test_what_is_left_of_more_than_64_bits_hold(text: str, whole: int, milli: int) -> None:
    """Zero where Go multiplies digit by digit, else the lowest 64 bits."""
    assert (resource_amount("memory", text), resource_amount("cpu", text)) == (whole, milli)


@given(numbers, suffixes)
def test_a_negative_quantity_mirrors_the_positive_one(number: str, suffix: str) -> None:
    assert parse_quantity(f"-{number}{suffix}").nanos == -parse_quantity(number + suffix).nanos
    assert parse_quantity(f"+{number}{suffix}") == parse_quantity(number + suffix)


@given(st.integers(0, 2**60), suffixes)
def test_the_canonical_text_reads_back_as_the_same_amount(whole: int, suffix: str) -> None:
    quantity = parse_quantity(f"{whole}{suffix}")
    if quantity.nanos < 10**30:
        assert parse_quantity(str(quantity)).nanos == quantity.nanos


@given(st.text(max_size=12))
def test_any_text_is_read_or_refused_but_never_breaks(text: str) -> None:
    with contextlib.suppress(QuantityError):
        assert isinstance(parse_quantity(text).nanos, int)


@pytest.mark.parametrize(
    ("text", "value", "milli"),
    [
        ("0", 0, 0),
        ("100m", 1, 100),
        ("1500m", 2, 1500),
        ("0.1", 1, 100),
        ("1n", 1, 1),
        ("0.1n", 1, 1),
        ("1.5Gi", 1_610_612_736, 1_610_612_736_000),
        ("1.1Ki", 1127, 1_126_400),
        ("12e6", 12_000_000, 12_000_000_000),
        ("12E-3", 1, 12),
        ("1E", 10**18, None),
        ("8Ei", LARGEST, None),
        ("1000000Ei", LARGEST, None),
        (" 2 ", 2, 2000),
        (3, 3, 3000),
        (0.25, 1, 250),
        (1e-05, 1, 1),
        (None, 0, 0),
    ],
)
def test_figures_of_the_original(text: str | float | None, value: int, milli: int | None) -> None:
    quantity = parse_quantity(text)
    assert quantity.value() == value
    if milli is None:
        with pytest.raises(QuantityError, match="too large"):
            quantity.milli_value()
    else:
        assert quantity.milli_value() == milli


@pytest.mark.parametrize(
    "text",
    ["", "1 Gi", "1gi", "1K", "1mi", "abc", "1..2", "1e", "1e1.5", "--1", "1Gi5", "0x10", "1_000", "NaN"],
)
def test_what_is_no_quantity_is_refused(text: str) -> None:
    with pytest.raises(QuantityError, match="quantity"):
        parse_quantity(text)


@pytest.mark.parametrize("text", ["+", "-", ".", "m", "Ki", "Ti"])
def test_texts_without_digits_that_kubernetes_reads_as_zero(text: str) -> None:
    assert parse_quantity(text).nanos == 0


@pytest.mark.parametrize("text", ["Pi", "Ei", "e-40"])
def test_texts_without_digits_that_kubernetes_refuses(text: str) -> None:
    with pytest.raises(QuantityError):
        parse_quantity(text)


@pytest.mark.parametrize("value", [True, False, [], {}])
def test_other_types_are_refused(value: object) -> None:
    with pytest.raises((QuantityError, TypeError)):
        parse_quantity(value)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text", ["1e999999", "1e" + "9" * 60, "9" * 5000, "1e-999999999", "0." + "0" * 90 + "1"]
)
def test_huge_exponents_and_lengths_cost_no_time(text: str) -> None:
    start = time.thread_time()
    with contextlib.suppress(QuantityError):
        parse_quantity(text).value()
    assert time.thread_time() - start < 0.05


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("1.5", "1500m"),
        ("1.5Gi", "1536Mi"),
        ("1024Ki", "1Mi"),
        ("1000m", "1"),
        ("5000k", "5M"),
        ("12000e3", "12e6"),
        ("0.5Ki", "512"),
        ("1.0001Ki", "1024102400u"),
        ("-1Gi", "-1Gi"),
        ("0", "0"),
    ],
)
def test_canonical_texts(text: str, canonical: str) -> None:
    assert str(parse_quantity(text)) == canonical


def test_the_scheduler_counts_cpu_in_thousandths_and_all_else_in_whole_units() -> None:
    assert resource_amount("cpu", "250m") == 250
    assert resource_amount("memory", "64Mi") == 67_108_864
    assert resource_amount("nvidia.com/gpu", "2") == 2
    assert resource_amount("memory", "100m") == 1
