"""HAMi's settings as a run is given them: with the switches that the snapshot's nodes call for.

A scenario's own settings stay as they were written; a run has them frozen with what followed from the nodes.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from dashboard.models import Node, Scenario, Snapshot
from scheduler_core.hami.switches import with_switches
from scheduler_core.objects.problems import BadInput
from scheduler_core.schedulers.registry import kind_of_profile

Settings = dict[str, Any]
HAMI = "hami"
_KEPT = 64


def config_of(scenario: Scenario) -> Settings | None:
    """Return the scenario's configuration as its run is given it."""
    known = kind_of_profile(scenario.profile)
    if known is None or known.name != HAMI:
        unchanged: Settings | None = scenario.config
        return unchanged
    return _settled(scenario.snapshot, scenario.config)


def beside_of(scenario: Scenario) -> list[Settings]:
    """Return the schedulers beside the scenario's as its run is given them."""
    return [_companion(scenario.snapshot, entry) for entry in scenario.beside]


def switches_of(snapshot: Snapshot) -> list[str]:
    """Return the switches of HAMi that a snapshot's nodes call for."""
    return list(_settled(snapshot, None) or {})


def _companion(snapshot: Snapshot, entry: Any) -> Any:
    if not isinstance(entry, Mapping) or entry.get("scheduler") != HAMI:
        return entry
    config = _settled(snapshot, entry.get("config"))
    return entry if config == entry.get("config") else {**entry, "config": config}


def _settled(snapshot: Snapshot, settings: Settings | None) -> Settings | None:
    """Return the settings with what follows from the nodes; those that cannot be read as they are."""
    text = msgspec.json.encode(settings)
    try:
        found: Settings | None = msgspec.json.decode(_found(snapshot.pk, snapshot.content_hash, text))
    except BadInput:
        return settings
    return settings if found == settings else found


@lru_cache(maxsize=_KEPT)
def _found(snapshot: int, _content: str, settings: bytes) -> bytes:
    """Return settings by a snapshot's number and content, which never changes. Raises BadInput."""
    given = msgspec.json.decode(settings)
    nodes = Node.objects.filter(snapshot=snapshot)
    if "deviceConfig" not in (given or {}):
        nodes = nodes.filter(cards__gt=0)  # counted for the models that a release knows
    documents = nodes.values_list("object", flat=True).iterator()
    return msgspec.json.encode(with_switches(given, documents))
