"""Scenarios: create, change and delete them; `trying` tells what their edits would do.

A scenario is a draft: it may name edits that don't work yet, as long as they have the shape of edits.
An edit that is switched off (`"enabled": false`) is kept and takes no part in a run. Profile, driver,
configuration, other schedulers and the settings of the clock are checked together whenever one of them is
set. Where nobody chose a driver, each change chooses it anew, and the stored one is the one that a run has.
"""

from typing import Any

from django.db import transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now

from dashboard.engine import input_without_objects
from dashboard.errors import AlreadyDeleted, HasDependents, VersionConflict
from dashboard.kinds import kind_named, kind_of_profile
from dashboard.models import Controllers, Run, Scenario, Snapshot
from dashboard.models.scenarios import is_active, without_switch
from dashboard.services.background.making_room import delete_making_room
from dashboard.services.workspace.audit import note
from dashboard.services.workspace.driver_choice import choose_driver
from dashboard.services.workspace.edit_privacy import without_private
from dashboard.services.workspace.runs import bulk_of_runs, delete_runs_at_once
from dashboard.services.workspace.schedulers import scheduler_problems, takes_configuration
from dashboard.services.workspace.suggesting import suggest
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.names import BASE
from scheduler_core.schedulers.object_admission import Refused
from scheduler_core.schedulers.registry import versions
from scheduler_core.world.edits.named_schedulers import schedulers_named
from scheduler_core.world.edits.operations import moves_pods, read_edit, read_shape
from scheduler_core.world.run_input import RunInput

FIELDS = (
    "name", "snapshot", "profile", "config", "driver", "beside", "controllers", "edits", "seed", "until",
    "attempt_seconds", "ready_seconds",
)  # fmt: skip
EDITS_LIMIT = 10_000
SCHEDULER_FIELDS = ("profile", "config", "driver", "beside", "until", "attempt_seconds", "ready_seconds")
NAMES_SCHEDULERS = ("profile", "config", "beside")
NAME_LENGTH = 200
SEED_LIMIT = 2**63

Data = dict[str, Any]


def create_scenario(user: Any, data: Data) -> Scenario:
    """Create a scenario from the fields in FIELDS (`snapshot` as a Snapshot); raises BadInput.

    Where no scheduler is named it takes those of the cluster.
    """
    data = with_schedulers(data)
    scenario = Scenario(created_by=user if user is not None and user.is_authenticated else None)
    _set_fields(scenario, data)
    _check_scheduler(scenario)
    if scenario.snapshot_id is None:
        raise BadInput([Problem("scenario", "snapshot", "is required")])
    scenario.name = scenario.name.strip() or f"{scenario.snapshot.name}, {scenario.profile}"[:NAME_LENGTH]
    scenario.save(force_insert=True)
    return scenario


def update_scenario(scenario: Scenario, version: int, data: Data) -> Scenario:
    """Change the named fields if the scenario is still at `version`; raises VersionConflict, BadInput.

    A name that is blank is refused; only a new scenario gets one by itself.
    The same change made by two people at once succeeds for one of them. A change of other fields may change
    the driver too.
    """
    before = scenario.driver
    _set_fields(scenario, data)
    if "name" in data and not scenario.name.strip():
        raise BadInput([Problem("scenario", "name", "must not be empty")])
    if scenario.driver != before or any(name in data for name in SCHEDULER_FIELDS):
        _check_scheduler(scenario)
    changed = {name: getattr(scenario, name) for name in FIELDS if name in data}
    changed |= {"driver": scenario.driver, "driver_chosen": scenario.driver_chosen}
    if "edits" in changed:
        changed["edit_count"] = len(scenario.edits)
    row = Scenario.objects.filter(pk=scenario.pk, version=version)
    if not row.update(**changed, version=F("version") + 1, updated_at=Now()):
        present = Scenario.objects.values_list("version", flat=True).get(pk=scenario.pk)
        scenario.refresh_from_db()
        raise VersionConflict(version, present)
    scenario.refresh_from_db()
    return scenario


