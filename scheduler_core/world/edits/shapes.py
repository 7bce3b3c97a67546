"""The shapes of edits: which fields each operation has. Unknown operations and fields are refused."""

from typing import Any

import msgspec

from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.json_text import MAX_DEPTH
from scheduler_core.world.edits.results import Refused


class Edit(msgspec.Struct, forbid_unknown_fields=True, kw_only=True, tag_field="op", frozen=True):
    """Base of all edits. `at`: seconds of virtual time; null is before the run starts."""

    at: float | None = None


class Add(Edit, kw_only=True, tag="add", frozen=True):
    """Adds objects; a workload becomes its pods. `duration`: seconds until the pods finish."""

    manifest: dict[str, Any] | str
    replicas: int | None = None
    duration: float | None = None


class Delete(Edit, kw_only=True, tag="delete", frozen=True):
    kind: str
    name: str
    namespace: str | None = None


class Scale(Edit, kw_only=True, tag="scale", frozen=True):
    kind: str
    name: str
    replicas: int
    namespace: str | None = None


class Cordon(Edit, kw_only=True, tag="cordon", frozen=True):
    node: str


class Uncordon(Edit, kw_only=True, tag="uncordon", frozen=True):
    node: str


class Drain(Edit, kw_only=True, tag="drain", frozen=True):
    node: str


class CloneNode(Edit, kw_only=True, tag="clone-node", rename="camel", frozen=True):
    node: str
    count: int = 1
    name_prefix: str | None = None


class Patch(Edit, kw_only=True, tag="patch", frozen=True):
    """Applies a merge patch (RFC 7386)."""

    kind: str
    name: str
    patch: dict[str, Any]
    namespace: str | None = None


class Evict(Edit, kw_only=True, tag="evict", frozen=True):
    """Asks for the eviction of one pod, given as `namespace/name` or as uid."""

    pod: str


AnyEdit = Add | Delete | Scale | Cordon | Uncordon | Drain | CloneNode | Patch | Evict
OPERATIONS = ("add", "delete", "scale", "cordon", "uncordon", "drain", "clone-node", "patch", "evict")


def read_edit(edit: Any, driver: str) -> AnyEdit:
    """Return the typed edit. Raises Refused."""
    if not isinstance(edit, dict):
        raise Refused("", "must be an object")
    _refuse_unusual(edit)
    if edit.get("op") not in OPERATIONS:
        raise Refused("op", f"must be one of {', '.join(OPERATIONS)}")
    if driver != "timed":
        for field in ("at", "duration"):
            if edit.get(field) is not None:
                raise Refused(field, f"needs the driver timed: no clock moves with the driver {driver}")
    try:
        return msgspec.convert(edit, AnyEdit)  # type: ignore[no-any-return]
    except msgspec.ValidationError as error:
        raise Refused(*field_and_reason(plain_message(str(error)), edit)) from None


def _refuse_unusual(edit: Any) -> None:
    """Refuse what JSON cannot carry, and nesting that no object has, before anything goes through it."""
    level = [edit]
    for _ in range(MAX_DEPTH + 2):
        level = [child for value in level for child in _children(value)]
    if level:
        raise Refused("", f"is nested deeper than {MAX_DEPTH} levels")
    try:
        msgspec.json.encode(edit)
    except (UnicodeEncodeError, TypeError, ValueError, OverflowError):
        raise Refused("", "has text or values that JSON cannot carry") from None


def _children(value: Any) -> Any:
    if isinstance(value, dict):
        return value.values()
    return value if isinstance(value, list) else ()
