"""Secrets that are shown once and stored as digests.

A secret has 256 bits of randomness, so a plain SHA-256 suffices: there is nothing to guess, unlike with a
password, and the digest can be looked up by an index.
"""

import hashlib
import secrets

TOKEN_PREFIX = "sandtable_"  # noqa: S105  lets scanners recognise a leaked token


def new_secret() -> str:
    """A fresh secret of 43 characters that are safe in an address."""
    return secrets.token_urlsafe(32)


def digest(secret: str) -> str:
    """The form in which a secret is stored: SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()
