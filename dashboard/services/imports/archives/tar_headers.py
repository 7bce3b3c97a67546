"""The headers of tar: blocks of 512 bytes, each before an entry's content or extending the next header.

Sources: POSIX.1-2017 (pax, "pax Interchange Format" and "ustar Interchange Format"), GNU tar's manual
("Basic Tar Format", base-256 numbers, long names). What is malformed raises ValueError with a sentence.
"""

from dataclasses import dataclass

BLOCK = 512
ZERO_BLOCK = bytes(BLOCK)

FILES = (b"0", b"\0", b"7")
SYMBOLIC_LINK = b"2"
FOLDER = b"5"
PAX, GLOBAL_PAX, LONG_NAME, LONG_LINK = b"x", b"g", b"L", b"K"
EXTENSIONS = (PAX, GLOBAL_PAX, LONG_NAME, LONG_LINK)
REFUSED_KINDS = {
    b"1": "is a hard link; links are not followed",
    b"3": "is a character device, not a file",
    b"4": "is a block device, not a file",
    b"6": "is a pipe, not a file",
    b"S": "is a sparse file; pack it without --sparse",
}
_SPARSE_KEYS = "GNU.sparse."
_CHECKSUM = slice(148, 156)


@dataclass(frozen=True)
class Header:
    """One header: kind of entry, name as it stands there, size of the content in bytes."""

    kind: bytes
    name: str
    size: int


def has_valid_checksum(block: bytes) -> bool:
    """Tell whether a block is a tar header: its bytes add up to what it says."""
    if len(block) < BLOCK or block == ZERO_BLOCK:
        return False
    try:
        expected = _number(block[_CHECKSUM])
    except ValueError:
        return False
    return expected == sum(block) - sum(block[_CHECKSUM]) + 8 * ord(" ")


def read_header(block: bytes) -> Header:
    """Return the header that a block holds. Raises ValueError."""
    if not has_valid_checksum(block):
        raise ValueError("is not readable as tar: the checksum of a header is wrong")
    name = _text(block[:100])
    if block[257:263] == b"ustar\0" and block[345]:
        name = f"{_text(block[345:500])}/{name}"
    return Header(block[156:157], name, _number(block[124:136]))


def read_pax(data: bytes) -> dict[str, str]:
    """Return the fields of a pax extension: records of `length key=value`, a line each. Raises ValueError."""
    fields = {}
    while data.rstrip(b"\0"):
        digits, _, _ = data[:20].partition(b" ")
        length = int(digits) if digits.isdigit() else 0
        record = data[:length]
        key, equals, value = record[len(digits) + 1 : -1].partition(b"=")
        if not equals or len(record) != length or record[-1:] != b"\n":
            raise ValueError("is not readable as tar: an extended header is broken")
        fields[decode(key)] = decode(value)
        data = data[length:]
    if any(key.startswith(_SPARSE_KEYS) for key in fields):
        raise ValueError(REFUSED_KINDS[b"S"])
    return fields


def size_of(text: str) -> int:
    """Return the size that a pax field gives. Raises ValueError."""
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ValueError("is not readable as tar: a size is no number")
    return int(text)


def decode(name: bytes) -> str:
    """Return a name as text; bytes that are not UTF-8 become lone surrogates, so that names stay distinct."""
    return name.decode("utf-8", "surrogateescape")


def _text(field: bytes) -> str:
    return decode(field.partition(b"\0")[0])


def _number(field: bytes) -> int:
    """Return a number in octal digits, or in base 256 if the first bit is set."""
    if field[0] == 0x80:
        return int.from_bytes(field[1:], "big")
    digits = field.strip(b" \0")
    if digits and not all(digit in b"01234567" for digit in digits):
        raise ValueError("is not readable as tar: a number in a header is broken")
    return int(digits or b"0", 8)