def draft_scenario(data: Data, *, moving: bool = False) -> Scenario:
    """Return an unsaved scenario to validate; raises BadInput for what is no draft at all.

    It is the one that create_scenario would store. moving: as for `with_schedulers`.
    """
    data = with_schedulers(data, moving=moving)
    scenario = Scenario()
    _set_fields(scenario, data)
    if scenario.snapshot_id is None:
        raise BadInput([Problem("scenario", "snapshot", "is required")])
    return scenario


def checked_draft(data: Data) -> Scenario:
    """Return a draft whose schedulers can be played, too; raises BadInput."""
    scenario = draft_scenario(data)
    _check_scheduler(scenario)
    return scenario


def cluster_as_it_stands(snapshot: Snapshot, *, moving: bool = False) -> RunInput:
    """Return what a new scenario without edits would play, without the objects; raises BadInput.

    moving: with the schedulers of running pods, as `with_schedulers` says.
    """
    return input_without_objects(draft_scenario({"snapshot": snapshot}, moving=moving))


def with_schedulers(data: Data, *, moving: bool = False) -> Data:
    """Return the fields of a new scenario, with the schedulers of its cluster where they name none.

    moving: pods that run may need another node, as after some edits.
    """
    snapshot = data.get("snapshot")
    if any(name in data for name in NAMES_SCHEDULERS) or not isinstance(snapshot, Snapshot):
        return data
    if _snapshot_fault(snapshot):
        return data
    driver, edits = data.get("driver"), data.get("edits")
    edits = edits if isinstance(edits, list) else []
    moving = moving or moves_pods(edits)
    driver = driver if isinstance(driver, str) else None
    return {**suggest(snapshot, driver, schedulers_named(edits), moving=moving).fields(), **data}


def delete_scenario(scenario: Scenario, *, cascade: bool = False) -> None:
    """Delete the scenario; with `cascade` also its runs, else HasDependents if there are any.

    Raises AlreadyDeleted where somebody else has just done it.
    """
    runs = Run.objects.filter(scenario=scenario)
    delete_making_room(lambda: _delete_at_once(scenario, runs, cascade), lambda: bulk_of_runs(runs))


def _delete_at_once(scenario: Scenario, runs: QuerySet[Run], cascade: bool) -> None:
    with transaction.atomic():
        number = runs.count()
        if number and not cascade:
            raise HasDependents("The scenario", [f"{number} run{'' if number == 1 else 's'}"])
        delete_runs_at_once(runs)
        note("scenario deleted", f"scenario {scenario.pk} ({scenario.name})", runs=number or None)
        _, deleted = Scenario.objects.filter(pk=scenario.pk).delete()
        if not deleted.get(Scenario._meta.label):
            raise AlreadyDeleted(f"Scenario {scenario.pk}")


def _set_fields(scenario: Scenario, data: Data) -> None:
    """Check and set what is named in data; raises BadInput with every problem."""
    problems = [Problem("scenario", name, "is not a field") for name in data if name not in FIELDS]
    for name in FIELDS:
        if name not in data:
            continue
        message = _fault(name, data[name])
        if message:
            problems.append(Problem("scenario", name, message))
        elif name != "driver" or data[name] is not None:
            setattr(scenario, name, data[name])
    if problems:
        raise BadInput(problems)
    _settle_driver(scenario, data)
    scenario.edits = _checked_edits(scenario, are_new="edits" in data)


def _settle_driver(scenario: Scenario, data: Data) -> None:
    """Keep the driver that somebody chose while the profile has it; else choose one."""
    known = versions().get(scenario.profile)
    if "driver" in data:
        scenario.driver_chosen = data["driver"] is not None
    elif known is not None and scenario.driver not in known.drivers:
        scenario.driver_chosen = False
    if known is not None and not scenario.driver_chosen and scenario.snapshot_id is not None:
        scenario.driver = choose_driver(scenario).driver


