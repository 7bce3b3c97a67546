"""The same question put to another version of the scheduler: a new scenario, and its run.

Cluster, edits, controllers, seed and schedule are those of the original, so that only the scheduler differs.
Its configuration, its driver and the schedulers beside it are kept if the other version takes them, and with
a clock its settings.
"""

import re
from typing import Any

from django.db import transaction

from dashboard.kinds.kind import Config
from dashboard.models import Run, Scenario
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import NAME_LENGTH, create_scenario, draft_scenario
from dashboard.services.workspace.schedulers import WITH_CLOCK, scheduler_problems
from dashboard.services.workspace.trying import validate_scenario
from scheduler_core.objects.problems import BadInput, Problem
from scheduler_core.schedulers.registry import versions

INSTANT = "instant"
_NAMED_FOR_A_VERSION = re.compile(rf" · (?:{'|'.join(map(re.escape, versions()))})\Z")


def run_under(user: Any, original: Scenario | Run, profile: str) -> Run:
    """Make a scenario like `original` for another profile and start it. Raises BadInput, NotPossibleNow.

    A run is asked again as it was frozen, whatever became of its scenario.
    """
    fields = {"name": name_under(_name(original), profile), **fields_under(original, profile)}
    problems = validate_scenario(draft_scenario(fields))["problems"]
    if problems:
        raise BadInput([Problem(**problem) for problem in problems])
    with transaction.atomic():
        scenario = create_scenario(user, fields)
        return start_run(user, scenario, schedule=original.schedule if isinstance(original, Run) else None)


def fields_under(original: Scenario | Run, profile: str) -> dict[str, Any]:
    """Return the fields of a scenario that asks the same of another profile, but for its name."""
    driver = _driver(profile, original.driver)
    misfit = scheduler_problems(profile, original.config, driver)
    fields = {
        "snapshot": original.snapshot,
        "profile": profile,
        "driver": driver,
        "config": None if misfit else original.config,
        "beside": _beside(original, profile, driver),
        "controllers": original.controllers,
        "edits": original.edits,
        "seed": original.seed,
    }
    if driver in WITH_CLOCK:
        fields |= {name: getattr(original, name) for name in ("until", "attempt_seconds", "ready_seconds")}
    return fields


def _driver(profile: str, driver: str) -> str:
    """Return the driver itself where the other version offers it: two changes at once explain nothing.

    Without its clock a version is played by priority, as the clock's queue is, where it can be.
    """
    scheduler = versions().get(profile)
    if scheduler is None or driver in scheduler.drivers:
        return driver
    return INSTANT if driver in WITH_CLOCK and INSTANT in scheduler.drivers else scheduler.drivers[0]


def _beside(original: Scenario | Run, profile: str, driver: str) -> list[Config]:
    """Return the other schedulers if they can act beside the other version, else none."""
    misfit = scheduler_problems(profile, original.config, driver, beside=original.beside)
    kept: list[Config] = [] if misfit else original.beside
    return kept


def name_under(name: str, profile: str) -> str:
    """Return the name with the version behind it, in place of another version."""
    suffix = f" · {profile}"
    return _NAMED_FOR_A_VERSION.sub("", name)[: NAME_LENGTH - len(suffix)] + suffix


def _name(original: Scenario | Run) -> str:
    scenario = original.scenario if isinstance(original, Run) else original
    return scenario.name if scenario else original.snapshot.name
