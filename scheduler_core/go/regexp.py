"""Regular expressions as Go's regexp searches with them, in time that grows with pattern and text only.

Python's own search tries one way after the other, which a pattern of somebody else's could make last for
ever. Here all ways are followed at once. What names of nodes can need is read: characters, classes,
groups, alternatives, repeats, and the beginning and end of a text. Everything else is refused.

Source: Go regexp/syntax; the ways are those of Thompson's construction.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

_MOST_REPEATS = 1_000
_MOST_STATES = 10_000
_CLASSES: dict[str, Callable[[str], bool]] = {
    "d": lambda letter: letter in "0123456789",
    "w": lambda letter: letter.isascii() and (letter.isalnum() or letter == "_"),
    "s": lambda letter: letter in "\t\n\f\r ",
}
_PLAIN_ESCAPES = {"t": "\t", "n": "\n", "r": "\r", "f": "\f", "v": "\v", "a": "\a"}

Test = Callable[[str], bool]


class BadPattern(ValueError):
    """A pattern that can't be read."""


@dataclass
class _State:
    """`test` takes a letter to `then`; without one the ways to `then` are free, at `anchor` only there."""

    test: Test | None = None
    anchor: str = ""
    then: list[int] = field(default_factory=list)


class Pattern:
    """A pattern that was read. Raises BadPattern for one that can't be."""

    def __init__(self, text: str) -> None:
        self._states: list[_State] = [_State()]
        reader = _Reader(text, self)
        first, lasts = reader.alternatives()
        if reader.place != len(text):
            raise BadPattern("a bracket closes that was not opened")
        self._end = self.state()
        self.join(lasts, self._end)
        self._start = first

    def state(self, test: Test | None = None, anchor: str = "") -> int:
        """Add a state and return its number."""
        if len(self._states) >= _MOST_STATES:
            raise BadPattern("it is too large")
        self._states.append(_State(test, anchor))
        return len(self._states) - 1

    def join(self, lasts: list[int], first: int) -> None:
        """Let a way go on from some states to another."""
        for last in lasts:
            self._states[last].then.append(first)

    def is_in(self, text: str) -> bool:
        """Return whether some part of a text matches."""
        now: set[int] = set()
        for place in range(len(text) + 1):
            self._follow(self._start, place, len(text), now)
            if self._end in now:
                return True
            letter, nexts = text[place : place + 1], set[int]()
            for one in now:
                test = self._states[one].test
                if letter and test is not None and test(letter):
                    for then in self._states[one].then:
                        self._follow(then, place + 1, len(text), nexts)
            now = nexts
        return False

    def _follow(self, first: int, place: int, length: int, found: set[int]) -> None:
        """Add a state and all that are reached from it without a letter."""
        waiting = [first]
        while waiting:
            one = waiting.pop()
            state = self._states[one]
            if one in found or (state.anchor == "^" and place) or (state.anchor == "$" and place < length):
                continue
            found.add(one)
            if state.test is None:
                waiting += state.then


Part = tuple[int, list[int]]
"""The first state of a part of a pattern, and those from which it goes on."""


