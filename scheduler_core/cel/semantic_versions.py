"""Semantic versions, as Kubernetes reads and compares them.

Source: github.com/blang/semver/v4 Parse, Compare; kubernetes v1.36 apiserver/pkg/cel/library semver
normalization.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from scheduler_core.go.quote import quote

_DIGITS = re.compile(r"[0-9]+", re.ASCII)
_ALPHANUMERIC = re.compile(r"[0-9A-Za-z-]+", re.ASCII)
_MAX_UINT64 = 2**64 - 1


class VersionError(ValueError):
    """The text is no semantic version; the message is the library's."""


class Version(NamedTuple):
    """A version without its build metadata, which nothing compares.

    `rank` orders versions: a pre-release comes before its release.
    """

    major: int
    minor: int
    patch: int
    pre: tuple[tuple[int, int, str], ...] = ()

    @property
    def rank(self) -> tuple[int, int, int, bool, tuple[tuple[int, int, str], ...]]:
        """What versions are compared by."""
        return (self.major, self.minor, self.patch, not self.pre, self.pre)


def parse_version(text: str) -> Version:
    """Read a version. Raises VersionError."""
    if not text:
        raise VersionError("Version string empty")
    parts = text.split(".", 2)
    if len(parts) != 3:
        raise VersionError("No Major.Minor.Patch elements found")
    major, minor = _number(parts[0], "major", "Major"), _number(parts[1], "minor", "Minor")
    rest, plus, build = parts[2].partition("+")
    patch_text, minus, pre = rest.partition("-")
    patch = _number(patch_text, "patch", "Patch")
    identifiers = tuple(_pre_release(one) for one in pre.split(".")) if minus else ()
    for one in build.split(".") if plus else ():
        _check_build(one)
    return Version(major, minor, patch, identifiers)


def normalized(text: str) -> str:
    """Return a text with a leading v and leading zeros taken away and missing parts filled up.

    Raises VersionError.
    """
    parts = [_without_zeros(part) for part in text.removeprefix("v").split(".", 2)]
    if len(parts) < 3 and any(sign in parts[-1] for sign in "+-"):
        raise VersionError("short version cannot contain PreRelease/Build meta data")
    return ".".join(parts + ["0"] * (3 - len(parts)))


def _without_zeros(part: str) -> str:
    if len(part) < 2:
        return part
    left = part.lstrip("0")
    return left if left[:1] in tuple("0123456789") else f"0{left}"


def _number(text: str, name: str, capital: str) -> int:
    if text and not _DIGITS.fullmatch(text):
        raise VersionError(f"Invalid character(s) found in {name} number {quote(text)}")
    if len(text) > 1 and text[0] == "0":
        raise VersionError(f"{capital} number must not contain leading zeroes {quote(text)}")
    return _unsigned(text)


def _unsigned(text: str) -> int:
    if not text:
        raise VersionError('strconv.ParseUint: parsing "": invalid syntax')
    if len(text) > 20 or int(text) > _MAX_UINT64:
        raise VersionError(f"strconv.ParseUint: parsing {quote(text)}: value out of range")
    return int(text)


def _pre_release(text: str) -> tuple[int, int, str]:
    """Return an identifier as it is compared: numbers come first."""
    if not text:
        raise VersionError("Prerelease is empty")
    if _DIGITS.fullmatch(text):
        if len(text) > 1 and text[0] == "0":
            raise VersionError(f"Numeric PreRelease version must not contain leading zeroes {quote(text)}")
        return (0, _unsigned(text), "")
    if not _ALPHANUMERIC.fullmatch(text):
        raise VersionError(f"Invalid character(s) found in prerelease {quote(text)}")
    return (1, 0, text)


def _check_build(text: str) -> None:
    if not text:
        raise VersionError("Build meta data is empty")
    if not _ALPHANUMERIC.fullmatch(text):
        raise VersionError(f"Invalid character(s) found in build meta data {quote(text)}")
