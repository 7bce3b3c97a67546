"""Rehearsals of an upgrade: asked of a worker on the cluster with a clock, and played again as a scenario."""

from __future__ import annotations

from typing import Any

from dashboard.engine import input_without_objects
from dashboard.models import Run, Scenario, Snapshot
from dashboard.services.questions import rehearsal, stored_questions
from dashboard.services.questions.stored_questions import Told
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import (
    NAME_LENGTH,
    create_scenario,
    draft_scenario,
    with_schedulers,
)
from scheduler_core.world.edits.additions import count_of
from scheduler_core.world.rehearsal.plan import read_plan
from scheduler_core.world.rehearsal.rehearsed import Rehearsal
from scheduler_core.world.run_input import READY_SECONDS

Plan = dict[str, Any]


def rehearsed(
    snapshot: Snapshot, plan: Plan, ready: float = READY_SECONDS, wait: float = 0.0, *, again: bool = False
) -> Told[Rehearsal]:
    """Ask how an upgrade by a plan would go, `ready` being a copy's seconds until it is ready without probes.

    Raises BadInput where the plan can't be, as far as that is seen without the cluster.
    """
    read_plan(plan)
    settled = input_without_objects(draft_scenario(_fields(snapshot, ready)))
    return stored_questions.ask(rehearsal.KIND, snapshot, settled, plan, wait, again=again)


def end_rehearsal(snapshot: Snapshot, plan: Plan, ready: float = READY_SECONDS) -> None:
    """Let a rehearsal end that is being played. Raises BadInput as `rehearsed` does."""
    read_plan(plan)
    settled = input_without_objects(draft_scenario(_fields(snapshot, ready)))
    stored_questions.end(rehearsal.KIND, snapshot, settled, plan)


def step_through(user: Any, snapshot: Snapshot, found: Rehearsal) -> Run:
    """Make the scenario of a rehearsal, and its run. Raises BadInput, NotPossibleNow."""
    nodes = count_of(len(found.rehearsed.nodes), "node")
    name = f"{snapshot.name}: upgrade of {nodes}"[:NAME_LENGTH]
    fields = _fields(snapshot, found.ready_seconds) | {"name": name, "edits": found.rehearsed.edits}
    scenario: Scenario = create_scenario(user, fields)
    return start_run(user, scenario)


def _fields(snapshot: Snapshot, ready: float) -> dict[str, Any]:
    clock = {"driver": "timed", "ready_seconds": ready}
    return with_schedulers({"snapshot": snapshot, **clock}, moving=True)