class _Reader:
    def __init__(self, text: str, into: Pattern) -> None:
        self._text = text
        self._into = into
        self.place = 0

    def _next(self) -> str:
        return self._text[self.place : self.place + 1]

    def _take(self, wanted: str = "") -> str:
        letter = self._next()
        if not letter or (wanted and letter != wanted):
            raise BadPattern(
                f"{wanted or 'something'} is missing at its end" if not letter else f"no {wanted}"
            )
        self.place += 1
        return letter

    def alternatives(self) -> Part:
        """Read what stands between `|`."""
        parts = [self._sequence()]
        while self._next() == "|":
            self._take()
            parts.append(self._sequence())
        if len(parts) == 1:
            return parts[0]
        first = self._into.state()
        for begin, _ in parts:
            self._into.join([first], begin)
        return first, [last for _, lasts in parts for last in lasts]

    def _sequence(self) -> Part:
        first = self._into.state()
        lasts = [first]
        while self._next() not in ("", "|", ")"):
            begin = self.place
            part = self._repeated(self._atom(), begin)
            self._into.join(lasts, part[0])
            lasts = part[1]
        return first, lasts

    def _repeated(self, part: Part, begin: int) -> Part:
        least_most = self._repeat()
        if least_most is None:
            return part
        least, most = least_most
        end = self.place
        first = self._into.state()
        lasts, over = [first], list[int]()
        for number in range(least if most is None else most):
            if number >= least:
                over += lasts
            begun, ends = part if number == 0 else self._again(begin)
            self._into.join(lasts, begun)
            lasts = ends
        if most is None:
            begun, ends = part if least == 0 else self._again(begin)
            loop = self._into.state()
            self._into.join([*lasts, *ends], loop)
            self._into.join([loop], begun)
            lasts = [loop]
        self.place = end
        return first, [*lasts, *over]

    def _again(self, begin: int) -> Part:
        """Read an atom once more, for a copy of it."""
        self.place = begin
        return self._atom()

    def _repeat(self) -> tuple[int, int | None] | None:
        """Read a repeat; whether it takes few or many doesn't matter to whether there is a match."""
        signs: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
        found = signs.get(self._next())
        if found is not None:
            self._take()
        elif self._next() == "{":
            found = self._counts()
        if found is not None and self._next() == "?":
            self._take()
        if found is not None and self._next() in ("*", "+", "?"):
            raise BadPattern("two repeats follow on each other")
        return found

    def _counts(self) -> tuple[int, int | None] | None:
        """Read `{2}`, `{2,}` or `{2,4}`; anything else in such brackets is plain letters."""
        inside, closing, _ = self._text[self.place + 1 :].partition("}")
        least, comma, most = inside.partition(",")
        numbers = [one for one in (least, most) if one]
        if not closing or not least or not all(one.isascii() and one.isdigit() for one in numbers):
            return None
        self.place += len(inside) + 2
        counts = int(least[:9]), int((most if comma else least)[:9]) if not comma or most else None
        if max(one or 0 for one in counts) > _MOST_REPEATS or (
            counts[1] is not None and counts[0] > counts[1]
        ):
            raise BadPattern(f"{{{inside}}} is no number of repeats")
        return counts

    def _atom(self) -> Part:
        letter = self._take()
        if letter == "(":
            return self._group()
        if letter in "^$":
            state = self._into.state(anchor=letter)
        elif letter == "[":
            state = self._into.state(self._class())
        elif letter == ".":
            state = self._into.state(lambda one: one != "\n")
        elif letter == "\\":
            escaped = self._take()
            anchor = {"A": "^", "z": "$"}.get(escaped, "")
            state = self._into.state(anchor=anchor) if anchor else self._into.state(_escape(escaped))
        elif letter in "*+?":
            raise BadPattern("there is nothing to repeat")
        else:
            state = self._into.state(_is(letter))
        return state, [state]

    def _group(self) -> Part:
        if self._next() == "?":
            self._take()
            self._take(":")
        part = self.alternatives()
        self._take(")")
        return part

    def _class(self) -> Test:
        refuses = self._next() == "^"
        if refuses:
            self._take()
        tests = [self._of_class()]
        while self._next() != "]":
            tests.append(self._of_class())
        self._take()
        return lambda letter: any(test(letter) for test in tests) is not refuses

    def _of_class(self) -> Test:
        first = self._take()
        if first == "[" and self._next() == ":":
            raise BadPattern("named classes are not read")
        if first == "\\":
            escaped = self._take()
            if escaped.lower() in _CLASSES:
                return _escape(escaped)
            first = _plain(escaped)
        if self._next() != "-" or self._text[self.place + 1 : self.place + 2] in ("]", ""):
            return _is(first)
        self._take()
        last = self._take()
        if last == "\\":
            last = _plain(self._take())
        if last < first:
            raise BadPattern(f"{first}-{last} is no range")
        return lambda letter: first <= letter <= last


def _is(wanted: str) -> Test:
    return lambda letter: letter == wanted


def _escape(letter: str) -> Test:
    if letter in _CLASSES:
        return _CLASSES[letter]
    if letter.lower() in _CLASSES:
        inner = _CLASSES[letter.lower()]
        return lambda one: not inner(one)
    return _is(_plain(letter))


def _plain(letter: str) -> str:
    """Return what an escaped letter stands for. Raises BadPattern."""
    if letter in _PLAIN_ESCAPES:
        return _PLAIN_ESCAPES[letter]
    if letter.isascii() and letter.isalnum():
        raise BadPattern(f"\\{letter} is not read")
    return letter
