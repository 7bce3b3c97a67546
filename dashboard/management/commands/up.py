"""``manage.py up``: starts everything on this machine and serves until Ctrl-C."""

import contextlib
import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from dashboard import environment
from dashboard.supervisor.listening import PortUnavailable
from dashboard.supervisor.start import Choices, FolderInUse, up
from dashboard.supervisor.supervision import StartFailed


class Command(BaseCommand):
    help = "Start the broker, the web server, the worker and the reaper; stop them all with Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--no-samples", action="store_true", help="do not load the samples")

    def handle(self, *args: Any, **options: Any) -> None:
        choices = Choices(
            host=environment.value("HOST"),
            port=environment.value("PORT"),
            data_folder=settings.DATA_DIR,
            broker_url=environment.value("SANDTABLE_BROKER_URL"),
            channel_layer_url=environment.value("SANDTABLE_CHANNEL_LAYER_URL"),
            with_samples=not options["no_samples"],
        )
        self._say(f"Sandtable keeps its data in {choices.data_folder}")
        try:
            up(choices, self._say)
        except (FolderInUse, PortUnavailable, StartFailed) as problem:
            raise CommandError(str(problem)) from problem

    def _say(self, line: str) -> None:
        """Print at once, or not at all: a full disk or a closed terminal must not keep it from stopping.

        Past the stream's buffer, which would fail once more at the exit.
        """
        with contextlib.suppress(OSError):
            os.write(self.stdout.fileno(), f"{line}\n".encode())
