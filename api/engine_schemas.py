"""The engine's own shapes as components of the OpenAPI document, derived from its structs.

Edits are named like `AddEdit`, what a log holds or a replay adds to it like `LogAttempt`, and a decision with
what is added like `WholeAttempt`. REST's own shapes are serializers and have other names.
"""

from functools import cache
from inspect import cleandoc
from typing import Any

import msgspec

from api.answer_schemas import answer_schemas
from api.describing import reference
from api.views.decisions import NOT_IN_THE_LOG
from scheduler_core.events.decisions import Attempt, Decision, Trust
from scheduler_core.events.explanation import AttemptInFull, NodeInFull, VisitedNode
from scheduler_core.events.session_explanation import OrderInFull, StepInFull
from scheduler_core.events.sessions import SessionDecision
from scheduler_core.events.state import (
    ACTORS,
    CLAIMS,
    NODES,
    PODS,
    SLICES,
    WAITING,
    ActorRow,
    ClaimRow,
    NodeRow,
    PodRow,
    RunState,
    SliceRow,
    WaitingRow,
)
from scheduler_core.schedulers.registry import tables
from scheduler_core.world.edits.operations import OPERATIONS, AnyEdit

Schema = dict[str, Any]
ROWS: dict[str, type] = {
    NODES: NodeRow,
    PODS: PodRow,
    ACTORS: ActorRow,
    WAITING: WaitingRow,
    CLAIMS: ClaimRow,
    SLICES: SliceRow,
    **tables(),
}
"""By table; a name that ends with / begins those of a table of each actor."""
SWITCH = {
    "type": "boolean",
    "default": True,
    "description": "An edit that is false here is kept and takes no part in a run.",
}
ADDRESS = {"type": ["string", "null"], "description": "The address of the nodes that follow."}


def add_engine_schemas(result: Schema, **_: Any) -> Schema:
    """Add them to the document that drf-spectacular has made."""
    parts = result["components"]["schemas"]
    result["components"]["schemas"] = dict(sorted({**parts, **engine_schemas(), **answer_schemas()}.items()))
    return result


@cache
def engine_schemas() -> dict[str, Schema]:
    """Return the components by name. JSON Schema of 2020-12, as OpenAPI has it from 3.1 on."""
    return _edits() | _log()


def _edits() -> dict[str, Schema]:
    [edit], parts = _derived([AnyEdit], "{name}Edit")
    for part in parts.values():
        part["properties"]["enabled"] = SWITCH
    for shape in OPERATIONS.values():
        if shape.ways:
            ways = [{"required": [way]} for way in shape.ways]
            parts[f"{shape.__name__}Edit"]["oneOf"] = ways
    return {"Edit": edit, **parts}


def _log() -> dict[str, Schema]:
    in_full = [AttemptInFull, StepInFull, VisitedNode, NodeInFull, OrderInFull]
    [decision, *_], parts = _derived([Decision, RunState, Trust, *in_full, *ROWS.values()], "Log{name}")
    state = parts["LogRunState"]["properties"]
    state["tables"] = _tables(state["tables"])
    whole = _whole_decisions(decision, parts)
    for merged in ("LogAttemptInFull", "LogStepInFull"):
        del parts[merged]
    return {"LogDecision": decision, **parts, **whole}


def _tables(tables: Schema) -> Schema:
    """Return the schema of a state's tables with the rows of those that are known."""
    by_id = {
        table: {"type": "object", "additionalProperties": reference(f"Log{row.__name__}")}
        for table, row in ROWS.items()
    }
    return {
        **tables,
        "properties": {table: rows for table, rows in by_id.items() if not table.endswith("/")},
        "patternProperties": {f"^{table}": rows for table, rows in by_id.items() if table.endswith("/")},
    }


def _whole_decisions(decision: Schema, parts: dict[str, Schema]) -> dict[str, Schema]:
    """Return what the address of a decision answers: that of the log, with what a replay adds."""
    added = {Attempt: (parts["LogAttemptInFull"], True)}
    added |= dict.fromkeys(SessionDecision.__args__, (parts["LogStepInFull"], False))
    names = {kind: kind.__name__ for kind in Decision.__args__}
    whole = {
        f"Whole{name}": _with_parts(parts[f"Log{name}"], *added.get(kind, ({}, False)))
        for kind, name in names.items()
    }
    mapping = decision["discriminator"]["mapping"]
    return {
        "WholeDecision": {
            "oneOf": [reference(name) for name in whole],
            "discriminator": {
                "propertyName": decision["discriminator"]["propertyName"],
                "mapping": {tag: address.replace("/Log", "/Whole") for tag, address in mapping.items()},
            },
        },
        **whole,
    }


def _with_parts(decision: Schema, in_full: Schema, always: bool) -> Schema:
    """Return a decision's schema with those parts of its explanation that the log leaves out, and `next`."""
    properties = in_full.get("properties", {})
    more = {name: properties[name] for name in NOT_IN_THE_LOG if name in properties}
    required = [*decision["required"], *(more if always else ()), "next"]
    return {
        **decision,
        "properties": {**decision["properties"], **more, "next": ADDRESS},
        "required": list(dict.fromkeys(required)),
    }


def _derived(types: list[Any], naming: str) -> tuple[list[Schema], dict[str, Schema]]:
    """Return the schemas of types, and those of all that they name, by the name of the component."""
    schemas, parts = msgspec.json.schema_components(types, ref_template=reference(naming)["$ref"])
    named = {naming.format(name=name): _component(part) for name, part in parts.items()}
    return [_told_apart(schema) for schema in schemas], named


def _component(struct: Schema) -> Schema:
    """Return a struct's schema without its own name, for generators of clients name classes by that."""
    schema: Schema = {name: part for name, part in _told_apart(struct).items() if name != "title"}
    return schema | {"description": cleandoc(schema.get("description", ""))}


def _told_apart(schema: Any) -> Any:
    """Return the schema with `oneOf` in place of `anyOf` where a field tells the alternatives apart."""
    if isinstance(schema, list):
        return [_told_apart(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {name: _told_apart(part) for name, part in schema.items()}
    if "discriminator" in parts:
        parts["oneOf"] = parts.pop("anyOf")
    return parts
