"""Names in place of names, word by word, so that whatever was made of a name still is.

`web-7d9f8-x2k4p` is three words. A pod's name still begins with its workload's, a claim's still ends with
its pod's. Words of names are divided by signs that sort before letters and digits; so names keep their
order with the words. The ordinal behind a workload's name stays, and the digits with which a word there
begins: pods that come later are numbered there.
"""

import re
from collections.abc import Callable, Collection, Iterator
from typing import NamedTuple

from scheduler_core.objects.anonymising.ranked_words import RankedWords
from scheduler_core.objects.data_modules import data_modules

_UUID = "[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"
_WORD = re.compile(rf"{_UUID}|[^-./:@,;\s]+")
_DIGITS = re.compile("[0-9]*")
_LETTERS = re.compile("[a-z]+")
_LONGEST_LABEL = 63
_MANY = 20
"""Of more words a name would grow too long; it gets one word as a whole."""

_PLAIN_WORDS_TEXT = (
    "cluster control cpu critical default disabled enabled ephemeral etcd false hugepages kube latest "
    "lease linux master memory node none off on plane pods public root scheduler storage system true "
    "windows worker"
)
PLAIN_WORDS = frozenset(_PLAIN_WORDS_TEXT.split())
"""Words of every cluster's names. Rules know some of them: `kube-system`, `system-node-critical`."""

Name = Callable[[str], str]


class Names(NamedTuple):
    """How names are changed: `name` word by word, `node` as a whole, `label` as the value of a label.

    `kept` takes note of what stays beside them, since the others keep their order with it. `nodes` are the
    names of all nodes.
    """

    name: Name
    node: Name
    label: Name
    kept: Name
    nodes: Collection[str]


class Collected:
    """The names of a cluster, found by a first walk, which changes nothing."""

    def __init__(self) -> None:
        self._names: set[str] = set()
        self._labels: set[str] = set()
        self._kept: set[str] = set()
        self.nodes: set[str] = set()
        self.workloads: set[str] = set()
        """Names that others are made of, with an ordinal or a word behind them."""

    def names(self) -> Names:
        """Return what takes note of each name that it is given."""
        name, node, label, kept = map(_noting, (self._names, self.nodes, self._labels, self._kept))
        return Names(name, node, label, kept, self.nodes)

    def under(self, key: bytes) -> Names:
        """Return what changes the names that were noted; for any other it raises KeyError."""
        words = self.nodes | self._labels
        for text in self._names | self._labels:
            words.update(_WORD.findall(text))
            if _is_long(text):
                words.add(text)
        ranked = RankedWords(words, self._plain_words(), key)
        changing = _Changing(ranked, frozenset(self.workloads))
        return Names(changing.name, ranked.__getitem__, changing.label, str, self.nodes)

    def _plain_words(self) -> list[str]:
        """Return the words that stay: those of every cluster, and with which names begin that stay."""
        plain = PLAIN_WORDS.union(*(module.PLAIN_WORDS for module in data_modules("anonymised")))
        for text in sorted(self._kept):
            word = _WORD.match(text)
            if word is not None and _LETTERS.fullmatch(word[0]) and _is_apart(word[0], plain):
                plain |= {word[0]}
        return sorted(plain)


class _Changing:
    def __init__(self, words: RankedWords, workloads: frozenset[str]) -> None:
        self._words = words
        self._workloads = workloads
        self._known: dict[str, str] = {}

    def name(self, text: str) -> str:
        """Return a name in place of another."""
        known = self._known.get(text)
        if known is None:
            changed = self._words[text] if _is_long(text) else "".join(self._parts(text))
            known = self._known[text] = changed
        return known

    def label(self, text: str) -> str:
        """Return a label's value in place of another, no longer than an API server takes it."""
        changed = self.name(text)
        return changed if len(changed) <= _LONGEST_LABEL else self._words[text]

    def _parts(self, text: str) -> Iterator[str]:
        end = 0
        for found in _WORD.finditer(text):
            yield text[end : found.start()]
            end = found.end()
            yield self._word(text, found)
        yield text[end:]

    def _word(self, text: str, found: re.Match[str]) -> str:
        word = found[0]
        digits = None if "-" in word else _DIGITS.match(word)
        if digits is None or not digits[0] or not self._ends_with_workload(text[: max(found.start() - 1, 0)]):
            return self._words[word]
        if digits[0] != word:
            return f"{digits[0]}{self._words[word]}"
        return self._words[word] if self._ends_with_workload(text[: found.end()]) else word

    def _ends_with_workload(self, text: str) -> bool:
        return any(text[word.start() :] in self._workloads for word in _WORD.finditer(text))


def _is_long(text: str) -> bool:
    return len(text) > _MANY and len(_WORD.findall(text)) > _MANY


def _is_apart(word: str, others: Collection[str]) -> bool:
    """Tell whether none of two words begins with the other."""
    return not any(word.startswith(other) or other.startswith(word) for other in others)


def _noting(into: set[str]) -> Name:
    def note(text: str) -> str:
        into.add(text)
        return text

    return note
