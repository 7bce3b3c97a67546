"""The browser's type checker knows the log as REST describes it."""

from tests.log_types import TYPES, declared, written


def test_the_types_of_the_log_are_those_of_the_schema() -> None:
    assert TYPES.read_text() == written(), "run python -m tests.log_types"


def test_a_schema_becomes_a_type() -> None:
    field = {"anyOf": [{"$ref": "#/components/schemas/LogWake"}, {"type": "null"}]}
    schema = {
        "type": "object",
        "properties": {"a": field, "b": {"type": "array", "items": {"type": "integer"}}},
    }
    text = "interface LogX {\n  a: LogWake | null;\n  b?: (number)[];\n}\n"
    assert declared("LogX", {**schema, "required": ["a"]}) == text
    assert declared("LogY", {"enum": ["x", 1]}) == 'type LogY = "x" | 1;\n'
