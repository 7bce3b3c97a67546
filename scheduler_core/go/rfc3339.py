"""Moments as Go's time.Parse reads them by the layout time.RFC3339, with its words for what it refuses.

It takes more than RFC 3339 does: an hour of one digit, a comma before fractions, offsets up to 24:60.

Source: Go 1.26 time/format.go parse, getnum, parseNanoseconds, ParseError.Error.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date

LAYOUT = "2006-01-02T15:04:05Z07:00"
_SECOND = 10**9
_EPOCH = date(1970, 1, 1).toordinal()
_LEAP_YEARS_400 = 146_097
"""The days of 400 years, after which the calendar repeats itself."""
_DIGITS_OF_FRACTION = 9


class NoMoment(ValueError):
    """The text is no moment; says why as Go does."""


def parse_rfc3339(text: str) -> int:
    """Return the nanoseconds since the epoch. Raises NoMoment."""
    return _Reader(text).moment()


class _Reader:
    """A text from which one part after the other is taken."""

    def __init__(self, text: str) -> None:
        # Go looks at bytes.
        self._text = self._left = text.encode().decode("latin-1")

    def moment(self) -> int:
        year = self._year()
        month = self._number("-", "01", "month", 1, 12)
        day = self._number("-", "02")
        hour = self._number("T", "15", "hour", 0, 23, short=True)
        minute = self._number(":", "04", "minute", 0, 59)
        second = self._number(":", "05", "second", 0, 59)
        fraction = self._fraction()
        offset = self._offset()
        if self._left:
            raise self._refused(f": extra text: {_quoted(self._left)}")
        # The calendar of year 0 is that of year 400.
        cycles, year = (0, year) if year else (-1, 400)
        if not 1 <= day <= monthrange(year, month)[1]:
            raise self._refused(": day out of range")
        days = date(year, month, day).toordinal() - _EPOCH + cycles * _LEAP_YEARS_400
        seconds = ((days * 24 + hour) * 60 + minute) * 60 + second - offset
        return seconds * _SECOND + fraction

    def _refused(self, why: str) -> NoMoment:
        return NoMoment(f"parsing time {_quoted(self._text)}{why}")

    def _unread(self, part: str, left: str) -> NoMoment:
        return self._refused(f" as {_quoted(LAYOUT)}: cannot parse {_quoted(left)} as {_quoted(part)}")

    def _year(self) -> int:
        digits = self._left[:4]
        if len(digits) < 4 or not _is_number(digits):
            raise self._unread("2006", self._left)
        self._left = self._left[4:]
        return int(digits)

    def _number(
        self, before: str, part: str, what: str = "", least: int = 0, most: int = 99, *, short: bool = False
    ) -> int:
        """Take what stands before a number, and its two digits; `short`: one will do."""
        if not self._left.startswith(before):
            raise self._unread(before, self._left)
        self._left = self._left[1:]
        length = 2 if _is_number(self._left[:2]) and len(self._left) > 1 else 1
        if not _is_number(self._left[:length]) or (length == 1 and not short):
            raise self._unread(part, self._left)
        number, self._left = int(self._left[:length]), self._left[length:]
        if what and not least <= number <= most:
            raise self._refused(f": {what} out of range")
        return number

    def _fraction(self) -> int:
        """Take the nanoseconds; digits beyond the ninth count for nothing."""
        if self._left[:1] not in (".", ",") or not _is_number(self._left[1:2]):
            return 0
        end = 2
        while _is_number(self._left[end : end + 1]):
            end += 1
        digits, self._left = self._left[1:end], self._left[end:]
        return int(digits[:_DIGITS_OF_FRACTION].ljust(_DIGITS_OF_FRACTION, "0"))

    def _offset(self) -> int:
        """Take the offset from UTC, in seconds."""
        if self._left.startswith("Z"):
            self._left = self._left[1:]
            return 0
        text, rest = self._left[:6], self._left[6:]
        is_read = len(text) == 6 and text[3] == ":" and _is_number(text[1:3])
        hours = int(text[1:3]) if is_read else 0
        is_read = is_read and _is_number(text[4:6])
        minutes = int(text[4:6]) if is_read else 0
        for number, most, what in ((minutes, 60, "minute"), (hours, 24, "hour")):
            if number > most:
                raise self._refused(f": time zone offset {what} out of range")
        if not is_read or text[0] not in "+-":
            raise self._unread("Z07:00", self._left)
        self._left = rest
        return (hours * 60 + minutes) * 60 * (-1 if text[0] == "-" else 1)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit()


def _quoted(text: str) -> str:
    """Return a text in quotes as package time has it: byte by byte where it isn't plain."""
    shown = (
        f"\\{byte}" if byte in '"\\' else byte if " " <= byte < "\x80" else f"\\x{ord(byte):02x}"
        for byte in text
    )
    return '"' + "".join(shown) + '"'
