"""Credentials as the database has them: encrypted by a key that is not in it."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

from django.conf import settings

from scheduler_core.objects.problems import BadInput, Problem

if TYPE_CHECKING:
    from cryptography.fernet import Fernet


def sealed(text: bytes) -> bytes:
    """Return a text, encrypted and signed (AES-128 in CBC mode, HMAC-SHA256)."""
    return _fernet().encrypt(text)


def unsealed(token: bytes) -> bytes:
    """Return what was sealed. Raises BadInput where the key is another one now."""
    from cryptography.fernet import InvalidToken

    try:
        return _fernet().decrypt(bytes(token))
    except InvalidToken as error:
        message = "the credentials were encrypted by another key (SANDTABLE_CLUSTER_KEY): send them again"
        raise BadInput([Problem("", "", message)]) from error


def _fernet() -> "Fernet":
    from cryptography.fernet import Fernet  # costs a start what only connected clusters need

    return Fernet(urlsafe_b64encode(sha256(settings.CLUSTER_KEY.encode()).digest()))
