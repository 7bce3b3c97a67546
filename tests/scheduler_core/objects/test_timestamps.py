"""Timestamps keep their order over all years that they can name, also where nanoseconds end."""

from hypothesis import given
from hypothesis import strategies as st

from scheduler_core.objects.timestamps import format_timestamp, parse_timestamp

MOMENTS = st.datetimes().map(lambda moment: moment.replace(microsecond=0).isoformat() + "Z")


@given(MOMENTS, MOMENTS)
def test_a_later_second_counts_more(one: str, other: str) -> None:
    assert (parse_timestamp(one, 0) < parse_timestamp(other, 0)) == (one < other)


@given(MOMENTS)
def test_every_second_is_written_as_it_was_read(text: str) -> None:
    counted = parse_timestamp(text, 0)
    assert -(2**63) < counted < 2**63 - 1
    assert format_timestamp(counted) == text


def test_the_seconds_around_the_end_of_nanoseconds_differ() -> None:
    texts = [f"2262-03-31T{hour:02}:{minute:02}:00Z" for hour in range(24) for minute in range(60)]
    counted = [parse_timestamp(text, 0) for text in texts]
    assert counted == sorted(set(counted))


def test_a_clock_that_goes_on_from_the_last_moment_can_be_written() -> None:
    assert format_timestamp(parse_timestamp("9999-12-31T23:59:59Z", 0) + 10**12) == "9999-12-31T23:59:59Z"
