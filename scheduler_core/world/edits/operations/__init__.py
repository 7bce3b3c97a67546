"""The edit operations, each with its fields, its words and what it does: a file for each, a line here."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Any

import msgspec

from scheduler_core.objects.conversion import field_and_reason, plain_message
from scheduler_core.objects.reading.json_text import MAX_DEPTH
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.world.edits.operations.add import Add
from scheduler_core.world.edits.operations.add_nodes import AddNodes
from scheduler_core.world.edits.operations.base import AT, Edit, Field
from scheduler_core.world.edits.operations.clone_node import CloneNode
from scheduler_core.world.edits.operations.cordon import Cordon, Uncordon
from scheduler_core.world.edits.operations.delete import Delete
from scheduler_core.world.edits.operations.drain import Drain
from scheduler_core.world.edits.operations.evict import Evict
from scheduler_core.world.edits.operations.kubelets import StartKubelet, StopKubelet
from scheduler_core.world.edits.operations.labels import Label
from scheduler_core.world.edits.operations.patch import Patch
from scheduler_core.world.edits.operations.scale import Scale
from scheduler_core.world.edits.operations.set_card import SetCard
from scheduler_core.world.edits.operations.set_queue import SetQueue
from scheduler_core.world.edits.operations.set_workload import SetWorkload
from scheduler_core.world.edits.operations.taints import Taint, Untaint

_SHAPES: tuple[type[Edit], ...] = (
    Add,
    Scale,
    SetWorkload,
    SetQueue,
    Drain,
    Cordon,
    Uncordon,
    CloneNode,
    AddNodes,
    StopKubelet,
    StartKubelet,
    Evict,
    Delete,
    SetCard,
    Taint,
    Untaint,
    Label,
    Patch,
)
OPERATIONS: dict[str, type[Edit]] = {str(shape.__struct_config__.tag): shape for shape in _SHAPES}
"""By name, in the order in which an editor offers them."""
AnyEdit: Any = reduce(or_, _SHAPES)


def read_edit(edit: Any, driver: str) -> Edit:
    """Return the typed edit. Raises Refused."""
    typed = read_shape(edit)
    if driver != "timed":
        _refuse_times(edit, driver)
    typed.check()
    return typed


def read_shape(edit: Any) -> Edit:
    """Return the typed edit, whose values may make no sense yet. Raises Refused."""
    if not isinstance(edit, dict):
        raise Refused("", "must be an object")
    _refuse_unusual(edit)
    if not isinstance(edit.get("op"), str) or edit["op"] not in OPERATIONS:
        raise Refused("op", f"must be one of {', '.join(OPERATIONS)}")
    try:
        typed: Edit = msgspec.convert(edit, AnyEdit)
    except msgspec.ValidationError as error:
        raise Refused(*field_and_reason(plain_message(str(error)), edit)) from None
    return typed


def _refuse_times(edit: dict[str, Any], driver: str) -> None:
    """Refuse what needs a clock."""
    if OPERATIONS[edit["op"]].needs_clock:
        raise Refused("op", f"needs the driver timed: no clock moves with the driver {driver}")
    for field in ("at", "duration", "timeout", "together", "back"):
        if edit.get(field) is not None:
            raise Refused(field, f"needs the driver timed: no clock moves with the driver {driver}")


def form_of(shape: type[Edit]) -> list[Field]:
    """Return the fields of an operation's form; those that need a clock stand last, the instant first."""
    fields = shape.words.form
    return [*(one for one in fields if not one.clock), AT, *(one for one in fields if one.clock)]


def shape_of(edit: Any) -> Edit | None:
    """Return the typed edit, None if it has no such shape; nothing of it is checked."""
    try:
        typed: Edit = msgspec.convert(edit, AnyEdit)
    except (msgspec.ValidationError, RecursionError):
        return None
    return typed


def moves_pods(edits: Iterable[Any]) -> bool:
    """Return whether edits of any form may make pods look for a node that run, or more of their workloads."""
    ops = (edit.get("op") for edit in edits if isinstance(edit, dict) and edit.get("enabled", True))
    shapes = (OPERATIONS.get(op) for op in ops if isinstance(op, str))
    return any(shape is not None and shape.moves_pods for shape in shapes)


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
