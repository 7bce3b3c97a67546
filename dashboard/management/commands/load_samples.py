"""``manage.py load_samples``: puts the ready samples on the table and starts their runs.

Scenarios that take long are only put there, to be run with one press on the first page.
A sample that is there already is left as it is, so that a second start takes no time; one of which only the
cluster was stored before something broke gets its scenarios.
"""

import time
from dataclasses import asdict
from typing import Any

from django.core.management.base import BaseCommand
from django.db import transaction

from dashboard.accounts.first_admin import administrators
from dashboard.models import Scenario, Snapshot
from dashboard.services.runs import start_run
from dashboard.services.scenarios import create_scenario
from dashboard.services.snapshots import import_snapshot
from samples.gallery import Sample, gallery


class Command(BaseCommand):
    help = "Load the ready samples and start their runs, unless they are there already."

    def handle(self, *args: Any, **options: Any) -> None:
        user = administrators().first()
        for sample in gallery():
            self._load(user, sample)

    def _load(self, user: Any, sample: Sample) -> None:
        snapshot = Snapshot.objects.filter(is_sample=True, name=sample.name).first()
        if snapshot is None:
            snapshot = self._import(user, sample)
        with transaction.atomic():
            if Scenario.objects.filter(snapshot=snapshot).exists():
                return
            for planned in sample.scenarios:
                fields = asdict(planned)
                plays = fields.pop("plays")
                scenario = create_scenario(user, {**fields, "snapshot": snapshot})
                if plays:
                    start_run(user, scenario)
        for plays, words in ((True, "running"), (False, "to be run by a press")):
            if names := [one.name for one in sample.scenarios if one.plays == plays]:
                self.stdout.write(f"  {sample.name}: {words}: {'; '.join(names)}")

    def _import(self, user: Any, sample: Sample) -> Snapshot:
        self.stdout.write(f"  {sample.name}: importing …")
        self.stdout.flush()
        start = time.monotonic()
        snapshot = import_snapshot(user, sample.name, sample.files(), is_sample=True, notes=sample.notes)
        took, counts = time.monotonic() - start, snapshot.counts
        nodes, pods = counts.get("Node", 0), counts.get("Pod", 0)
        self.stdout.write(f"  {sample.name}: {nodes:,} nodes and {pods:,} pods imported in {took:.1f} s")
        return snapshot
