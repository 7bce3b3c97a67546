"""What counts where two decisions are compared: each part by itself makes them differ."""

from types import SimpleNamespace
from typing import Any, cast

import pytest

from dashboard.queries.comparison_meaning import Meaning, differing_parts, meaning

KEYS = cast(Any, SimpleNamespace(key=lambda uid: f"key-{uid}", key_of=lambda pod: ("pod", pod.uid)))


def some(*uids: str) -> list[Any]:
    return [SimpleNamespace(uid=uid) for uid in uids]


def seen(cleared: Any = ("c",), **changed: Any) -> Any:
    """A preemption that takes two victims and a nomination."""
    parts = {
        "kind": "attempt", "outcome": "nominated", "pod": some("p")[0], "about": "", "target": "n1",
        "victims": some("v", "w"), "nominated_after": "n1",
    }  # fmt: skip
    preemption = None if cleared is None else SimpleNamespace(cleared=some(*cleared))
    return SimpleNamespace(**parts | changed, preemption=preemption)


def differ(one: Any, other: Any) -> list[str]:
    return differing_parts(meaning(one, KEYS), meaning(other, KEYS))


@pytest.mark.parametrize(
    ("part", "changed"),
    [
        ("pod", {"pod": some("q")[0]}),
        ("pod", {"pod": None, "about": "default/budget"}),
        ("outcome", {"outcome": "unschedulable"}),
        ("outcome", {"kind": "session"}),
        ("node", {"target": "n2"}),
        ("victims", {"victims": some("v")}),
        ("nominated node", {"nominated_after": None}),
        ("cleared nominations", {"cleared": ()}),
        ("cleared nominations", {"cleared": ("d",)}),
        ("cleared nominations", {"cleared": None}),
    ],
)
def test_each_part_by_itself_makes_a_difference(part: str, changed: dict[str, Any]) -> None:
    assert part.replace(" ", "_") in Meaning._fields
    assert differ(seen(), seen(**changed)) == [part]


def test_the_order_of_victims_and_of_cleared_nominations_is_none() -> None:
    one, other = seen(cleared=("c", "d")), seen(cleared=("d", "c"), victims=some("w", "v"))
    assert differ(one, other) == []
