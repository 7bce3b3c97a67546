"""``manage.py load_samples``: puts the ready samples on the table and starts their runs."""

import os
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from dashboard.accounts.first_admin import administrators
from dashboard.services.background.attendance import SAMPLES, note_present
from dashboard.services.workspace.samples import load_sample, loaded_sample
from samples.gallery import gallery

GENTLEST = 19


class Command(BaseCommand):
    help = "Load the small samples, or all, and start their runs, unless they are there already."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--all", action="store_true", help="the large ones, too")
        parser.add_argument("--gently", action="store_true", help="leave the processors to everybody else")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["gently"]:
            os.nice(GENTLEST)
        user = administrators().first()
        for sample in gallery():
            if sample.large and not options["all"]:
                continue
            note_present([SAMPLES])
            is_new, start = loaded_sample(sample.name) is None, time.monotonic()
            counts = load_sample(user, sample).counts
            if is_new and options["verbosity"]:
                nodes, pods = counts.get("Node", 0), counts.get("Pod", 0)
                took = f"{time.monotonic() - start:.1f} s"
                self.stdout.write(f"  {sample.name}: {nodes:,} nodes and {pods:,} pods imported in {took}")
                self.stdout.flush()
