"""Turns an import request into named files; the service decides whether a worker reads them.

Whatever is not small JSON goes to a worker, whose memory and time an unkind file may spoil without harm to
others. Archives are unpacked there too, never here.
"""

from typing import Any, NamedTuple

from django.conf import settings
from rest_framework.exceptions import ValidationError

from api.problems import TooLarge
from api.query import read_boolean, read_integer
from api.serializers.snapshots import ImportForm
from api.serializers.strict import refuse_unknown
from dashboard.body_limit import too_long_for_all

MAX_NAME_LENGTH = 200
MAX_FILES = 100
LARGEST_NUMBER = 10**18 - 1

Payload = tuple[str, bytes]


class UploadRequest(NamedTuple):
    """What is asked of an import: files, the snapshot's name (empty if none is given), and how.

    add_to: the number of the snapshot that the files are added to, or None.
    """

    payloads: list[Payload]
    name: str
    without_faulty: bool
    add_to: int | None


def read_upload(request: Any) -> UploadRequest:
    """Return the request; a form's fields count before the query's. Raises ValidationError, TooLarge."""
    data = request.data
    is_form = hasattr(data, "getlist")
    if is_form:
        refuse_unknown(data, ImportForm().fields)
    payloads = _files(data) if is_form else data.get("payloads", [("", b"")])
    given = {**request.query_params.dict(), **(_texts(data) if is_form else {})}
    for filename, body in payloads:
        if not body.strip():
            raise ValidationError({"file": f"{filename or 'The body'} is empty."})
    return UploadRequest(
        payloads,
        _checked_name(given.get("name", "")),
        read_boolean(given, "without_faulty"),
        read_integer(given, "add_to", None, 1, LARGEST_NUMBER),
    )


def _texts(form: Any) -> dict[str, str]:
    """Return the fields of a form that are filled in, but for its files. Raises ValidationError."""
    repeated = [name for name in form if name != "file" and len(form.getlist(name)) > 1]
    if repeated:
        raise ValidationError(dict.fromkeys(repeated, "The field stands twice."))
    texts = {name: value for name, value in form.items() if value and name != "file"}
    wrong = [name for name, value in texts.items() if not isinstance(value, str)]
    if wrong:
        raise ValidationError(dict.fromkeys(wrong, "Must be a text."))
    return texts


def _files(form: Any) -> list[Payload]:
    files = [part for part in form.getlist("file") if hasattr(part, "read")]
    if not files:
        raise ValidationError({"file": "Send at least one file."})
    if len(files) > MAX_FILES:
        raise ValidationError({"file": f"Send at most {MAX_FILES} files at a time."})
    if sum(file.size for file in files) > settings.BODY_LIMIT_BYTES:
        raise TooLarge(too_long_for_all(settings.BODY_LIMIT_BYTES))
    return [((file.name or "").replace("\x00", ""), file.read()) for file in files]


def _checked_name(name: Any) -> str:
    if not isinstance(name, str) or len(name) > MAX_NAME_LENGTH or "\x00" in name:
        raise ValidationError(
            {"name": f"Must be a text of at most {MAX_NAME_LENGTH} characters, none of them null."}
        )
    return name.strip()
