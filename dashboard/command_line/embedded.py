"""A cluster in memory: files become a snapshot of this process alone, which ends with it.

A number names a snapshot of the Sandtable whose data folder or database the environment names; that is read
and not changed.
"""

import gc
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django
import msgspec
from django.apps import apps

from dashboard import LOADING
from dashboard.command_line.live import Live
from dashboard.command_line.refusals import refuse
from dashboard.command_line.sources import payloads_of

if TYPE_CHECKING:
    from dashboard.models import Run, Scenario, Snapshot
    from scheduler_core.world import RunInput
    from scheduler_core.world.trials.warm_world import WarmWorld


def open_snapshot(source: str) -> "Snapshot":
    """Return the snapshot of files or of a context, or a stored one by its number. Raises BadInput."""
    if not isinstance(source, Live) and source.isdigit() and not Path(source).exists():
        return _stored(int(source))
    payloads, notes = source.read() if isinstance(source, Live) else (payloads_of([source]), [])
    if begin_in_memory():
        _make_tables()
    from dashboard.services.workspace.snapshots import import_snapshot

    return import_snapshot(None, Path(source).name, payloads, notes=notes)


def scenario_of(
    snapshot: "Snapshot",
    edits: list[dict[str, Any]],
    scheduler: str = "",
    *,
    moving: bool = False,
    **fields: Any,
) -> "Scenario":
    """Return a scenario, which nobody stores; without a `scheduler` with those of the cluster.

    moving: pods that run may need another node, also without these edits. Raises BadInput.
    """
    from dashboard.services.workspace.scenarios import draft_scenario

    named = {"profile": scheduler} if scheduler else {}
    return draft_scenario({"snapshot": snapshot, "edits": edits, **named, **fields}, moving=moving)


def chosen_by(snapshot: "Snapshot", scheduler: str, edits: Iterable[Any] = ()) -> str:
    """Return where the schedulers are from that are played with these edits, as an answer says it."""
    from dashboard.services.workspace.suggesting import suggest
    from scheduler_core.world.edits.named_schedulers import schedulers_named
    from scheduler_core.world.edits.operations import moves_pods

    if scheduler:
        return ""
    edits = list(edits)
    return suggest(snapshot, named=schedulers_named(edits), moving=moves_pods(edits)).in_answer


def input_of(scenario: "Scenario") -> "RunInput":
    """Return what a run of a scenario is a function of. Raises BadInput."""
    from dashboard.engine import items_of, run_input_of

    return run_input_of(scenario, items_of(scenario.snapshot))


def world_of(scenario: "Scenario") -> "WarmWorld":
    """Return the cluster of a scenario under its settings, before any edit. Raises BadInput."""
    from dashboard.engine import imported_of, run_input_of
    from scheduler_core.world.trials.warm_world import WarmWorld

    imported = imported_of(scenario.snapshot)
    run_input = run_input_of(scenario, imported.objects)
    return WarmWorld(msgspec.structs.replace(run_input, edits=[]), imported=imported)


def begin_in_memory() -> bool:
    """Load the project where nothing is stored; return whether it was not loaded before."""
    if apps.ready:
        return False
    _begin("dashboard.command_line.embedded_settings")
    return True


def stored_run(number: int) -> "Run":
    """Return a run of the Sandtable of this machine."""
    _begin_stored(f"run {number}: it is looked for on this machine")
    from dashboard.models import Run

    found = Run.objects.filter(pk=number).first()
    if found is None:
        refuse(f"run {number}: there is no run of this number")
    return found


def _begin(settings: str) -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = settings
    django.setup()
    gc.set_threshold(*LOADING)  # of a process that ends with its answer most of what is loaded stays


def _make_tables() -> None:
    """Make the tables of all models in this process's memory."""
    from django.db import connection

    with connection.schema_editor() as editor:
        for model in apps.get_models():
            editor.create_model(model)


def _stored(number: int) -> "Snapshot":
    _begin_stored(f"snapshot {number}: there is no file of this name")
    from dashboard.models import Snapshot

    found = Snapshot.objects.filter(pk=number).first()
    if found is not None and found.is_put_away:
        refuse(f"snapshot {number} is stored as a delta: its page brings it back, then it can be asked")
    if found is None or found.status != Snapshot.Status.READY:
        refuse(f"snapshot {number}: there is neither a file of this name nor a ready snapshot of this number")
    return found


def _begin_stored(what: str) -> None:
    """Load the project with what is stored on this machine, in which a thing is looked for."""
    from dashboard import environment

    folder = environment.data_path(environment.PROJECT)
    if not environment.value("DATABASE_URL") and not folder.exists():
        refuse(f"{what}, and the folder {folder} (DATA_DIR) is not there")
    if not apps.ready:
        _begin("dashboard.settings")
