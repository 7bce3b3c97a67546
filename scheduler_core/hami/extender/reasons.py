"""The words of reasons why pods don't fit on nodes, each for so many cards of a node.

Source: HAMi v2.10.0 pkg/scheduler/event.go.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

_COUNTED = re.compile(r"(?:^|, )(\d+)/\d+ ([^\s,]+)")


def reason_words(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the nodes against which each word stands; a reason without counts is its own word."""
    nodes: dict[str, list[str]] = {}
    for name, reason in sorted(reasons.items()):
        for word in _words(reason) or (reason,):
            nodes.setdefault(word, []).append(name)
    return nodes


def counted_words(reasons: Mapping[str, str]) -> dict[str, list[str]]:
    """Return the nodes against which each word stands, without reasons that count no cards."""
    return reason_words({name: reason for name, reason in reasons.items() if _words(reason)})


def count_words(reasons: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Return against how many nodes each word stands, by word; each reason comes with its number of nodes."""
    counts: Counter[str] = Counter()
    for reason, number in reasons:
        counts.update(dict.fromkeys(_words(reason) or (reason,), number))
    return dict(sorted(counts.items()))


def counts_of(reason: str) -> dict[str, int]:
    """Return how many of a node's cards each word of its reason counts; none if it counts no cards."""
    return {word: int(count) for count, word in _COUNTED.findall(reason)}


@lru_cache(maxsize=4096)
def _words(reason: str) -> tuple[str, ...]:
    """Return the words that stand with a count, each once."""
    return tuple(counts_of(reason))
