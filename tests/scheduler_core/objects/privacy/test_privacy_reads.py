"""Nothing that is read gets lost: typed views find all their fields, and decisions stay what they were."""

import gzip
import json
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from recorded.decide import decide
from scheduler_core.objects.checks.kind_checks import KIND_CHECKS
from scheduler_core.objects.kinds import Kind
from scheduler_core.objects.privacy import withhold_private
from scheduler_core.objects.privacy.fields import Fields
from scheduler_core.objects.privacy.kept_by_kind import fields_of
from tests.cases import for_each
from tests.portions import portion

VECTORS = Path(__file__).parents[3] / "vectors"
FILES = sorted(VECTORS.glob("kube*/*.jsonl.gz"))


def views_in(annotation: Any) -> list[type[msgspec.Struct]]:
    """The typed views that a field's type holds: in a list, or beside None."""
    if isinstance(annotation, type) and issubclass(annotation, msgspec.Struct):
        return [annotation]
    return [view for part in get_args(annotation) for view in views_in(part)]


def missing(view: type[msgspec.Struct], fields: Fields, path: str) -> list[str]:
    """The fields that a view names and that are not kept."""
    found = []
    for field in msgspec.structs.fields(view):
        name, place = field.encode_name, f"{path}.{field.encode_name}"
        part = fields.parts.get(name)
        if part is None and name not in fields.whole:
            found.append(place)
        elif isinstance(part, Fields):
            found += [lost for inner in views_in(field.type) for lost in missing(inner, part, place)]
    return found


@for_each(KIND_CHECKS, str)
def test_every_field_that_a_view_of_a_kind_names_is_kept(kind: Kind) -> None:
    assert missing(KIND_CHECKS[kind].view, fields_of({"kind": kind.name}), kind.name) == []


def test_a_field_that_is_not_kept_is_found() -> None:
    view = msgspec.defstruct(
        "Outer", [("a", str), ("b", list[msgspec.defstruct("Inner", [("c", str)])] | None)]
    )
    assert missing(view, Fields("a"), "x") == ["x.b"]
    assert missing(view, Fields(b=Fields()), "x") == ["x.a", "x.b.c"]
    assert missing(view, Fields("a", b=Fields("c")), "x") == []


def stripped(value: Any) -> Any:
    """The value with every object in it stripped as an import strips it."""
    if isinstance(value, dict) and value.keys() >= {"apiVersion", "kind", "metadata"}:
        once, _ = withhold_private([value])
        assert withhold_private(once) == (once, [])
        return once[0]
    if isinstance(value, dict):
        return {name: stripped(item) for name, item in value.items()}
    return [stripped(item) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name.split('.')[0]}")
def test_recorded_decisions_stay_the_same(path: Path) -> None:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        cases = [json.loads(line) for line in lines]
    for case in portion(cases, 10):
        expect, left = case.pop("expect"), stripped(case)
        # What loses nothing is decided as recorded already: test_vectors.py. Of older queues less is
        # recorded than told.
        if left != case and (answer := json.loads(json.dumps(decide(left)))) != expect:
            assert answer == json.loads(json.dumps(decide(case))), case["id"]
