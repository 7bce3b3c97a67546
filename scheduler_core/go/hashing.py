"""Short names from long ones, as Go's hash/fnv and Kubernetes' rand.SafeEncodeString make them."""

from __future__ import annotations

_PRIME, _BASIS = 0x01000193, 0x811C9DC5
_SAFE = "bcdfghjklmnpqrstvwxz2456789"


def fnv32a(text: str) -> int:
    """Return the FNV-1a hash of a text's bytes, below 2**32."""
    value = _BASIS
    for byte in text.encode():
        value = (value ^ byte) * _PRIME & 0xFFFFFFFF
    return value


def safe_encode(text: str) -> str:
    """Return a text of the same length, of letters and digits that can't make a bad word."""
    return "".join(_SAFE[ord(letter) % len(_SAFE)] for letter in text)
