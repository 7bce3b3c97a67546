"""Names of nodes, short: what nearly all of an answer's nodes begin and end with is cut, and said once.

static/js/debugger/names/node-names.js cuts by the same rule, at separators only. Pure.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

import msgspec

from dashboard.answers.answer import Answer
from dashboard.answers.sentence import Name

NEARLY_ALL = 0.75
MANY = 0.25
KEPT = 2
_CLONE = re.compile(r"-\d+$")
_PART = re.compile(r"[^-.]+[-.]?|[-.]")


class Cut(NamedTuple):
    """What is cut: `head` at the beginning of names, `tail` at their end; both may be empty."""

    head: str = ""
    tail: str = ""

    def short(self, name: str) -> str:
        """Return a name without what is cut."""
        host = _without_tail(name, self.tail)
        return host[len(self.head) :] if host.startswith(self.head) else host

    def __bool__(self) -> bool:
        """Return whether anything is cut."""
        return bool(self.head or self.tail)


def cut_of(answer: Answer) -> Cut:
    """Return what the nodes of an answer have in common."""
    return common_parts(list(dict.fromkeys(name.name for name in _names(answer) if name.kind == "node")))


def common_parts(names: Sequence[str]) -> Cut:
    """Return what names begin and end with, nothing where they wouldn't differ without it."""
    if len(names) < 2:
        return Cut()
    hosts = [name for name in names if "." in name]
    if len(hosts) >= max(2, len(names) * MANY):
        tail = _common_domain(hosts)
    else:
        tail = "" if hosts else _common_end(names)
    head = "".join(_shared([_PART.findall(_without_tail(name, tail)) for name in names], _spare))
    cut = Cut(head, tail)
    return cut if len({cut.short(name) for name in names}) == len(names) else Cut()


def _without_tail(name: str, tail: str) -> str:
    """Cut the common end, also where the number of a clone follows it."""
    at = name.rfind(tail) if tail else -1
    after = name[at + len(tail) :]
    return name[:at] + after if at > 0 and (not after or _CLONE.fullmatch(after)) else name


def _common_domain(names: Sequence[str]) -> str:
    labels = [_CLONE.sub("", name).split(".")[::-1] for name in names]
    return "".join(f".{label}" for label in reversed(_shared(labels, lambda parts: len(parts) - 1)))


def _common_end(names: Sequence[str]) -> str:
    parts = [name.split("-")[::-1] for name in names]
    return "".join(f"-{part}" for part in reversed(_shared(parts, _spare)))


def _spare(parts: Sequence[str]) -> int:
    return max(0, len(parts) - KEPT)


def _shared(names: list[list[str]], spare_of: Callable[[Sequence[str]], int]) -> list[str]:
    """Return the first parts that all have, but for the few whose first is another."""
    firsts = Counter(parts[0] for parts in names)
    first, count = firsts.most_common(1)[0]
    alike = [parts for parts in names if parts[0] == first] if count >= NEARLY_ALL * len(names) else names
    most = min(map(spare_of, alike))
    same = takewhile(lambda parts: len(set(parts)) == 1, zip(*alike, strict=False))
    return [parts[0] for parts in same][:most]


def _names(value: Any) -> Iterator[Name]:
    """Yield the names in an answer, however deep."""
    if isinstance(value, Name):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from _names(item)
    elif isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            yield from _names(getattr(value, field))
