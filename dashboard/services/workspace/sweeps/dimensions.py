"""The dimensions of a sweep: what of a scenario varies, over which values; and a scenario with one of them.

A dimension names a `field` of the scenario and the `path` to a value in it:

    scheduler   no path; a value is a profile, or an object with `profile` and `config`
    config      the keys to a setting, items of lists by their names
    edits       the number of the edit, from 0, and the keys to a value; of a list of nodes, how many of them
    seed        no path
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any, get_args

from msgspec.structs import replace

from dashboard.errors import sentence_of
from dashboard.kinds import kind_of_profile
from dashboard.models import Scenario
from dashboard.queries.config_paths import with_value
from dashboard.services.workspace.scenarios import Data, checked_draft
from dashboard.services.workspace.variants import fields_under
from dashboard.shapes.swept import Dimension, Field, Value, titles_apart
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.objects.reading.object_lists import read_yaml
from scheduler_core.schedulers.registry import versions

_FIELDS: tuple[Field, ...] = get_args(Field)
_PATHLESS = ("scheduler", "seed")
_ORDER = {field: place for place, field in enumerate(_FIELDS)}
"""What is set first: another scheduler may not take a configuration."""
MANIFEST = "manifest"
ADDING = ("add-nodes", "clone-node")
COUNTED_OUT = ("count", "nodes")
"""Of these none at all means that the edit takes no part: it must not be none itself."""


def fields_of(scenario: Scenario) -> Data:
    """Return the fields of a scenario that its runs follow, but for its snapshot."""
    names = (
        "profile", "config", "driver", "beside", "controllers", "edits", "seed", "until", "attempt_seconds",
        "ready_seconds",
    )  # fmt: skip
    return {name: getattr(scenario, name) for name in names}


def original_of(scenario: Scenario, fields: Data) -> Scenario:
    """Return a scenario, which is not stored, with these fields on the snapshot of another one."""
    return Scenario(snapshot=scenario.snapshot, driver_chosen=scenario.driver_chosen, **fields)


def scenario_at(
    original: Scenario, dimensions: Sequence[Dimension], places: Sequence[int | None]
) -> Scenario:
    """Return the scenario, which is not stored, at a point: by dimension the place of its value, or none.

    Raises BadInput for settings that can't be together.
    """
    chosen = [
        (dimension, dimension.values[place])
        for dimension, place in zip(dimensions, places, strict=True)
        if place is not None and dimension.values[place].name != dimension.today
    ]
    _require_kind(original, dimensions, places)
    found = original
    for dimension, value in sorted(chosen, key=lambda pair: _ORDER[pair[0].field]):
        found = _with(found, dimension, value)
    fields = fields_of(found)
    if not found.driver_chosen:
        fields.pop("driver")
    return checked_draft({"snapshot": found.snapshot, **fields})


def _require_kind(original: Scenario, dimensions: Sequence[Dimension], places: Sequence[int | None]) -> None:
    """Raise BadInput where a setting would be put to another kind of scheduler, which may pass over it."""
    chosen = [(one, place) for one, place in zip(dimensions, places, strict=True) if place is not None]
    own = kind_of_profile(original.profile).engine.title if original.profile in versions() else ""
    for dimension, place in chosen:
        if dimension.field == "scheduler":
            value = dimension.values[place].value
            title = kind_of_profile(value if isinstance(value, str) else value["profile"]).engine.title
            for other, _ in chosen:
                if other.field == "config" and title != own:
                    raise _fault(other, f"{other.title} is a setting of {own}, and none of {title}")


def _with(scenario: Scenario, dimension: Dimension, value: Value) -> Scenario:
    fields = fields_of(scenario)
    match dimension.field:
        case "scheduler":
            fields |= _under(scenario, value.value)
            fields.pop("snapshot", None)
        case "config":
            kind = kind_of_profile(scenario.profile)
            config = scenario.config or kind.first_config()
            fields["config"] = _put(dimension, config, dimension.path, value.value, kind.begun)
        case "edits":
            fields["edits"] = _with_edit(dimension, scenario.edits, value.value)
        case "seed":
            fields["seed"] = value.value
    return original_of(scenario, fields)


def _under(scenario: Scenario, value: Any) -> Data:
    if isinstance(value, str):
        return fields_under(scenario, value)
    return fields_under(scenario, value["profile"]) | {"config": value.get("config")}


def _with_edit(dimension: Dimension, edits: Sequence[Data], value: Any) -> list[Data]:
    place, *path = dimension.path
    changed = deepcopy(list(edits))
    edit = changed[int(place)]
    if path[-1] in COUNTED_OUT and value == 0:
        changed[int(place)] = {**edit, "enabled": False}
        return changed
    if path[0] == MANIFEST and isinstance(edit.get(MANIFEST), str):
        edit[MANIFEST] = _read(edit[MANIFEST])
    named = edit.get("nodes")
    if path == ["nodes"] and isinstance(named, list):
        if not isinstance(value, int) or not 0 <= value <= len(named):
            raise _fault(dimension, f"must be a number of nodes from 0 to {len(named)}, not {value}")
        edit["nodes"] = named[:value]
        return changed
    changed[int(place)] = _put(dimension, edit, path, value, {})
    return changed


def _read(text: str) -> Any:
    documents = read_yaml(text.encode())
    return documents[0] if len(documents) == 1 else {"apiVersion": "v1", "kind": "List", "items": documents}


def _put(
    dimension: Dimension, document: Any, path: Sequence[str], value: Any, begun: Mapping[str, list[Any]]
) -> Any:
    try:
        return with_value(document, path, value, begun)
    except ValueError as error:
        raise _fault(dimension, str(error)) from None


def _fault(dimension: Dimension, message: str) -> BadInput:
    return BadInput([Problem("dimension", ".".join(dimension.path), message)])


# -- as they are given --------------------------------------------------------------------------------


def checked_values(original: Scenario, dimensions: Sequence[Dimension]) -> list[Problem]:
    """Return what is wrong with values, each tried alone: those that no point could have."""
    problems: list[Problem] = []
    for number, dimension in enumerate(dimensions):
        for place, value in enumerate(dimension.values):
            try:
                scenario_at(original, [dimension], [place])
            except BadInput as error:
                said = "; ".join(dict.fromkeys(map(sentence_of, error.problems)))
                problems.append(Problem(f"dimensions[{number}]", f"values[{place}]", f"{value.name}: {said}"))
    return problems


def read_dimensions(
    original: Scenario, given: Iterable[Any], known: Mapping[tuple[str, ...], Dimension]
) -> list[Dimension]:
    """Return dimensions out of documents. Raises BadInput with the dimension and the field of each fault.

    known: those that the scenario offers, by field and path: they have titles and names for values.
    """
    found: list[Dimension] = []
    problems: list[Problem] = []
    for number, document in enumerate(given):
        here = f"dimensions[{number}]"
        try:
            found.append(_read_one(original, document, known))
        except BadInput as error:
            problems += [Problem(here, problem.field, problem.message) for problem in error.problems]
    ways = [(one.field, *one.path) for one in found]
    problems += [
        Problem(f"dimensions[{number}]", "path", "is that of another dimension, too")
        for number, way in enumerate(ways)
        if way in ways[:number]
    ]
    if problems:
        raise BadInput(problems)
    return [replace(one, title=title) for one, title in zip(found, titles_apart(found), strict=True)]


def _read_one(original: Scenario, given: Any, known: Mapping[tuple[str, ...], Dimension]) -> Dimension:
    if not isinstance(given, dict):
        raise _wrong("", "must be an object")
    for name in given:
        if name not in ("field", "path", "title", "values"):
            raise _wrong(str(name), "is not a field of a dimension")
    field, path = given.get("field"), given.get("path", [])
    if field not in _FIELDS:
        raise _wrong("field", f"must be one of {', '.join(_FIELDS)}")
    if not isinstance(path, list) or not all(isinstance(key, str | int) for key in path):
        raise _wrong("path", "must be a list of keys")
    keys = [str(key) for key in path]
    _check_path(original, field, keys)
    offered = known.get((field, *keys))
    title = given.get("title") or (offered.title if offered else " ".join([field, *keys]))
    if not isinstance(title, str) or len(title) > 200:
        raise _wrong("title", "must be a text of at most 200 characters")
    values = given.get("values")
    if not isinstance(values, list) or not values:
        raise _wrong("values", "must be a list of at least one value")
    read = [_read_value(field, value, place, offered) for place, value in enumerate(values)]
    for place, value in enumerate(read):
        if value.name in [one.name for one in read[:place]]:
            raise _wrong(f"values[{place}]", f"{value.name} is there twice")
    adds_nodes = field == "edits" and len(keys) == 2 and original.edits[int(keys[0])]["op"] in ADDING
    return Dimension(field, keys, title, read, offered.today if offered else "", adds_nodes)


def _check_path(original: Scenario, field: str, keys: list[str]) -> None:
    if field in _PATHLESS:
        if keys:
            raise _wrong("path", f"must be empty for {field}")
        return
    if not keys:
        raise _wrong("path", "must lead to a value")
    if field == "edits":
        if not keys[0].isdecimal() or int(keys[0]) >= len(original.edits):
            raise _wrong("path", f"begins with the number of an edit, 0 to {len(original.edits) - 1}")
        if len(keys) < 2 or keys[1] in ("op", "enabled"):
            raise _wrong("path", "must lead to a value of the edit")


def _read_value(field: str, given: Any, place: int, offered: Dimension | None) -> Value:
    name = ""
    value = given
    if isinstance(given, dict) and field != "scheduler":
        if given.keys() - {"name", "value"} or "value" not in given:
            raise _wrong(f"values[{place}]", "must be a plain value, or have a name and a value")
        name, value = given.get("name", ""), given["value"]
    elif field == "scheduler":
        if (known := _called(given, offered)) is not None:
            return known
        name, value = _scheduler(given, place)
    elif field == "seed" and (isinstance(given, bool) or not isinstance(given, int | None)):
        raise _wrong(f"values[{place}]", "must be a whole number or null")
    usual = () if offered is None else offered.values
    same = next((one for one in usual if value in (one.name, one.value)), None)
    if same is not None and not name:
        return same
    name = name or ("none" if value is None else str(value))
    if not isinstance(name, str) or len(name) > 200:
        raise _wrong(f"values[{place}]", "must have a name of at most 200 characters")
    return Value(name, value)


def _called(given: Any, offered: Dimension | None) -> Value | None:
    values = () if offered is None else offered.values
    return next((one for one in values if one.name == given), None)


def _scheduler(given: Any, place: int) -> tuple[str, Any]:
    profile = given.get("profile") if isinstance(given, dict) else given
    if isinstance(given, dict) and given.keys() - {"name", "profile", "config"}:
        raise _wrong(f"values[{place}]", "may have a name, a profile and a config")
    if not isinstance(profile, str) or profile not in versions():
        raise _wrong(f"values[{place}]", f"must name a scheduler: {', '.join(versions())}")
    if not isinstance(given, dict):
        return "", given
    if not isinstance(given.get("config"), dict | None):
        raise _wrong(f"values[{place}]", "must have a config that is an object or null")
    value = {"profile": profile, "config": given.get("config")}
    return str(given.get("name") or (profile if value["config"] is None else f"{profile}, configured")), value


def _wrong(field: str, message: str) -> BadInput:
    return BadInput([Problem("dimension", field, message)])
