"""The one reader of JSON that comes in with a request, for REST and pages: strict, and bounded in depth."""

import re
from typing import Any

from scheduler_core.objects.problems import BadInput, Problem, dotted
from scheduler_core.objects.reading.json_text import MAX_DEPTH, NotJson, decode_json, repeated_keys

MAX_BODY_DEPTH = MAX_DEPTH + 4
"""A body has its manifests at `edits[0].manifest`."""

_NULL = rb"\u0000"
_NULL_CHARACTER = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""No name or label has one, and not every database can store it."""

_HALF_A_PAIR = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F]"
)
"""A surrogate that stands alone; the decoder's own word for it is unclear."""


def decode_body(body: bytes, about: str = "request") -> Any:
    """Return the decoded value. Raises BadInput whose problems are about the object `about`.

    Refused are null characters, nesting beyond MAX_BODY_DEPTH, and keys that stand twice: it would be up to
    chance which of them the sender meant.
    """
    if _NULL in body and _NULL_CHARACTER.search(body):
        raise BadInput([Problem(about, "", "The body has a null character in it.")])
    try:
        value = decode_json(body, MAX_BODY_DEPTH)
    except NotJson as error:
        alone = _HALF_A_PAIR.search(body)
        reason = "half of a character (\\ud800 to \\udfff) stands alone" if alone else error.reason
        raise BadInput([Problem(about, "", f"The body is not JSON: {reason}.")]) from None
    except BadInput as error:
        raise BadInput([Problem(about, found.field, found.message) for found in error.problems]) from None
    repeated = repeated_keys(body, value)
    if repeated:
        raise BadInput([Problem(about, dotted(path), "the key stands twice") for path in repeated])
    return value
