"""Bytes in texts, as Go's encoding/json reads them: base64, with padding and nothing between."""

from __future__ import annotations

import base64
import binascii


def is_base64(text: str) -> bool:
    """Return whether a text is base64 of at least one byte."""
    try:
        return bool(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return False
