"""Configurations of a scenario as its run is given them: with what follows from the snapshot.

A scenario's own configuration stays as it was written; a run has it frozen.
"""

from collections.abc import Mapping
from typing import Any

from dashboard.kinds import all_kinds, kind_named, kind_of_profile
from dashboard.models import Scenario, Snapshot
from scheduler_core.schedulers.registry import kinds, versions

Config = dict[str, Any]


def config_of(scenario: Scenario) -> Config | None:
    """Return the scenario's configuration as its run is given it."""
    if scenario.profile not in versions():
        unchanged: Config | None = scenario.config
        return unchanged
    return kind_of_profile(scenario.profile).settled(scenario.snapshot, scenario.config)


def beside_of(scenario: Scenario) -> list[Config]:
    """Return the schedulers beside the scenario's as its run is given them."""
    return [_companion(scenario.snapshot, entry) for entry in scenario.beside]


def settled_of(snapshot: Snapshot) -> list[tuple[str, str, list[str]]]:
    """Return which settings follow from a snapshot: the kind's name, its title, the settings."""
    found = ((kind, list(kind.settled(snapshot, None) or {})) for kind in all_kinds())
    return [(kind.engine.name, kind.engine.title, settings) for kind, settings in found if settings]


def _companion(snapshot: Snapshot, entry: Any) -> Any:
    named = entry.get("scheduler") if isinstance(entry, Mapping) else None
    if not isinstance(named, str) or named not in kinds():  # what was sent may be anything
        return entry
    config = kind_named(named).settled(snapshot, entry.get("config"))
    return entry if config == entry.get("config") else {**entry, "config": config}
