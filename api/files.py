"""Answers that are files to save."""

import re

from django.http import HttpResponse


def file_response(body: bytes, media_type: str, name: str) -> HttpResponse:
    """Return a body as a file to save; `name` is made safe for a header."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "snapshot"
    headers = {"Content-Disposition": f'attachment; filename="{safe}"'}
    return HttpResponse(body, content_type=media_type, headers=headers)
