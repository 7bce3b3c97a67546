"""The engine as the database sees it: builds a Simulation from a run's frozen copy.

Everything that decides comes from the Run row and its snapshot's content, so that the same row always
gives the same log. The class is a setting (`SIMULATION_CLASS`), the engine's own by default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Any

import msgspec
from django.conf import settings
from django.utils.module_loading import import_string

from dashboard.kinds.settled import beside_of, config_of
from dashboard.models import Run, Scenario, Snapshot
from scheduler_core.objects.collector import collector_at_rest
from scheduler_core.objects.kinds import Kind, kind_of

if TYPE_CHECKING:
    from scheduler_core.kube.extenders.exchanges import Exchanges
    from scheduler_core.world import RunInput, Simulation
    from scheduler_core.world.imported import Imported
    from scheduler_core.world.trials.kept_ground import Lent

SIMULATION_CLASS = "scheduler_core.world.Simulation"


def simulation_class() -> type[Simulation]:
    """Return the class that plays runs."""
    found: type[Simulation] = import_string(getattr(settings, "SIMULATION_CLASS", SIMULATION_CLASS))
    return found


def engine_version() -> str:
    """Return the version under which new runs are recorded."""
    from scheduler_core import ENGINE_VERSION

    return str(getattr(simulation_class(), "ENGINE_VERSION", ENGINE_VERSION))


def items_of(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Return the snapshot's objects in the order in which they were stored."""
    items: list[dict[str, Any]] = msgspec.json.decode(snapshot.list_json())["items"]
    return items


def imported_of(snapshot: Snapshot) -> Imported:
    """Return the snapshot's objects with what its import has found out about them."""
    from scheduler_core.objects.imports.references import Gap
    from scheduler_core.world.imported import Imported

    lacks = snapshot.lacks
    gaps = None if lacks is None else [Gap(one["phrase"], [], tuple(one["kinds"])) for one in lacks]
    return Imported(items_of(snapshot), gaps)


class _Headed(msgspec.Struct):
    """What an object begins with."""

    kind: str = ""
    api_version: str = msgspec.field(default="", name="apiVersion")


class _Unread(msgspec.Struct):
    items: list[msgspec.Raw]


def items_of_kinds(snapshot: Snapshot, kinds: Collection[Kind]) -> list[dict[str, Any]]:
    """Return the snapshot's objects of some kinds; the others are not read."""
    return _items(snapshot, lambda kind: kind in kinds)


def items_but(snapshot: Snapshot, kinds: Collection[Kind]) -> list[dict[str, Any]]:
    """Return the snapshot's objects but for some kinds, which are not read."""
    return _items(snapshot, lambda kind: kind not in kinds)


def _items(snapshot: Snapshot, is_meant: Callable[[Kind], bool]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for text in msgspec.json.decode(snapshot.list_json(), type=_Unread).items:
        head = msgspec.json.decode(text, type=_Headed)
        if is_meant(kind_of({"kind": head.kind, "apiVersion": head.api_version})):
            found.append(msgspec.json.decode(text))
    return found


def open_simulation(
    run: Run,
    checkpoint: bytes | None = None,
    exchanges: Exchanges | None = None,
    lent: Lent | None = None,
) -> Simulation:
    """Build the run's Simulation, at its start or at a checkpoint; raises BadInput.

    `exchanges` is where the answers of its extenders come from, if it has any; `lent` is what it begins with,
    where its cluster is kept. Such a run has no checkpoint.
    """
    given: dict[str, Any] = {} if exchanges is None else {"exchanges": exchanges}
    if lent is not None:
        given |= lent._asdict()
    with collector_at_rest():
        objects = items_of(run.snapshot) if lent is None else lent.imported.objects
        return simulation_class()(run_input_of(run, objects), checkpoint, **given)


def try_scenario(scenario: Scenario) -> Simulation:
    """Build the Simulation that a run of the scenario would play; raises BadInput."""
    with collector_at_rest():
        return simulation_class()(run_input_of(scenario, items_of(scenario.snapshot)), foretells=True)


def input_without_objects(scenario: Scenario) -> RunInput:
    """Return all that decides a run of the scenario but for its cluster; raises BadInput."""
    return run_input_of(scenario, [])


def input_of_run(run: Run) -> RunInput:
    """Return all that decides a run but for its cluster; raises BadInput."""
    return run_input_of(run, [])


def starting_objects(run: Run) -> list[dict[str, Any]]:
    """Return the objects that the run starts from: admitted, and with its edits; raises BadInput."""
    from scheduler_core.world.setting_up.preparation import prepare

    with collector_at_rest():
        return list(prepare(run_input_of(run, items_of(run.snapshot))).objects)


def pods_of(run: Run) -> list[dict[str, Any]]:
    """Return the pods of the run's start and those that come in it, as they are let in; raises BadInput."""
    from scheduler_core.world.setting_up.preparation import pods_of

    return pods_of(run_input_of(run, items_of(run.snapshot)))


def run_input_of(source: Run | Scenario, objects: list[dict[str, Any]]) -> RunInput:
    """Return all that decides a run over these objects; raises BadInput."""
    from scheduler_core.world import RunInput
    from scheduler_core.world.setting_up.companions import read_companions

    if isinstance(source, Scenario):
        frozen: dict[str, Any] = {
            "edits": [edit for _, edit in source.active_edits()],
            "config": config_of(source), "beside": read_companions(beside_of(source)),
        }  # fmt: skip
    else:
        frozen = {
            "config": source.config, "beside": read_companions(source.beside),
            "edits": source.edits, "schedule": source.schedule, "attempt_limit": source.attempt_limit,
        }  # fmt: skip
    return RunInput(
        objects=objects,
        profile=source.profile,
        driver=source.driver,
        controllers=source.controllers,
        seed=source.seed,
        until=source.until,
        attempt_seconds=source.attempt_seconds,
        ready_seconds=source.ready_seconds,
        **frozen,
    )
