"""What is stored packed is searched piece by piece, without all of it in memory."""

import tracemalloc

import pytest

from dashboard.models import packing

WORD = b"sandtable/duration"


@pytest.mark.parametrize(
    "before", [0, 1, packing.PIECE_BYTES - 9, packing.PIECE_BYTES, 3 * packing.PIECE_BYTES - 1]
)
def test_a_word_is_found_wherever_it_stands(before: int) -> None:
    assert packing.contains(packing.pack(b"x" * before + WORD + b"y" * 100), WORD)
    assert not packing.contains(packing.pack(b"x" * before + WORD[:-1] + b"y" * 100), WORD)


def test_nothing_is_found_in_nothing() -> None:
    assert not packing.contains(packing.pack(b""), WORD)


def test_a_large_content_is_never_whole_in_memory() -> None:
    packed = packing.pack(bytes(64 * packing.PIECE_BYTES))
    tracemalloc.start()
    try:
        assert not packing.contains(packed, WORD)
        assert tracemalloc.get_traced_memory()[1] < 8 * packing.PIECE_BYTES
    finally:
        tracemalloc.stop()
