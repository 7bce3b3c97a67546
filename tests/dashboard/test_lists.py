"""Older Lists are told from newer ones, to the byte."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from dashboard.models.lists import apply, difference, join, split

_objects = st.builds(
    lambda name, version, text: msgspec.json.encode(
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "x": version}, "text": text}
    ),
    st.sampled_from("abcdefgh"),
    st.integers(0, 2),
    st.text(max_size=4),
)
_lists = st.lists(_objects, max_size=12)


@given(_lists, _lists)
def test_any_list_is_made_again_of_any_other(older: list[bytes], newer: list[bytes]) -> None:
    assert apply(difference(older, newer), newer) == older
    assert split(join(older)) == older


def test_what_has_not_changed_costs_nothing_and_what_has_costs_what_differs() -> None:
    def text(name: int, node: int) -> bytes:
        return msgspec.json.encode(
            {"kind": "Pod", "metadata": {"name": f"web-{name:04}", "uid": f"{name * 7919:032x}"}, "on": node}
        )

    newer = [text(number, 1) for number in range(2000)]
    assert len(difference(newer, newer)) < 40
    assert len(difference(newer[:900] + newer[901:], newer)) < 50
    older = [text(number, 1 + (number % 100 == 0)) for number in range(2000)]
    assert len(difference(older, newer)) < 20 * 25, "twenty pods on another node"
    assert len(difference(older[::-1], newer)) < 20 * 2000, "even in another order"