def _check_scheduler(scenario: Scenario) -> None:
    """Raise BadInput for schedulers that cannot be played; take private parts out of their configurations."""
    problems = scheduler_problems(
        scenario.profile, scenario.config, scenario.driver, beside=scenario.beside,
        until=scenario.until, attempt_seconds=scenario.attempt_seconds,
        ready_seconds=scenario.ready_seconds,
    )  # fmt: skip
    if problems:
        raise BadInput(problems)
    if takes_configuration(scenario.profile):
        scenario.config = kind_of_profile(scenario.profile).without_connections(scenario.config)
        scenario.beside = [_without_connections(entry) for entry in scenario.beside]


def _without_connections(companion: Data) -> Data:
    if not companion.get("config"):
        return companion
    kind = kind_named(companion.get("scheduler", BASE))
    return {**companion, "config": kind.without_connections(companion["config"])}


def _fault(name: str, value: Any) -> str | None:
    """Return what is wrong with a field's value, or None."""
    checks = {
        "name": _name_fault,
        "snapshot": _snapshot_fault,
        "profile": lambda value: (
            None if isinstance(value, str) and 0 < len(value) <= 32 else "must be a text"
        ),
        "config": lambda value: (
            None if value is None or isinstance(value, dict) else "must be an object or null"
        ),
        "driver": lambda value: None if value is None or isinstance(value, str) else "must be a text or null",
        "controllers": lambda value: _choice_fault(value, Controllers.values),
        "beside": lambda value: None if isinstance(value, list) else "must be a list",
        "edits": _edits_fault,
        "seed": _seed_fault,
        "until": lambda value: None if value is None or _is_number(value) else "must be a number or null",
        "attempt_seconds": lambda value: None if _is_number(value) else "must be a number",
        "ready_seconds": lambda value: None if _is_number(value) else "must be a number",
    }
    return checks[name](value)


def _name_fault(value: Any) -> str | None:
    if not isinstance(value, str):
        return "must be a text"
    return None if len(value) <= NAME_LENGTH else f"must have at most {NAME_LENGTH} characters"


def _snapshot_fault(value: Any) -> str | None:
    if not isinstance(value, Snapshot):
        return "must be a snapshot"
    return None if value.status == Snapshot.Status.READY else "is not imported yet"


def _choice_fault(value: Any, choices: list[str]) -> str | None:
    return None if value in choices else f"must be one of {', '.join(choices)}"


def _edits_fault(value: Any) -> str | None:
    if not isinstance(value, list):
        return "must be a list"
    return None if len(value) <= EDITS_LIMIT else f"must have at most {EDITS_LIMIT} entries"


def _seed_fault(value: Any) -> str | None:
    whole = isinstance(value, int) and not isinstance(value, bool) and -SEED_LIMIT <= value < SEED_LIMIT
    return None if value is None or whole else "must be a whole number of 64 bits or null"


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _checked_edits(scenario: Scenario, *, are_new: bool) -> list[Data]:
    """Return the edits, new ones without private parts. Raises BadInput with all that cannot be read.

    What edits mean is for the engine to say. One that is switched off only has to have an edit's shape: it
    stands in the way of nothing.
    """
    kept: list[Data] = []
    problems: list[Problem] = []
    for index, edit in enumerate(scenario.edits):
        if isinstance(edit, dict) and not isinstance(edit.get("enabled", True), bool):
            problems.append(Problem(f"edits[{index}]", "enabled", "must be true or false"))
            continue
        try:
            if is_active(edit):
                read_edit(without_switch(edit), scenario.driver)
            else:
                read_shape(without_switch(edit))
            kept.append(without_private(edit, index) if are_new else edit)
        except Refused as refused:
            problems.extend(refused.problems(index))
        except BadInput as error:
            problems.extend(error.problems)
    if problems:
        raise BadInput(problems)
    return kept
