"""Writes `types/log.d.ts`: the log's decisions and rows as the browser's type checker knows them.

    python -m tests.log_types

They are the components of REST's OpenAPI document under the same names;
`tests/api/test_log_types.py` holds the file to it.
"""

import json
import os
from pathlib import Path
from typing import Any

TYPES = Path(__file__).parents[1] / "types" / "log.d.ts"
HEADING = "// The log's shapes as REST's schema has them: written by `python -m tests.log_types`.\n"
OF_THE_LOG = ("Log", "Whole")
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def written() -> str:
    """The whole file."""
    from api.engine_schemas import engine_schemas

    parts = {name: part for name, part in engine_schemas().items() if name.startswith(OF_THE_LOG)}
    return "\n".join([HEADING, *(declared(name, part) for name, part in parts.items())])


def declared(name: str, schema: dict[str, Any]) -> str:
    """The declaration of a component."""
    if schema.get("type") != "object":
        return f"type {name} = {typed(schema)};\n"
    required = schema.get("required", ())
    fields = schema.get("properties", {}).items()
    lines = [f"  {key}{'' if key in required else '?'}: {typed(field)};\n" for key, field in fields]
    return f"interface {name} {{\n{''.join(lines)}}}\n"


def typed(schema: dict[str, Any]) -> str:
    """The type of a field. A table whose name is an actor's has rows of any kind."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if "const" in schema:
        return json.dumps(schema["const"])
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(typed(part) for part in schema[several]))
    return of_kind(schema)


def of_kind(schema: dict[str, Any]) -> str:
    """The type that `type` names, with what is in it."""
    kind = schema.get("type")
    if isinstance(kind, list):
        return " | ".join(typed({"type": one}) for one in kind)
    if kind == "array":
        if "prefixItems" in schema:
            return f"[{', '.join(map(typed, schema['prefixItems']))}]"
        return f"({typed(schema.get('items', {}))})[]"
    if kind != "object":
        return SIMPLE.get(str(kind), "any")
    rows = schema.get("additionalProperties")
    named = [f"{key}?: {typed(field)}" for key, field in schema.get("properties", {}).items()]
    others = "any" if named or not isinstance(rows, dict) else typed(rows)
    return "{ " + "; ".join([*named, f"[name: string]: {others}"]) + " }"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    TYPES.write_text(written())
