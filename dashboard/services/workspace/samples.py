"""The ready samples: put on the table with their scenarios, and their runs started behind everybody else's.

The small ones are loaded in the background after the start, a large one by a worker when somebody asks for
it. What is there already is left as it is; a sample of which only the cluster was stored before something
broke gets its scenarios.
"""

from typing import Any

from django.db import transaction

from dashboard.models import Scenario, Snapshot
from dashboard.services.background.dispatch import send_import
from dashboard.services.workspace.runs import start_run
from dashboard.services.workspace.scenarios import create_scenario
from dashboard.services.workspace.snapshots import import_snapshot
from samples.gallery import Sample, gallery

WAITING = {"stage": "waiting for a worker", "done": 0, "total": 1}


def sample_named(name: str) -> Sample | None:
    """Return the sample of this name, None if there is none."""
    return next((sample for sample in gallery() if sample.name == name), None)


def loaded_sample(name: str) -> Snapshot | None:
    """Return the cluster of a sample that is there or under way."""
    there = [Snapshot.Status.READY, Snapshot.Status.IMPORTING]
    return Snapshot.objects.filter(is_sample=True, name=name, status__in=there).first()


def load_sample(user: Any, sample: Sample) -> Snapshot:
    """Import the sample in this process, unless it is there, and make its scenarios and runs."""
    snapshot = loaded_sample(sample.name)
    if snapshot is None:
        snapshot = import_snapshot(user, sample.name, sample.files(), is_sample=True, notes=sample.notes)
    add_scenarios(user, snapshot, sample)
    return snapshot


def begin_sample(user: Any, sample: Sample) -> Snapshot:
    """Let a worker import the sample, unless it is there or under way."""
    with transaction.atomic():
        snapshot = loaded_sample(sample.name)
        if snapshot is None:
            snapshot = Snapshot.objects.create(
                name=sample.name, created_by=user, is_sample=True, progress=WAITING
            )
            number = snapshot.pk
            transaction.on_commit(lambda: send_import(number))
    return snapshot


def add_scenarios(user: Any, snapshot: Snapshot, sample: Sample) -> None:
    """Make the scenarios of a sample that has none yet, and start the runs that come with it."""
    with transaction.atomic():
        if snapshot.status != Snapshot.Status.READY or Scenario.objects.filter(snapshot=snapshot).exists():
            return
        for planned in sample.scenarios:
            scenario = create_scenario(user, {**planned.fields(), "snapshot": snapshot})
            if planned.plays:
                start_run(user, scenario, background=True)
