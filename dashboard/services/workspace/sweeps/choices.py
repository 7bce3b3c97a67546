"""What of a scenario a sweep may vary: its scheduler, settings of its configuration, numbers of its edits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from dashboard.kinds import all_kinds, kind_of_profile
from dashboard.kinds.kind import Config
from dashboard.kinds.sweepable import Setting
from dashboard.models import Scenario
from dashboard.queries.config_paths import value_at
from dashboard.queries.configurations import configurations_of
from dashboard.shapes.swept import Dimension, Field, Value
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import versions
from scheduler_core.world.edits.operations import OPERATIONS, shape_of

_IN_MANIFESTS = ("replicas", "minMember", "minAvailable", "weight", "priority", "cpu", "memory")
"""Fields of a manifest's objects that are amounts."""
_TEXTS = ("cpu", "memory", "priorityClass")
_SHORTER = {"replicas": "replicas"}
"""Titles of fields that an edit's form labels in words which only its other fields explain."""
_MOST_OF_AN_EDIT = 12


class Choice(NamedTuple):
    """Something that can vary. `dimension` has the values to choose from, or none: then any may be given.

    group: under which heading it stands. least: of numbers.
    """

    dimension: Dimension
    group: str
    least: float = 0

    @property
    def example(self) -> str:
        """Values that somebody may type, around that of today."""
        today = self.dimension.today
        if not today.isdecimal():
            return ", ".join([today, "…"]) if today else "1, 2, 5"
        numbers = (int(today) - 1, int(today), int(today) + 1)
        return ", ".join(str(value) for value in numbers if value >= self.least)

    @property
    def key(self) -> tuple[str, ...]:
        """The field and the path."""
        return (self.dimension.field, *self.dimension.path)


def choices_of(scenario: Scenario) -> list[Choice]:
    """Return all that can vary in a scenario."""
    return [_schedulers(scenario), *_settings(scenario), *_edits(scenario.edits), _seed(scenario)]


def _choice(
    group: str, field: Field, path: Sequence[str], title: str, values: Sequence[Value], today: str,
    least: float = 0,
) -> Choice:  # fmt: skip
    return Choice(Dimension(field, list(path), title, list(values), today), group, least)


def _schedulers(scenario: Scenario) -> Choice:
    """Return all schedulers, others as the import's ConfigMaps configure them, and variants of some.

    A variant changes the scenario's own configuration, of another kind the first one that the import has.
    """
    values = [Value(name, name) for name in versions()]
    own = kind_of_profile(scenario.profile) if scenario.profile in versions() else None
    found = configurations_of(scenario.snapshot)
    for kind in all_kinds():
        profile = kind.engine.default
        theirs = [] if kind is own else [one for one in found if one.scheduler == kind.engine.name]
        values += [
            Value(f"{profile} as {' and '.join(one.config_maps)} has it", _of(profile, one.config))
            for one in theirs
        ]
        base = (scenario.config or {}) if kind is own else theirs[0].config if theirs else {}
        values += [
            Value(f"{profile}, {name}", _of(profile, {**base, **config})) for name, config in kind.variants()
        ]
    return _choice("Scheduler", "scheduler", (), "scheduler", values, scenario.profile)


def _of(profile: str, config: Config) -> dict[str, Any]:
    return {"profile": profile, "config": config}


def _settings(scenario: Scenario) -> Iterator[Choice]:
    if scenario.profile not in versions():
        return
    kind = kind_of_profile(scenario.profile)
    try:
        found = kind.sweepable(scenario.config, versions()[scenario.profile])
    except BadInput:
        return
    for one in found:
        values = [Value(name, value) for name, value in one.usual]
        today = _today(one, scenario.config or kind.first_config())
        yield _choice("Configuration", "config", one.path, one.title, values, today, one.least)


def _today(setting: Setting, config: Config) -> str:
    """Return the name of what a configuration has there."""
    found = value_at(config, setting.path)
    if isinstance(found, dict):
        inside = (name for name, value in setting.usual if {**found, **value} == found)
        return next(inside, "as it is")
    if found is None and not setting.usual:
        found = setting.default
    found = setting.default if found is None else found
    named = (name for name, value in setting.usual if value == found)
    return next(named, "" if found is None else str(found))


def _seed(scenario: Scenario) -> Choice:
    today = "none" if scenario.seed is None else str(scenario.seed)
    return _choice("Chance", "seed", (), "seed", (), today)


# -- edits ----------------------------------------------------------------------------------------------


def _edits(edits: Sequence[Any]) -> Iterator[Choice]:
    for place, edit in enumerate(edits):
        shape = shape_of({name: value for name, value in edit.items() if name != "enabled"})
        if shape is None or not edit.get("enabled", True):
            continue
        group = f"Edit {place + 1}: {OPERATIONS[edit['op']].words.title.lower()}"
        for path, title, today, least in [*_of_form(edit), *_of_manifest(edit)][:_MOST_OF_AN_EDIT]:
            yield _choice(group, "edits", (str(place), *path), title, (), today, least)


_Found = tuple[tuple[str, ...], str, str, float]


def _of_form(edit: dict[str, Any]) -> Iterator[_Found]:
    """Yield the numbers that an edit's form has."""
    name = _name(edit)
    for field in OPERATIONS[edit["op"]].words.form:
        value = edit.get(field.name)
        if field.name == "nodes" and isinstance(value, list) and len(value) > 1:
            yield ("nodes",), f"nodes to {edit['op']}", str(len(value)), 0
        elif field.kind == "count" and not (field.clock and value is None):
            label = _SHORTER.get(field.name, f"{field.label[0].lower()}{field.label[1:]}")
            title = f"{label} of {name}"
            yield (field.name,), title, "" if value is None else str(value), field.least
        elif field.kind == "text" and field.name in _TEXTS and isinstance(value, str):
            yield (field.name,), f"{field.name} of {name}", value, 0


def _name(edit: dict[str, Any]) -> str:
    """Return whom an edit is about."""
    for field in ("namePrefix", "workload", "name", "node"):
        if isinstance(edit.get(field), str):
            return str(edit[field]).rstrip("-")
    manifest = edit.get("manifest")
    metadata = manifest.get("metadata") if isinstance(manifest, dict) else None
    return str(metadata.get("name")) if isinstance(metadata, dict) else str(edit["op"])


def _of_manifest(edit: dict[str, Any]) -> Iterator[_Found]:
    """Yield the amounts of a manifest's objects; of one that is a text there is what its form has."""
    if isinstance(edit.get("manifest"), dict):
        for path, value in _amounts(edit["manifest"], ("manifest",)):
            keys = [key for key in path if key not in ("manifest", "spec", "template", "resources")]
            yield path, f"{' '.join(keys)} of {_name(edit)}", str(value), 0


def _amounts(value: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            if key in _IN_MANIFESTS and isinstance(inner, int | str) and "limits" not in path:
                yield (*path, key), inner
            elif key not in ("status", "metadata"):
                yield from _amounts(inner, (*path, key))
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            if isinstance(inner, dict):
                yield from _amounts(inner, (*path, str(inner.get("name") or place + 1)))
