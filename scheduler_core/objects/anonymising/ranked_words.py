"""Words in place of words, in the same order: a schedule that takes the first by name stays the same.

A word becomes letters that say its place among all words, and two that a key draws from it. So two exports
under one key can be compared by their last letters, and nobody without the key can tell a guessed word.
A few words that everybody has stay as they are. What is put in place of others keeps its place among them:
it begins with letters that lie between those of its neighbours.
"""

import hmac
import re
from bisect import bisect_right
from collections.abc import Collection

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_DRAWN = 2
"""How many letters the key draws."""
KEY_BYTES = 32


class RankedWords:
    """The words that stand for others. `plain`: words that stay, of lower-case letters."""

    def __init__(self, words: Collection[str], plain: Collection[str], key: bytes) -> None:
        """Rank the words as texts are sorted.

        Raises ValueError for a plain word of other signs, or one that another begins with.
        """
        stays = sorted(plain)
        for before, word in zip(["", *stays], stays, strict=False):
            if not re.fullmatch("[a-z]+", word) or (before and word.startswith(before)):
                raise ValueError(f"{word!r} cannot stay")
        self._of: dict[str, str] = {word: word for word in stays}
        ranked = sorted(set(words) - self._of.keys())
        width = _width_for(len(ranked))
        for rank, word in enumerate(ranked):
            gap = _beginning_between(stays, bisect_right(stays, word))
            self._of[word] = f"{gap}{_as_letters(rank, width)}{_drawn(key, word)}"

    def __getitem__(self, word: str) -> str:
        """Return what stands for a word. Raises KeyError for one that was not among the words."""
        return self._of[word]


def _beginning_between(stays: list[str], place: int) -> str:
    """Return letters that sort after the plain word before a place, and before the one at it."""
    if place == 0:
        return "a"
    before, after = stays[place - 1], stays[place] if place < len(stays) else "{"
    for length in range(1, len(before) + 1):
        letter = chr(ord(before[length - 1]) + 1)
        beginning = f"{before[: length - 1]}{letter}"
        if letter <= "z" and beginning < after and not after.startswith(beginning):
            return beginning
    return before


def _width_for(number: int) -> int:
    width = 1
    while len(_LETTERS) ** width < number:
        width += 1
    return width


def _as_letters(rank: int, width: int) -> str:
    letters = []
    for _ in range(width):
        rank, digit = divmod(rank, len(_LETTERS))
        letters.append(_LETTERS[digit])
    return "".join(reversed(letters))


def _drawn(key: bytes, word: str) -> str:
    digest = hmac.digest(key, word.encode("utf-8", "surrogatepass"), "sha256")
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in digest[:_DRAWN])
